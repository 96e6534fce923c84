#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "artel/core/require.hpp"
#include "artel/sim/kernel/detail/for_each_part.hpp"
#include "artel/sim/kernel/detail/race.hpp"
#include "artel/sim/kernel/detail/task_wait.hpp"
#include "artel/sim/kernel/detail/wait.hpp"
#include "artel/sim/kernel/regular.hpp"
#include "artel/sim/kernel/tie.hpp"

namespace artel::sim {

/// Waits for the first of several: gives a variant whose index says which. The others are
/// withdrawn; tasks among them are cancelled, before the process runs on. What is ready at once
/// counts; of several such, see Tie. If one is ready, the others are not even started.
template <detail::Awaitable... Ops>
class AnyOf final : public detail::Race<std::tuple<Ops...>> {
 public:
  using Result = std::variant<Regular<typename Ops::Result>...>;
  /// Whether tasks are among what it waits for.
  static constexpr bool kRunsTasks = (detail::runs_tasks<Ops>() || ...);

  explicit AnyOf(Tie tie, Ops... ops)
      : detail::Race<std::tuple<Ops...>>(std::tuple<Ops...>(std::move(ops)...), tie) {}
  AnyOf(AnyOf&&) = default;

  Result take() { return take_at<0>(); }
  void describe(std::string& text) const override {
    const char* separator = this->verb();
    detail::for_each_part(this->parts(), [&](std::size_t, const auto& op) {
      text += std::exchange(separator, " or ");
      op.describe(text);
    });
  }

 private:
  template <std::size_t kIndex>
  Result take_at() {
    if constexpr (kIndex + 1 < sizeof...(Ops)) {
      if (this->winner() != kIndex) return take_at<kIndex + 1>();
    }
    return Result(std::in_place_index<kIndex>,
                  detail::take_regular(std::get<kIndex>(this->parts())));
  }
};

/// The same for any number of waits of one type: gives index and result. Requires: not empty.
template <detail::Awaitable Op>
class AnyOfMany final : public detail::Race<std::vector<Op>> {
 public:
  /// Which was first, and what it gave.
  struct Result {
    std::size_t index;                   ///< in the order given
    Regular<typename Op::Result> value;  ///< what its co_await would have given
  };
  /// Whether it waits for tasks.
  static constexpr bool kRunsTasks = detail::runs_tasks<Op>();

  explicit AnyOfMany(Tie tie, std::vector<Op> ops)
      : detail::Race<std::vector<Op>>(std::move(ops), tie) {
    ARTEL_REQUIRE(!this->parts().empty(), "there must be something to wait for");
  }
  AnyOfMany(AnyOfMany&&) = default;

  Result take() { return {this->winner(), detail::take_regular(this->parts()[this->winner()])}; }
  void describe(std::string& text) const override {
    text += this->verb() + std::to_string(this->parts().size()) + " like: ";
    this->parts().front().describe(text);
  }
};

/// `co_await any_of(context.next<Ack>(), context.sleep(1s), channel.receive())`. Takes waits, tasks
/// and processes.
template <class... Parts>
[[nodiscard]] auto any_of(Parts... parts) {
  return AnyOf<decltype(detail::as_wait(std::move(parts)))...>(
      Tie::first, detail::as_wait(std::move(parts))...);
}
template <class Part>
// NOLINTNEXTLINE(performance-unnecessary-value-param): to be moved from
[[nodiscard]] auto any_of(std::vector<Part> parts) {
  return AnyOfMany(Tie::first, detail::as_waits(std::move(parts)));
}

}  // namespace artel::sim
