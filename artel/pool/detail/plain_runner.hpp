#pragma once

#include <optional>
#include <utility>

#include "artel/core/instant.hpp"
#include "artel/pool/detail/job.hpp"
#include "artel/pool/detail/runner.hpp"
#include "artel/pool/detail/task_body.hpp"
#include "artel/pool/detail/task_times.hpp"
#include "artel/pool/outcomes.hpp"

namespace artel::pool::detail {

/// Runs jobs, and measures and counts nothing.
class PlainRunner final : public Runner {
 public:
  std::optional<TaskOutcome> begin(TaskTimes& /*times*/, Instant& /*started*/) override {
    return std::nullopt;
  }
  void end(TaskTimes& /*times*/, Instant /*started*/, TaskOutcome /*outcome*/) override {}
  void put_off() override {}
  bool put_back(Job& /*job*/) override { return true; }
  void discard(TaskTimes& /*times*/, TaskOutcome /*outcome*/) override {}
  void account(TaskOutcome /*outcome*/) override {}
  void unclaimed_exception() override {}
};

/// A job that calls `fn`.
template <class F>
Job job_of(F fn) {
  return Job(PlainBody<F>{std::move(fn)});
}

}  // namespace artel::pool::detail
