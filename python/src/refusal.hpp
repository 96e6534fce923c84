#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "artel/config/problems.hpp"
#include "artel/core/error.hpp"

namespace artel::python {

/// Expected failures on their way to Python, where they are an artel.Error.
struct Refusal {
  config::Errors errors;
};

/// The value, or a Refusal.
template <class T>
T demand(tl::expected<T, Error> result) {
  if (!result) throw Refusal{{std::move(result.error())}};
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}
template <class T>
T demand(tl::expected<T, config::Errors> result) {
  if (!result) throw Refusal{std::move(result.error())};
  return *std::move(result);
}

/// Has Python raise artel.Error for a Refusal.
void translate_refusals();

}  // namespace artel::python
