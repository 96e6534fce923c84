#include "artel/pool/detail/early_end.hpp"

#include <memory>
#include <new>
#include <stop_token>

#include "artel/core/instant.hpp"
#include "artel/pool/detail/future_node.hpp"
#include "artel/pool/detail/timers.hpp"
#include "artel/pool/outcomes.hpp"

namespace artel::pool::detail {

void EarlyEnd::arm(FutureNode& node, const std::shared_ptr<Timers>& timers, Instant deadline,
                   const std::stop_token& stop) {
  auto* const early_end = new (std::nothrow) EarlyEnd(node, timers);
  if (early_end == nullptr) return;
  if (deadline != kNever) {
    early_end->uses_.fetch_add(1);  // before the Timers may let go of it
    if (!timers->add(*early_end, deadline)) early_end->drop_use();
  }
  if (stop.stop_possible()) early_end->on_stop_.emplace(stop, OnStop{early_end});
  node.keep_early_end(*early_end);  // E2
}

void EarlyEnd::disarm() {
  on_stop_.reset();  // waits for a call on another thread, which finds the task taken
  if (timers_->cancel(*this)) drop_use();
  drop_use();
}

Instant EarlyEnd::on_time(Instant /*now*/) {
  node_->end_early(TaskOutcome::expired);
  return kNever;
}

void EarlyEnd::let_go(bool /*stopped*/) { drop_use(); }

void EarlyEnd::drop_use() {
  if (uses_.fetch_sub(1) == 1) delete this;
}

}  // namespace artel::pool::detail
