// Any bytes are a trace, with damage perhaps, or one mistake; and as a job log, and as CSV.
#include <cstddef>
#include <cstdint>
#include <span>
#include <sstream>
#include <string>

#include "artel/core/error.hpp"
#include "artel/core/require.hpp"
#include "artel/trace/read_job_log.hpp"
#include "artel/trace/read_trace.hpp"
#include "artel/trace/task_csv_spec.hpp"
#include "artel/trace/task_trace.hpp"
#include "artel/trace/trace_summary.hpp"
#include "tests/trace/encode_trace.hpp"

namespace artel::trace {
namespace {

void check(const Result<TaskTrace>& trace) {
  if (!trace) {
    ARTEL_REQUIRE(!trace.error().what.empty(), "a mistake has words");
    return;
  }
  for (const auto& task : trace->tasks) ARTEL_REQUIRE(plausible(task), "times ascend");
  for (const auto& damage : trace->damage) {
    ARTEL_REQUIRE(!damage.where.empty() && !damage.what.empty(), "damage has place and words");
  }
  static_cast<void>(summarise(*trace));
  const auto again = read_trace(encode_trace(*trace), "again");
  ARTEL_REQUIRE(again && again->tasks == trace->tasks, "what was read can be written");
}

}  // namespace
}  // namespace artel::trace

// The name that libFuzzer asks for.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {  // NOLINT
  using namespace artel::trace;
  check(read_trace(std::as_bytes(std::span(bytes, size)), "fuzz"));
  const std::string text(bytes, bytes + size);
  std::istringstream log(text);
  check(read_job_log(log, "fuzz"));
  std::istringstream csv(text);
  check(read_task_csv(csv, "fuzz"));
  return 0;
}
