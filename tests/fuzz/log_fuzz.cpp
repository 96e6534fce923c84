// Any bytes are a log, of a kind that they tell themselves or that the first line names, or one
// mistake; packed files, too.
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/logs/call_graph.hpp"
#include "artel/logs/load_log.hpp"
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
  std::uint64_t classified = 0;
  for (const auto& one : reading->classes) classified += one.tasks;
  ARTEL_REQUIRE(options.class_by.empty() || classified == tasks, "each task is of one class");
  ARTEL_REQUIRE(reading->bad == 0 || reading->first_bad.has_value(), "a bad line is shown");
  ARTEL_REQUIRE(!reading->summary().empty(), "there is a summary");
  static_cast<void>(reading->notes());
}

// As spans: who calls whom.
void read_calls(const std::string& text) {
  std::istringstream in(text);
  const auto graph = read_call_graph(in, "fuzz.json");
  if (!graph) {
    ARTEL_REQUIRE(!graph.error().what.empty(), "a mistake has words");
    return;
  }
  ARTEL_REQUIRE(!graph->arrivals.empty() && !graph->services.empty(), "there is an entry");
  for (const auto& service : graph->services) {
    ARTEL_REQUIRE(service.own.size() == service.visits, "each visit takes its time");
    for (const auto own : service.own)
      ARTEL_REQUIRE(own >= artel::Duration::zero(), "no more time is away than there is");
  }
}

// Through a file, as the command reads it; what is packed is unpacked.
void read_file(std::string_view bytes) {
  static const int file = ::memfd_create("log", 0);
  ARTEL_REQUIRE(file >= 0, "there is memory for a file");
  ARTEL_REQUIRE(::ftruncate(file, 0) == 0, "it can be emptied");
  ARTEL_REQUIRE(::pwrite(file, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()),
                "it can be filled");
  const auto loaded = load_log("/proc/self/fd/" + std::to_string(file), {}, {.tasks = 100'000});
  ARTEL_REQUIRE(loaded || !loaded.error().what.empty(), "a mistake has words");
  if (!loaded) return;
  for (const auto& task : loaded->trace.tasks) ARTEL_REQUIRE(plausible(task), "times ascend");
  for (const auto& damage : loaded->trace.damage)
    ARTEL_REQUIRE(!damage.what.empty(), "what is damaged is said");
}

}  // namespace
}  // namespace artel::logs

// The name that libFuzzer asks for.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {  // NOLINT
  using namespace artel::logs;
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);  // NOLINT(*-cast)
  if (input.starts_with("\x1F\x8B") || input.starts_with("\x28\xB5\x2F\xFD")) {
    read_file(input);
    return 0;
  }
  if (input.find("resourceSpans") != std::string_view::npos) read_calls(std::string(input));
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
  options.class_by = options.log_format.empty() ? "name" : "path";
  read(rest, options);
  read(std::string(input), {});
  return 0;
}
