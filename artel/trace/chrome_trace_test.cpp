#include "artel/trace/chrome_trace.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::trace {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr Instant at(Duration time) { return Instant{time}; }

class ChromeTraceFile : public ::testing::Test {
 protected:
  void TearDown() override { fs::remove(path_); }

  [[nodiscard]] std::string text() const {
    std::ifstream in(path_);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  [[nodiscard]] Json events() const { return Json::parse(text()).at("traceEvents"); }

  /// The one event that `write` writes.
  template <class Write>
  Json one(Write write) {
    ChromeTrace trace = *ChromeTrace::create(path_);
    write(trace);
    EXPECT_TRUE(trace.finish());
    Json all = events();
    EXPECT_EQ(all.size(), 1U);
    return all.at(0);
  }

  fs::path path_ = fs::path(::testing::TempDir()) / fmt::format("artel_chrome_{}", ::getpid());
};

TEST_F(ChromeTraceFile, WithoutEventsIsStillValid) {
  ChromeTrace trace = *ChromeTrace::create(path_);
  ASSERT_TRUE(trace.finish());
  EXPECT_TRUE(events().empty());
}

TEST_F(ChromeTraceFile, SliceKeepsNanoseconds) {
  const Json event = one([](ChromeTrace& trace) {
    trace.slice({.process = 2, .thread = 7}, "work", at(1234567ns), 1005ns,
                {{"n", std::int64_t{-3}}, {"share", 0.5}, {"who", "me"}});
  });
  EXPECT_EQ(event, Json::parse(R"({"ph":"X","pid":2,"tid":7,"name":"work","ts":1234.567,
      "dur":1.005,"args":{"n":-3,"share":0.5,"who":"me"}})"));
  EXPECT_NE(text().find("\"ts\":1234.567,\"dur\":1.005,"), std::string::npos);
}

TEST_F(ChromeTraceFile, ExtremeTimesAreWrittenExactly) {
  one([](ChromeTrace& trace) { trace.slice({}, "all", Instant::min(), Duration::max()); });
  EXPECT_NE(text().find("\"ts\":-9223372036854775.808,\"dur\":9223372036854775.807}"),
            std::string::npos);
}

TEST_F(ChromeTraceFile, TracksHaveNamesAndAnOrder) {
  ChromeTrace trace = *ChromeTrace::create(path_);
  trace.name_process(2, "pool");
  trace.name_thread({.process = 2, .thread = 7}, "worker-0", 40);
  ASSERT_TRUE(trace.finish());
  EXPECT_EQ(trace.count(), 3U);
  EXPECT_EQ(events(), Json::parse(R"([
      {"ph":"M","pid":2,"name":"process_name","args":{"name":"pool"}},
      {"ph":"M","pid":2,"tid":7,"name":"thread_name","args":{"name":"worker-0"}},
      {"ph":"M","pid":2,"tid":7,"name":"thread_sort_index","args":{"sort_index":40}}])"));
}

TEST_F(ChromeTraceFile, EveryKindOfEvent) {
  ChromeTrace trace = *ChromeTrace::create(path_);
  const Track track{.process = 1, .thread = 3};
  trace.begin(track, "outer", at(1us), {{"k", "v"}});
  trace.flow_start(track, "message", 0xfedcba9876543210, at(1us));
  trace.end(track, at(2us));
  trace.begin(track, "taker", at(3us));
  trace.flow_finish(track, "message", 0xfedcba9876543210, at(3us));
  trace.end(track, at(3us));
  trace.instant(track, "mark", at(4us));
  trace.counter(1, "queued", at(5us), 2.5);
  trace.async_begin(1, "request", 9, at(6us));
  trace.async_end(1, "request", 9, at(7us));
  ASSERT_TRUE(trace.finish());
  EXPECT_EQ(events(), Json::parse(R"([
      {"ph":"B","pid":1,"tid":3,"name":"outer","ts":1.0,"args":{"k":"v"}},
      {"ph":"s","pid":1,"tid":3,"name":"message","ts":1.0,"cat":"artel","id":"0xfedcba9876543210"},
      {"ph":"E","pid":1,"tid":3,"ts":2.0},
      {"ph":"B","pid":1,"tid":3,"name":"taker","ts":3.0},
      {"ph":"f","pid":1,"tid":3,"name":"message","ts":3.0,"cat":"artel","id":"0xfedcba9876543210",
       "bp":"e"},
      {"ph":"E","pid":1,"tid":3,"ts":3.0},
      {"ph":"i","pid":1,"tid":3,"name":"mark","ts":4.0,"s":"t"},
      {"ph":"C","pid":1,"name":"queued","ts":5.0,"args":{"value":2.5}},
      {"ph":"b","pid":1,"name":"request","ts":6.0,"cat":"artel","id":"0x9"},
      {"ph":"e","pid":1,"name":"request","ts":7.0,"cat":"artel","id":"0x9"}])"));
}

TEST_F(ChromeTraceFile, NamesAreEscaped) {
  const std::string name = std::string("a\"b\\c\n\t\x01") + '\0' + "é";
  const Json event =
      one([&](ChromeTrace& trace) { trace.instant({}, name, at(0ns), {{name, name}}); });
  EXPECT_EQ(event.at("name"), name);
  EXPECT_EQ(event.at("args").at(name), name);
}

TEST_F(ChromeTraceFile, NumbersThatJsonLacksBecomeText) {
  const Json event = one([](ChromeTrace& trace) {
    trace.counter(1, "c", at(0ns), std::numeric_limits<double>::infinity());
  });
  EXPECT_EQ(event.at("args").at("value"), "inf");
}

TEST_F(ChromeTraceFile, AppearsOnlyWhenFinished) {
  ChromeTrace trace = *ChromeTrace::create(path_);
  for (int i = 0; i < 3000; ++i) trace.instant({}, "more than a buffer holds", at(1ns));
  EXPECT_FALSE(fs::exists(path_));
  ASSERT_TRUE(trace.finish());
  EXPECT_EQ(events().size(), 3000U);
}

TEST_F(ChromeTraceFile, UnfinishedLeavesNothing) {
  ChromeTrace::create(path_)->instant({}, "x", at(1ns));
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(ChromeTraceFile, FailedWriteIsToldAtTheEnd) {
  ChromeTrace trace = *ChromeTrace::create("/dev/full");
  for (int i = 0; i < 3000; ++i) trace.instant({}, "more than a buffer holds", at(1ns));
  const Result<void> finished = trace.finish();
  ASSERT_FALSE(finished);
  EXPECT_EQ(to_string(finished.error()), "/dev/full: cannot write: No space left on device");
}

TEST_F(ChromeTraceFile, MissingFolderIsAnError) {
  EXPECT_EQ(ChromeTrace::create(path_ / "nowhere").error().code, ErrorCode::io);
}

}  // namespace
}  // namespace artel::trace
