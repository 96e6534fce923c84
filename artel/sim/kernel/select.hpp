#pragma once

#include <concepts>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/sim/kernel/any_of.hpp"
#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/race.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/sleep.hpp"
#include "artel/sim/kernel/tie.hpp"

namespace artel::sim {

/// A wait of which it can be told beforehand whether it is ready: sends and receives of channels,
/// ends of processes, locks, flags; not events and sleeps, which are never ready at once.
template <class Op>
concept Selectable =
    detail::Awaitable<Op> && requires(const Op& op, const detail::ProcessState& process) {
      { detail::WaitAccess::ready(op, process) } -> std::same_as<bool>;
    };

/// `co_await select(requests.receive(), replies.send(r), stop.receive())`: exactly one of them
/// happens; the result is that of any_of. Of several that are ready each is as likely, so that a
/// busy channel cannot starve the others: drawn from the seed, with a stream of the component's own
/// that it shares with nothing else. If none is ready, the first that becomes so.
///
/// A send and a receive of one unbuffered channel do not meet within one process.
/// For events, sleeps and tasks as well, use any_of.
template <Selectable... Ops>
  requires(sizeof...(Ops) > 0)
[[nodiscard]] AnyOf<Ops...> select(Ops... ops) {
  return AnyOf<Ops...>(Tie::drawn, std::move(ops)...);
}
/// Requires: not empty.
template <Selectable Op>
[[nodiscard]] AnyOfMany<Op> select(std::vector<Op> ops) {
  return AnyOfMany<Op>(Tie::drawn, std::move(ops));
}

/// For readable errors: whatever the others do not take.
template <class... Ops>
  requires(!(Selectable<Ops> && ...))
SleepWait select(const Ops&...) {
  static_assert((Selectable<Ops> && ...),
                "select takes sends, receives, joins, locks, flags: waits of which it can be told "
                "whether they are ready; for events, sleeps and tasks as well, any_of");
  return SleepWait(Duration::zero());
}

}  // namespace artel::sim
