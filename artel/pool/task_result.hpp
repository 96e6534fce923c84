#pragma once

#include <concepts>
#include <stop_token>
#include <type_traits>

namespace artel::pool {

/// What a task `F` returns: a callable without arguments, or with a std::stop_token.
template <class F>
using TaskResult =
    typename std::conditional_t<std::invocable<std::decay_t<F>>,
                                std::invoke_result<std::decay_t<F>>,
                                std::invoke_result<std::decay_t<F>, std::stop_token>>::type;

}  // namespace artel::pool
