#pragma once

#include <rapidcheck.h>  // IWYU pragma: keep

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/worker_capacity.hpp"
#include "tests/conformance/happening.hpp"

namespace artel::conformance {

/// How a worker leaves.
enum class Leaving : std::uint8_t {
  drain,     ///< it finishes what it has
  reassign,  ///< it finishes the running task; what waits goes to the others
};

/// What a script can do to a host. Each call returns when the host has settled, and says `settled`.
template <class H>
concept Host = requires(H& host, TaskId task, WorkerId worker, Duration time, Leaving leaving,
                        const dispatch::WorkerCapacity& options) {
  host.join(options);           // may fail: too many
  host.leave(worker, leaving);  // of members(); may fail: too few
  host.remove(worker);          // of members()
  host.arrive(task, time);      // with a size hint
  host.finish(worker);          // of busy(): its running task ends
  host.pass(time);              // time goes by; beacons and distributions are due
  { host.members() } -> std::same_as<std::vector<WorkerId>>;  // that do not leave
  { host.busy() } -> std::same_as<std::vector<WorkerId>>;     // that run a task
};

struct Command {
  enum class Kind : std::uint8_t { arrive, finish, pass, join, leave, remove };
  Kind kind{};
  std::uint32_t pick = 0;   ///< which worker, modulo how many there are; capacity of one that joins
  std::uint32_t extra = 0;  ///< size hint, time, weight, or way to leave
};

std::ostream& operator<<(std::ostream& out, const Command& command);

/// Random commands, most of them arrivals and finishes.
[[nodiscard]] rc::Gen<std::vector<Command>> any_script();

/// Plays the script; where there is nobody for a command, it is skipped. Then lets all tasks finish
/// that some worker has or can get.
template <Host H>
void play(const std::vector<Command>& script, H& host) {
  std::uint64_t next_task = 0;
  const auto picked = [](const std::vector<WorkerId>& from, std::uint32_t pick) {
    return from[pick % from.size()];
  };
  for (const Command& command : script) {
    switch (command.kind) {
      case Command::Kind::arrive:
        host.arrive(TaskId{next_task++}, Duration{command.extra % 50});
        break;
      case Command::Kind::finish:
        if (const auto busy = host.busy(); !busy.empty()) host.finish(picked(busy, command.pick));
        break;
      case Command::Kind::pass:
        host.pass(Duration{command.extra % 40});
        break;
      case Command::Kind::join:
        host.join({.capacity = 1 + command.pick % 4,
                   .weight = static_cast<float>(1 + command.extra % 3)});
        break;
      case Command::Kind::leave:
        if (const auto members = host.members(); !members.empty()) {
          host.leave(picked(members, command.pick),
                     command.extra % 2 == 0 ? Leaving::drain : Leaving::reassign);
        }
        break;
      case Command::Kind::remove:
        if (const auto from = command.extra % 2 == 0 ? host.members() : host.busy();
            !from.empty()) {
          host.remove(picked(from, command.pick));
        }
        break;
    }
  }
  for (auto busy = host.busy(); !busy.empty(); busy = host.busy()) host.finish(busy.front());
}

}  // namespace artel::conformance
