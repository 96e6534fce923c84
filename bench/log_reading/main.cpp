// How fast logs are read: lines of an access log, of CSV and of JSON, in memory, on one core.
#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <sstream>
#include <string>
#include <utility>

#include "artel/core/require.hpp"
#include "artel/logs/read_log.hpp"
#include "bench/measure.hpp"

namespace artel::bench {
namespace {

using Line = std::function<std::string(std::size_t)>;

std::string nginx_line(std::size_t i) {
  return fmt::format(
      "203.0.113.{} - - [10/Oct/2026:13:{:02}:{:02} +0200] \"GET /films/{}?from=search HTTP/1.1\" "
      "200 {} \"https://example.org/\" \"Mozilla/5.0 (X11; Linux x86_64)\" 0.{:03}\n",
      i % 256, i / 60'000 % 60, i / 1000 % 60, i, i % 9000, i % 999 + 1);
}

std::string csv_line(std::size_t i) {
  return fmt::format("{},{}.{:03},0.{:03},west\n", i, 1'790'000'000 + i / 1000, i % 1000,
                     i % 999 + 1);
}

std::string json_line(std::size_t i) {
  return fmt::format(
      R"({{"ts": {}.{:03}, "level": "info", "http": {{"method": "GET", "status": 200}}, )"
      R"("took": {}.5, "message": "request done"}})"
      "\n",
      1'790'000'000 + i / 1000, i % 1000, i % 999 + 1);
}

Outcome read(const std::string& log, std::size_t lines, const logs::LogOptions& options) {
  std::istringstream in(log);
  std::uint64_t tasks = 0;
  double begun = cpu_seconds();
  const auto reading = logs::read_log(in, "log", options, [&](const auto&) { ++tasks; });
  begun = cpu_seconds() - begun;
  ARTEL_REQUIRE(reading.has_value() && tasks == lines, "every line is a task", tasks);
  return {.figures = {{"lines_per_s", "1/s", static_cast<double>(lines) / begun}}, .answer = {}};
}

}  // namespace
}  // namespace artel::bench

int main(int argc, char** argv) {
  using namespace artel;
  using namespace artel::bench;
  Comparison comparison("log_reading", argc, argv);
  const std::size_t lines = comparison.smoke() ? 1000 : 1'000'000;
  const auto add = [&](const char* workload, const Line& line, const logs::LogOptions& options) {
    std::string log = workload == std::string("csv") ? "id,finished,response,region\n" : "";
    for (std::size_t i = 0; i < lines; ++i) log += line(i);
    comparison.add(
        {.contender = "artel", .workload = workload, .run = [log = std::move(log), lines, options] {
           return read(log, lines, options);
         }});
  };
  add("nginx", nginx_line, {});
  add("csv", csv_line,
      {.format = "columns", .columns = {{"finished", "finished"}, {"response", "response"}}});
  add("json", json_line, {.columns = {{"finished", "ts"}, {"response", "took:ms"}}});
  return comparison.run();
}
