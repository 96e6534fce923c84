#include "artel/dispatch/membership.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "artel/core/error.hpp"
#include "artel/core/how_many.hpp"
#include "artel/core/id.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"

namespace artel::dispatch {
namespace {

std::string sizes(SizeLimits limits) {
  if (limits.max == kUnbounded) return fmt::format("{} or more", limits.min);
  return fmt::format("{} to {}", limits.min, limits.max);
}

}  // namespace

Membership::Membership(SizeLimits limits) : limits_(limits) {
  ARTEL_REQUIRE(limits.min <= limits.max && limits.max > 0, "no size is possible", limits.min,
                limits.max);
}

Result<WorkerId> Membership::join() {
  if (const auto allowed = check_grow(1); !allowed) return fail(allowed);
  auto id = free_.next(WorkerId{0});
  if (!id) {
    id = worker(ids_++);
    for (detail::WorkerSet* set : {&free_, &working_, &leaving_}) set->resize(ids_);
  }
  free_.erase(*id);
  working_.insert(*id);
  return *id;
}

Result<void> Membership::leave(WorkerId id) {
  if (leaving(id)) {
    return fail(ErrorCode::invalid, fmt::format("worker {} is leaving already", index(id)));
  }
  if (!working(id)) return fail(ErrorCode::not_found, fmt::format("no worker {}", index(id)));
  if (size() <= limits_.min) {
    return fail(ErrorCode::invalid,
                fmt::format("worker {} cannot leave: of {}, sizes possible are {}", index(id),
                            how_many(size(), "worker"), sizes(limits_)));
  }
  working_.erase(id);
  leaving_.insert(id);
  return {};
}

void Membership::expel(WorkerId id) {
  ARTEL_REQUIRE(working(id) || leaving(id), "no such worker", index(id));
  working_.erase(id);
  leaving_.insert(id);
}

Result<void> Membership::check_grow(std::size_t workers) const {
  if (workers <= limits_.max - std::min<std::size_t>(size(), limits_.max)) return {};
  return fail(ErrorCode::invalid, fmt::format("cannot grow by {}: from {}, sizes possible are {}",
                                              workers, how_many(size(), "worker"), sizes(limits_)));
}

Result<void> Membership::check_shrink(std::size_t workers) const {
  if (leaving_count() > 0) {
    return fail(ErrorCode::invalid,
                fmt::format("already shrinking by {}; {} stay, sizes possible "
                            "after that are {}",
                            how_many(leaving_count(), "worker"), size(), sizes(limits_)));
  }
  if (workers + limits_.min <= size()) return {};
  return fail(ErrorCode::invalid, fmt::format("cannot shrink by {}: from {}, sizes possible are {}",
                                              workers, how_many(size(), "worker"), sizes(limits_)));
}

void Membership::gone(WorkerId id) {
  ARTEL_REQUIRE(working(id) || leaving(id), "no such worker", index(id));
  working_.erase(id);
  leaving_.erase(id);
  free_.insert(id);
}

}  // namespace artel::dispatch
