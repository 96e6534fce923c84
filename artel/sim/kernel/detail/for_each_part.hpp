#pragma once

#include <cstddef>
#include <tuple>
#include <vector>

#include "artel/sim/kernel/detail/process_state.hpp"
#include "artel/sim/kernel/detail/wait.hpp"

namespace artel::sim::detail {

/// Visits the parts of a combinator: `visit(index, wait)`.
template <class... Ops, class Visit>
void for_each_part(std::tuple<Ops...>& parts, const Visit& visit) {
  std::size_t i = 0;
  std::apply([&](auto&... op) { (visit(i++, op), ...); }, parts);
}
template <class Op, class Visit>
void for_each_part(std::vector<Op>& parts, const Visit& visit) {
  for (std::size_t i = 0; i < parts.size(); ++i) visit(i, parts[i]);
}
template <class... Ops, class Visit>
void for_each_part(const std::tuple<Ops...>& parts, const Visit& visit) {
  std::size_t i = 0;
  std::apply([&](const auto&... op) { (visit(i++, op), ...); }, parts);
}
template <class Op, class Visit>
void for_each_part(const std::vector<Op>& parts, const Visit& visit) {
  for (std::size_t i = 0; i < parts.size(); ++i) visit(i, parts[i]);
}

/// Whether withdrawing a wait may run destructors of the model: those of a task that it cancels.
template <class Op>
constexpr bool runs_tasks() {
  if constexpr (requires { Op::kRunsTasks; }) {
    return Op::kRunsTasks;
  } else {
    return false;
  }
}

/// Whether start() would probably be done at once, for waits that can tell.
template <class Op>
bool is_ready(const Op& op, const ProcessState& process) {
  if constexpr (requires { WaitAccess::ready(op, process); }) {
    return WaitAccess::ready(op, process);
  } else {
    return false;
  }
}

/// See Wait::abandon.
template <class Op>
void abandon_part(Op& op, std::vector<ProcessState*>& tasks) {
  if constexpr (runs_tasks<Op>()) {
    op.abandon(tasks);
  } else {
    op.withdraw();
  }
}

/// Withdraws all parts but `kept`: first those that run no code of the model, so that destructors
/// of cancelled tasks find none of the others waiting.
template <class Parts>
void withdraw_parts(Parts& parts, std::size_t kept) {
  for (const bool tasks : {false, true}) {
    for_each_part(parts, [&]<class Op>(std::size_t i, Op& op) {
      if (i != kept && runs_tasks<Op>() == tasks) op.withdraw();
    });
  }
}

}  // namespace artel::sim::detail
