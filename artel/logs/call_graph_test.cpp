#include "artel/logs/call_graph.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/logs/read_log.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::logs {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Writes OTLP-JSON: spans of one service stand together, as exporters send them.
class Spans {
 public:
  // Times in ms since the request's trace began; returns the id.
  std::string add(const std::string& service, std::int64_t trace, std::string_view parent, int kind,
                  std::int64_t begin_ms, std::int64_t end_ms, std::string_view more = "") {
    const auto id = fmt::format("{:016x}", ++last_);
    const auto at = [&](std::int64_t ms) { return 1'790'000'000'000'000'000 + ms * 1'000'000; };
    text_ += fmt::format(
        R"({}{{"resource": {{"attributes": [{{"key": "host.name", "value": {{"stringValue": "h1"}}}}, {{"key": "service.name", "value": {{"stringValue": "{}"}}}}]}}, "scopeSpans": [{{"spans": [{{"traceId": "{:032x}", "spanId": "{}"{}, "name": "op", "kind": {}, "startTimeUnixNano": "{}", "endTimeUnixNano": "{}"{}}}]}}]}})",
        text_.empty() ? "" : ",\n", service, trace, id,
        parent.empty() ? "" : fmt::format(R"(, "parentSpanId": "{}")", parent), kind, at(begin_ms),
        at(end_ms), more);
    return id;
  }
  [[nodiscard]] std::string text() const { return "{\"resourceSpans\": [" + text_ + "]}\n"; }

 private:
  std::string text_;
  std::uint64_t last_ = 0;
};

constexpr int kInternal = 1, kServer = 2, kClient = 3;

// A page: 100 ms in all. Three searches of 20 ms at once from 10 to 30 ms, each 2 ms of way; in
// every second request the database twice, one after the other, 15 ms each, called from within a
// span.
std::string shop(std::int64_t requests) {
  Spans spans;
  for (std::int64_t i = 0; i < requests; ++i) {
    const std::int64_t at = i * 40;
    const auto page = spans.add("front", i, "", kServer, at, at + 100);
    for (int k = 0; k < 3; ++k) {
      const auto call = spans.add("front", i, page, kClient, at + 10, at + 30);
      spans.add("search", i, call, kServer, at + 11, at + 29);
    }
    if (i % 2 != 0) continue;
    const auto inner = spans.add("front", i, page, kInternal, at + 40, at + 90);
    for (const int begin : {45, 65}) {
      const auto call = spans.add("front", i, inner, kClient, at + begin, at + begin + 15);
      spans.add("database", i, call, kServer, at + begin, at + begin + 15);
    }
  }
  return spans.text();
}

Result<CallGraph> graph_of(const std::string& text) {
  std::istringstream in(text);
  return read_call_graph(in, "spans.json");
}

TEST(CallGraph, TellsWhoCallsWhomAndHowLongEachTakes) {
  const auto graph = graph_of(shop(10));
  ASSERT_TRUE(graph) << to_string(graph.error());
  EXPECT_EQ(graph->spans, 10U * 7 + 5 * 5);
  ASSERT_EQ(graph->services.size(), 3U);
  const auto& front = graph->services[0];
  const auto& search = graph->services[1];
  const auto& database = graph->services[2];
  EXPECT_EQ(front.name, "front");
  EXPECT_EQ(search.name, "search");
  EXPECT_EQ(database.name, "database");
  EXPECT_EQ(front.visits, 10U);
  EXPECT_EQ(search.visits, 30U);
  EXPECT_EQ(search.requests, 10U);
  EXPECT_EQ(database.visits, 10U);
  EXPECT_EQ(database.requests, 5U);
  EXPECT_TRUE(search.at_once);
  EXPECT_FALSE(database.at_once);
  // Three calls at once are away from 10 to 30 ms, two others for 15 ms each.
  EXPECT_THAT(front.own, ::testing::Each(::testing::AnyOf(Duration{80ms}, Duration{50ms})));
  EXPECT_EQ(front.own.front(), Duration{50ms});
  EXPECT_THAT(search.own, ::testing::Each(Duration{18ms}));
  EXPECT_THAT(search.own_of_request, ::testing::Each(Duration{54ms}));
  EXPECT_THAT(database.own_of_request, ::testing::Each(Duration{30ms}));
  EXPECT_EQ(search.first, Duration{11ms});
  EXPECT_EQ(search.most_at_once, 3U);
  EXPECT_EQ(front.most_at_once, 3U) << "100 ms each, one every 40 ms";
  ASSERT_EQ(graph->calls.size(), 2U);
  EXPECT_EQ(graph->calls[0].to, 1U);
  EXPECT_EQ(graph->calls[0].calls, 30U);
  EXPECT_EQ(graph->arrivals.size(), 10U);
  EXPECT_EQ(graph->arrivals[1] - graph->arrivals[0], Duration{40ms});
  EXPECT_THAT(graph->responses, ::testing::Each(Duration{100ms}));
}

