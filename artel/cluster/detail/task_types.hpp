#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace artel::cluster::detail {

/// What a task takes and returns, as values.
template <class Function>
struct TaskTypes;
template <class R, class... Args>
struct TaskTypes<R (*)(Args...)> {
  using Result = std::remove_cvref_t<R>;
  using ArgumentTypes = std::tuple<std::remove_cvref_t<Args>...>;
  using Wire = Result(std::remove_cvref_t<Args>...);  ///< what has to be equal on both sides
  static constexpr std::size_t kArguments = sizeof...(Args);
  static_assert(((!std::is_lvalue_reference_v<Args> ||
                  std::is_const_v<std::remove_reference_t<Args>>) &&
                 ...),
                "a task takes its arguments by value or const reference: they come from elsewhere");
  static_assert(kArguments == 1 || kArguments == 2,
                "a task takes an item, or a sum and an item; use a struct for more");
};

}  // namespace artel::cluster::detail
