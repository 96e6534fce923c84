#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/logs/log_format.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/logs/read_log.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::logs::detail {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

struct Chosen {
  Result<LogReading> reading;
  std::vector<double> came_s;  // since 1970
  [[nodiscard]] std::string error() const {
    return reading ? "no error" : to_string(reading.error());
  }
};

Chosen read_chosen(const std::string& text, const LogOptions& options = {}) {
  std::istringstream in(text);
  std::vector<double> came;
  auto reading = read_log(in, "a.log", options, [&](const trace::TaskRecord& task) {
    came.push_back(std::round(to_seconds(task.submitted - Instant{})));
  });
  return {std::move(reading), std::move(came)};
}

TEST(ChosenFormat, OnlyLinesThatAreAskedFor) {
  LogOptions options{.columns = {{"finished", "at"}, {"response", "took:ms"}},
                     .where = {{"http.host", "a|b"}, {"kind", "get"}}};
  const auto line = [](const char* host, const char* kind, int at) {
    return fmt::format(R"({{"http":{{"host":"{}"}},"kind":"{}","at":{},"took":1}})"
                       "\n",
                       host, kind, 1790000000 + at);
  };
  const auto log = read_chosen(
      line("a", "get", 0) + line("c", "get", 1) + line("b", "get", 2) + line("a", "put", 3),
      options);
  EXPECT_THAT(log.came_s, ElementsAre(1790000000, 1790000002));
  EXPECT_THAT(log.reading->notes().front(),
              HasSubstr("passed over: 2 lines not about a task that ended, or "
                        "not what is asked for"));
  options = {.log_format = "$msec $status $request_time", .where = {{"$statu", "200"}}};
  EXPECT_THAT(read_chosen("1790000000.000 200 0.1\n", options).error(),
              HasSubstr("--where: unknown field '$statu' (did you mean '$status'?)"));
  options.where = {{"$status", "500"}};
  EXPECT_THAT(read_chosen("1790000000.000 200 0.1\n1790000000.000 500 0.1\n", options).came_s,
              SizeIs(1));
}

TEST(ChosenFormat, WhatIsLeftOutOfAKindOfLogIsSaid) {
  const auto log =
      read_chosen("; Version: 2.2\n  1  0 10 3600 64 -1 -1 1 3600 -1 1 1 1 1 1 1 -1 -1\n");
  EXPECT_THAT(log.reading->notes(), ElementsAre(HasSubstr("each takes one worker")));
}

TEST(ChosenFormat, OtherTablesWithAJobAreNotSwims) {
  EXPECT_EQ(recognise_log("job\tqueue\tseconds\n1\ta\t3\n"), nullptr);
  EXPECT_EQ(recognise_log("job0\t0\t0\tx\t2000\t3000\n"), nullptr);
  EXPECT_EQ(recognise_log("job0\t0\t0\t1000\t2000\t3000\n")->name, "swim");
}

}  // namespace
}  // namespace artel::logs::detail
