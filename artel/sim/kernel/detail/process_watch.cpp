#include "artel/sim/kernel/detail/process_watch.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/detail/core.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/log_sink.hpp"
#include "artel/sim/kernel/process.hpp"
#include "artel/sim/kernel/process_status.hpp"
#include "artel/sim/kernel/simulation_trace.hpp"

namespace artel::sim::detail {
namespace {

std::string what_of(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an exception of no standard type";
  }
}

}  // namespace

std::uint32_t ProcessWatch::number_of(const ProcessState& process) {
  const auto [place, is_new] = numbers_.try_emplace(&process, last_number_ + 1);
  if (is_new) ++last_number_;
  return place->second;
}

void ProcessWatch::log(const ProcessState& process, std::string_view text) {
  const Context& owner = process.owner();
  if (owner.log_level() < LogLevel::process) return;
  const std::string name =
      fmt::format("process {} ({})", number_of(process), place_of(process.spawned_at));
  core_->write_log(LogLevel::process, owner.id(), text, name);
}

void ProcessWatch::spawned(const ProcessState& process) {
  const std::uint32_t number = number_of(process);
  if (core_->trace != nullptr) {
    core_->trace->spawned(number, process.owner().id(), place_of(process.spawned_at));
  }
  log(process, "spawned");
}

void ProcessWatch::resumes(const ProcessState& process) {
  if (core_->trace != nullptr) core_->trace->resumed(number_of(process));
  log(process, process.wait() == nullptr ? "starts" : "resumes");
}

void ProcessWatch::ran(const ProcessState& process) {
  if (core_->trace != nullptr) core_->trace->ran(number_of(process));
  if (process.wait() == nullptr) return;
  std::string what;
  process.wait()->describe(what);
  const std::string line = place_of(process.place);
  if (core_->trace != nullptr) core_->trace->waits(number_of(process), what, line);
  log(process, fmt::format("waits for {}, {}", what, line));
}

void ProcessWatch::ended(const ProcessState& process) {
  std::string_view how = "finished";
  std::string what;
  if (process.status == ProcessStatus::cancelled) how = "cancelled";
  if (process.status == ProcessStatus::failed) {
    how = "failed";
    what = what_of(core_->exceptions.first_of(process));
  }
  if (core_->trace != nullptr) {
    core_->trace->ended(number_of(process),
                        process.status == ProcessStatus::done ? std::string_view{} : how, what);
  }
  log(process, what.empty() ? std::string(how) : fmt::format("{}: {}", how, what));
  numbers_.erase(&process);
}

}  // namespace artel::sim::detail
