#include "artel/fleet/detail/fleet_size.hpp"

#include <cstdint>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/fleet/detail/fleet_event_handler.hpp"

namespace artel::fleet::detail {

void FleetSize::on(const fleet_event::Look&) {
  if (host_.over()) return;
  if (by_the_clock_) return look_at_the_clock();
  events_.emit_self(fleet_event::Look{}, scaler_->period());
  const fleet_event::Resize decision{scaler_->sample(events_.now())};
  if (scaler_->metric_delay() > Duration::zero()) {
    events_.emit_self(decision, scaler_->metric_delay());
  } else {
    on(decision);
  }
}

// At each entry of the timetable, and at nothing else.
void FleetSize::look_at_the_clock() {
  on(fleet_event::Resize{});
  if (const auto lasts = scaler_->holds_for(events_.now()); lasts < kForever)
    events_.emit_self(fleet_event::Look{}, lasts);
}

void FleetSize::on(const fleet_event::Resize& event) {
  auto sample = event.seen;
  sample.at = events_.now();
  sample.workers = size();
  sample.ready = host_.members();
  resize(scaler_->size_for(sample, host_.waits_alone()));
}

void FleetSize::resize(std::uint32_t wanted) {
  while (size() > wanted) {
    if (newcomers_.empty()) {
      host_.send_away();
    } else {
      events_.cancel(newcomers_.back().join);
      newcomers_.pop_back();
      meter_.resized(events_.now(), -1);
    }
  }
  while (size() < wanted) {
    meter_.resized(events_.now(), +1);
    const auto start_up = scaler_->start_up();
    if (start_up == Duration::zero()) {
      host_.join();
      continue;
    }
    const auto order = ++newcomers_ever_;
    newcomers_.push_back({order, events_.emit_self(fleet_event::WorkerReady{order}, start_up)});
  }
}

void FleetSize::on(const fleet_event::WorkerReady& event) {
  std::erase_if(newcomers_, [&](const Newcomer& one) { return one.order == event.order; });
  host_.join();
}

}  // namespace artel::fleet::detail
