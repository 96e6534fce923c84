#include "artel/command/detail/job_slots.hpp"

#include <cstddef>
#include <optional>
#include <vector>

#include "artel/command/job_hosts.hpp"
#include "artel/command/job_loop_options.hpp"

namespace artel::command::detail {

bool JobSlots::all_taken() const {
  const std::size_t most = options_.slots_now ? options_.slots_now() : options_.slots;
  return options_.hosts == nullptr && count_ - free_.size() >= most;
}

std::optional<std::size_t> JobSlots::vacant() {
  if (options_.hosts != nullptr) {
    const auto lost = [this](std::size_t slot) { return options_.hosts->is_lost(slot); };
    std::erase_if(free_, lost);
    while (count_ < options_.slots && lost(count_)) ++count_;
    if (free_.empty() && count_ == options_.slots) return std::nullopt;
  }
  return free_.empty() ? count_ : free_.back();
}

void JobSlots::claim(std::size_t slot) {
  if (slot == count_) {
    ++count_;
  } else {
    free_.pop_back();
  }
}

}  // namespace artel::command::detail
