#pragma once

#include <cstdint>
#include <string>

#include "artel/trace/task_trace.hpp"
#include "bench/backtest/load.hpp"

namespace artel::bench {

/// The load served by so many workers, each taking the first task that waits: arithmetic, and none
/// of the simulator's code.
[[nodiscard]] trace::TaskTrace serve_in_order(const Load& load, std::uint32_t workers);

/// The load served by a pool of ours, whose tasks sleep; its recording.
[[nodiscard]] trace::TaskTrace record_pool(const Load& load, std::uint32_t workers);

/// A real program, started by tests/programs/record_NAME.py.
struct RealProgram {
  std::string name;        ///< "nginx", "celery"
  std::string log_format;  ///< of its log, given to the program, too; empty: its own
  [[nodiscard]] bool installed() const;
  /// The load served by the program with so many workers; its log, as artel reads it. Ends this
  /// program if that one fails.
  [[nodiscard]] trace::TaskTrace record(const Load& load, std::uint32_t workers) const;
};

}  // namespace artel::bench
