#include "artel/command/detail/event_set.hpp"

#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"

namespace artel::command::detail {
namespace {

epoll_event event_of(std::uint32_t events, std::uint64_t key) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = key;  // NOLINT(*-union-access): the system's type
  return event;
}

}  // namespace

EventSet::EventSet() : file_(::epoll_create1(EPOLL_CLOEXEC)) {
  if (file_.get() < 0) failure_ = {errno, std::generic_category()};
}

void EventSet::add(int file, std::uint64_t key) const {
  auto event = event_of(EPOLLIN, key);
  const int added = ::epoll_ctl(file_.get(), EPOLL_CTL_ADD, file, &event);
  ARTEL_REQUIRE(added == 0 || failure_, "the file can be waited for", file, std::strerror(errno));
}

void EventSet::remove(int file) const { ::epoll_ctl(file_.get(), EPOLL_CTL_DEL, file, nullptr); }

bool EventSet::add_once(int file, std::uint64_t key, Until until) const {
  auto event = event_of((until == Until::readable ? EPOLLIN : EPOLLOUT) | EPOLLONESHOT, key);
  if (::epoll_ctl(file_.get(), EPOLL_CTL_MOD, file, &event) == 0) return true;
  return errno == ENOENT && ::epoll_ctl(file_.get(), EPOLL_CTL_ADD, file, &event) == 0;
}

const std::vector<std::uint64_t>& EventSet::wait(Duration most) {
  constexpr int kBatch = 64;
  std::array<epoll_event, kBatch> events;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  // Rounded up: a deadline must be over when its wait is.
  const auto ms = std::chrono::ceil<std::chrono::milliseconds>(most).count();
  const int timeout = most == kForever ? -1 : static_cast<int>(std::clamp<long>(ms, 0, 1'000'000));
  const int count = ::epoll_wait(file_.get(), events.data(), kBatch, timeout);
  ready_.clear();
  for (int i = 0; i < count; ++i) {
    const std::uint64_t key = events[static_cast<std::size_t>(i)].data.u64;  // packed: by value
    ready_.push_back(key);
  }
  return ready_;
}

}  // namespace artel::command::detail
