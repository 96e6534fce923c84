// Any bytes are a log, of a kind that they tell themselves or that the first line names, or one
// mistake; packed files, too.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>

#include "artel/core/require.hpp"
#include "artel/logs/read_log.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::logs {
namespace {

void read(const std::string& text, const LogOptions& options) {
  std::istringstream in(text);
  std::uint64_t tasks = 0;
  const auto reading = read_log(in, "fuzz.log", options, [&](const trace::TaskRecord& task) {
    ARTEL_REQUIRE(plausible(task), "times ascend");
    ++tasks;
  });
  if (!reading) {
    ARTEL_REQUIRE(!reading.error().what.empty(), "a mistake has words");
    return;
  }
  ARTEL_REQUIRE(reading->tasks == tasks, "tasks are counted", reading->tasks, tasks);
  ARTEL_REQUIRE(reading->bad == 0 || reading->first_bad.has_value(), "a bad line is shown");
  ARTEL_REQUIRE(!reading->summary().empty(), "there is a summary");
  static_cast<void>(reading->notes());
}

}  // namespace
}  // namespace artel::logs

// The name that libFuzzer asks for.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {  // NOLINT
  using namespace artel::logs;
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);  // NOLINT(*-cast)
  const auto line = input.substr(0, input.find('\n'));
  const std::string rest(input.substr(std::min(line.size() + 1, input.size())));
  LogOptions options;
  if (line.find_first_of("$%") != std::string_view::npos) {
    options.log_format = line;
  } else if (line.find('=') != std::string_view::npos) {
    options.columns = {{"finished", std::string(line.substr(0, line.find('=')))},
                       {"response", std::string(line.substr(line.find('=') + 1))}};
  } else {
    options.format = line;
  }
  read(rest, options);
  read(std::string(input), {});
  return 0;
}
