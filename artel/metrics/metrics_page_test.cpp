#include "artel/metrics/metrics_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "artel/core/error.hpp"

namespace artel::metrics {
namespace {

using testing::HasSubstr;

MetricsPage page_of(const std::string& text) { return read_metrics_page(text, "page").page; }

TEST(MetricsPage, ReadsTheExampleOfPrometheus) {
  // Prometheus documentation, Exposition formats, Text format example.
  const auto reading =
      read_metrics_page(R"(# HELP http_requests_total The total number of HTTP requests.
# TYPE http_requests_total counter
http_requests_total{method="post",code="200"} 1027 1395066363000
http_requests_total{method="post",code="400"}    3 1395066363000

# Escaping in label values:
msdos_file_access_time_seconds{path="C:\\DIR\\FILE.TXT",error="Cannot find file:\n\"FILE.TXT\""} 1.458255915e9

# Minimalistic line:
metric_without_timestamp_and_labels 12.47

# A weird metric from before the epoch:
something_weird{problem="division by zero"} +Inf -3982045

# A histogram, which has a pretty complex representation in the text format:
# TYPE http_request_duration_seconds histogram
http_request_duration_seconds_bucket{le="0.05"} 24054
http_request_duration_seconds_bucket{le="+Inf"} 144320
http_request_duration_seconds_sum 53423
http_request_duration_seconds_count 144320
)",
                        "example");
  EXPECT_EQ(reading.bad, 0U) << to_string(reading.first_bad.value_or(Error{}));
  const auto& page = reading.page;
  EXPECT_EQ(page.samples().size(), 9U);
  const Labels posted{{"code", "200"}, {"method", "post"}};
  ASSERT_NE(page.find("http_requests_total", posted), nullptr);
  EXPECT_EQ(page.find("http_requests_total", posted)->value, 1027);
  EXPECT_EQ(page.named("http_requests_total").size(), 2U);
  EXPECT_EQ(page.named("http_requests").size(), 0U);
  const auto dos = page.named("msdos_file_access_time_seconds");
  ASSERT_EQ(dos.size(), 1U);
  EXPECT_EQ(dos[0].label("path"), "C:\\DIR\\FILE.TXT");
  EXPECT_EQ(dos[0].label("error"), "Cannot find file:\n\"FILE.TXT\"");
  EXPECT_EQ(dos[0].value, 1.458255915e9);
  EXPECT_EQ(page.named("something_weird")[0].value, HUGE_VAL);
  EXPECT_EQ(page.named("metric_without_timestamp_and_labels")[0].value, 12.47);
}

TEST(MetricsPage, ReadsWhatProgramsWriteBesides) {
  const auto page = page_of(
      "a{} 1\r\n"
      "b{x=\"1\",} NaN\n"
      " \tc { x = \"}, \" , } -Inf\n"
      "d_bucket{le=\"1\"} 8 # {trace_id=\"x\"} 0.67\n"
      "# EOF\n"
      "e 0x");
  EXPECT_EQ(page.find("a", {})->value, 1);
  EXPECT_TRUE(std::isnan(page.named("b")[0].value));
  EXPECT_EQ(page.named("c")[0].label("x"), "}, ");
  EXPECT_EQ(page.named("c")[0].value, -HUGE_VAL);
  EXPECT_EQ(page.named("d_bucket")[0].value, 8);
  EXPECT_TRUE(page.named("e").empty());
}

TEST(MetricsPage, OfTwoTheLastCounts) {
  const auto page = page_of("a{x=\"1\",y=\"2\"} 1\na{y=\"2\",x=\"1\"} 2\n");
  ASSERT_EQ(page.samples().size(), 1U);
  EXPECT_EQ(page.samples()[0].value, 2);
}

TEST(MetricsPage, CountsWhatItCannotRead) {
  for (const char* line : {"1a 2",
                           "a",
                           "a{",
                           "a{x",
                           "a{x=",
                           "a{x=\"",
                           "a{x=\"1",
                           "a{x=\"\\",
                           "a{x=1} 2",
                           "a{,} 1",
                           "a{x=\"1\" y=\"2\"} 1",
                           "a{x=\"1\",x=\"2\"} 1",
                           "a{x=\"1\"}",
                           "a one",
                           "a 1x",
                           "a 1 2 3",
                           "a 1 x",
                           "a +-1",
                           "a ++1",
                           "{x=\"1\"} 2",
                           "<html>",
                           "a{x=\"1\"}} 1"}) {
    const auto reading = read_metrics_page(std::string("good 1\n") + line + "\nalso_good 2\n", "p");
    EXPECT_EQ(reading.bad, 1U) << line;
    EXPECT_EQ(reading.page.samples().size(), 2U) << line;
    EXPECT_EQ(reading.first_bad.value_or(Error{}).where, "p:2") << line;
  }
}

TEST(MetricsPage, HasBounds) {
  std::string many;
  for (std::size_t i = 0; i < kSamplesMax + 5; ++i)
    many += "a{x=\"" + std::to_string(i) + "\"} 1\n";
  const auto reading = read_metrics_page(many, "p");
  EXPECT_EQ(reading.page.samples().size(), kSamplesMax);
  EXPECT_EQ(reading.first_bad.value_or(Error{}).code, ErrorCode::too_large);
  std::string labels = "a{";
  for (std::size_t i = 0; i <= kLabelsMax; ++i) labels += "x" + std::to_string(i) + "=\"\",";
  EXPECT_EQ(read_metrics_page(labels + "} 1", "p").bad, 1U);
}

// Any text is samples and bad lines; what is a sample can be found again.
RC_GTEST_PROP(MetricsPage, AnyTextIsRead, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(
      std::vector<std::string>{"a", "{", "}", "=", "\"", "\\", ",", " ", "\n", "1", "#", "le",
                               "+Inf", "NaN", std::string("\0", 1), "\xFF", "e9"}));
  std::string text;
  for (const auto& piece : pieces) text += piece;
  const auto reading = read_metrics_page(text, "p");
  for (const auto& sample : reading.page.samples())
    RC_ASSERT(reading.page.find(sample.name, sample.labels) == &sample);
}

}  // namespace
}  // namespace artel::metrics
