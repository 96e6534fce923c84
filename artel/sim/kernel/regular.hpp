#pragma once

#include <type_traits>
#include <variant>

namespace artel::sim {

/// A result as a value: std::monostate for void.
template <class R>
using Regular = std::conditional_t<std::is_void_v<R>, std::monostate, R>;

}  // namespace artel::sim
