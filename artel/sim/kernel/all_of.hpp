#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "artel/sim/kernel/detail/for_each_part.hpp"
#include "artel/sim/kernel/detail/gathering.hpp"
#include "artel/sim/kernel/detail/task_wait.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/regular.hpp"

namespace artel::sim {

/// Waits for all of several: gives a tuple of their results (std::monostate for none). When one
/// fails, its exception arrives at once: the others are withdrawn, tasks among them cancelled.
template <detail::Awaitable... Ops>
class AllOf final : public detail::Gathering<std::tuple<Ops...>> {
 public:
  using Result = std::tuple<Regular<typename Ops::Result>...>;
  /// Whether tasks are among what it waits for.
  static constexpr bool kRunsTasks = (detail::runs_tasks<Ops>() || ...);

  explicit AllOf(Ops... ops)
      : detail::Gathering<std::tuple<Ops...>>(std::tuple<Ops...>(std::move(ops)...)) {}
  AllOf(AllOf&&) = default;

  Result take() {
    this->rethrow_failure();
    return std::apply([](auto&... op) { return Result{detail::take_regular(op)...}; },
                      this->parts());
  }
  void describe(std::string& text) const override {
    const char* separator = "all of ";
    detail::for_each_part(this->parts(), [&](std::size_t, const auto& op) {
      text += std::exchange(separator, " and ");
      op.describe(text);
    });
  }
};

/// The same for any number of waits of one type: gives a vector.
template <detail::Awaitable Op>
class AllOfMany final : public detail::Gathering<std::vector<Op>> {
 public:
  using Result = std::vector<Regular<typename Op::Result>>;
  /// Whether it waits for tasks.
  static constexpr bool kRunsTasks = detail::runs_tasks<Op>();

  explicit AllOfMany(std::vector<Op> ops) : detail::Gathering<std::vector<Op>>(std::move(ops)) {}
  AllOfMany(AllOfMany&&) = default;

  Result take() {
    this->rethrow_failure();
    Result results;
    results.reserve(this->parts().size());
    for (Op& op : this->parts()) results.push_back(detail::take_regular(op));
    return results;
  }
  void describe(std::string& text) const override {
    text += std::to_string(this->missing()) + " more of " + std::to_string(this->parts().size()) +
            " like: ";
    this->parts().front().describe(text);
  }
};

/// `auto [a, b] = co_await all_of(download(context, x), download(context, y))`. Takes waits, tasks
/// and processes.
template <class... Parts>
[[nodiscard]] auto all_of(Parts... parts) {
  return AllOf<decltype(detail::as_wait(std::move(parts)))...>(
      detail::as_wait(std::move(parts))...);
}
template <class Part>
// NOLINTNEXTLINE(performance-unnecessary-value-param): to be moved from
[[nodiscard]] auto all_of(std::vector<Part> parts) {
  return AllOfMany(detail::as_waits(std::move(parts)));
}

}  // namespace artel::sim