TEST(CallGraph, WhatRunsOnAfterItsCallerIsNoPartOfIt) {
  Spans spans;
  const auto sender = spans.add("web", 1, "", kServer, 0, 10);
  const auto message = spans.add("web", 1, sender, 4, 5, 6);
  spans.add("mailer", 1, message, 5, 400, 900);  // a consumer, much later
  spans.add("web", 2, "", kServer, 50, 60);
  const auto graph = graph_of(spans.text());
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->services.at(0).own.at(0), Duration{9ms});
  EXPECT_EQ(graph->services.at(1).own.at(0), Duration{500ms});
}

TEST(CallGraph, RequestsThatComeElsewhereAreLeftOut) {
  Spans spans;
  for (std::int64_t i = 0; i < 3; ++i) spans.add("front", i, "", kServer, i * 10, i * 10 + 5);
  spans.add("admin", 9, "00000000000000ff", kServer, 0, 5);  // whose caller is not there
  const auto graph = graph_of(spans.text());
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->services.size(), 1U);
  EXPECT_EQ(graph->elsewhere, 1U);
}

TEST(CallGraph, SpansThatGoInCirclesEndIt) {
  // 1 is a child of 2 and 2 of 1; 3 of itself.
  const auto span = [](int id, int parent) {
    return fmt::format(
        R"({{"traceId": "a", "spanId": "{}", "parentSpanId": "{}", "kind": 2, "startTimeUnixNano": "5", "endTimeUnixNano": "9"}})",
        id, parent);
  };
  const auto text =
      fmt::format(R"({{"resourceSpans": [{{"scopeSpans": [{{"spans": [{}, {}, {}]}}]}}]}})",
                  span(1, 2), span(2, 1), span(3, 3));
  const auto graph = graph_of(text);
  ASSERT_TRUE(graph) << to_string(graph.error());
  EXPECT_EQ(graph->arrivals.size(), 1U);
  EXPECT_EQ(graph->services.at(0).name, "(none)");
}

TEST(CallGraph, SaysWhyThereIsNone) {
  EXPECT_THAT(to_string(graph_of("{\"resourceSpans\": [{").error()), HasSubstr("spans.json:1:"));
  Spans spans;
  spans.add("x", 1, "", kClient, 0, 5);
  EXPECT_THAT(to_string(graph_of(spans.text()).error()),
              HasSubstr("no request comes from outside"));
}

TEST(CallGraph, OneDocumentPerLineIsTheSame) {
  Spans first, second;
  first.add("front", 1, "", kServer, 0, 5);
  second.add("front", 2, "", kServer, 10, 15);
  const auto graph = graph_of(first.text() + second.text());
  ASSERT_TRUE(graph) << to_string(graph.error());
  EXPECT_EQ(graph->arrivals.size(), 2U);
}

TEST(Otlp, AttributesOfSpansAndOfTheirResourceAreFields) {
  Spans spans;
  const auto route = [](std::string_view of) {
    return fmt::format(
        R"(, "attributes": [{{"key": "http.response.status_code", "value": {{"intValue": "200"}}}}, {{"key": "http.route", "value": {{"stringValue": "{}"}}}}])",
        of);
  };
  for (std::int64_t i = 0; i < 4; ++i)
    spans.add("shop", i, "", kServer, i * 10, i * 10 + 5, route("/cart"));
  for (std::int64_t i = 4; i < 6; ++i)
    spans.add("mail", i, "", kServer, i * 10, i * 10 + 5, route("/send"));
  spans.add("mail", 9, "", kServer, 90, 95);  // says no route
  const auto classes = [&](const LogOptions& options) {
    std::istringstream in(spans.text());
    const auto reading = read_log(in, "spans.json", options, [](const trace::TaskRecord&) {});
    std::string text = reading ? "" : to_string(reading.error());
    for (const auto& one : reading.value_or(LogReading{}).classes)
      text += fmt::format("{} {}, ", one.name, one.tasks);
    return text;
  };
  EXPECT_EQ(classes({.class_by = "service.name"}), "shop 4, mail 3, ");
  EXPECT_EQ(classes({.class_by = "http.route"}), "/cart 4, /send 2, (none) 1, ");
  EXPECT_EQ(classes({.where = {{"service.name", "mail"}}, .class_by = "http.route"}),
            "/send 2, (none) 1, ");
}

}  // namespace
}  // namespace artel::logs
