#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace artel {

/// What kind of expected failure happened, for programs to tell apart; people read Error::what.
enum class ErrorCode : std::uint8_t {
  invalid,      ///< a value that is not allowed
  parse,        ///< text that is not in the expected format
  not_found,    ///< a file, key or name that does not exist
  io,           ///< reading or writing failed
  too_large,    ///< input beyond a named limit
  full,         ///< no room now
  closed,       ///< the other side has stopped
  timeout,      ///< not done by the time asked
  cancelled,    ///< somebody asked to stop
  expired,      ///< a task's deadline came before its turn
  unsupported,  ///< known, but not possible here
};

/// "invalid", "not_found", …: the name of the enumerator.
[[nodiscard]] std::string_view name(ErrorCode code);

/// An expected failure: what went wrong, and where in the user's input ("file:line:column", may be
/// empty).
struct [[nodiscard]] Error {
  ErrorCode code{};
  std::string what;
  std::string where;
};

/// "where: what", or just "what" when there is no place to point at.
[[nodiscard]] std::string to_string(const Error& error);

/// A value, or why there is none.
template <class T>
using Result = tl::expected<T, Error>;

/// `return fail(ErrorCode::invalid, "…", where);` in any function that returns a Result.
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string what,
                                                std::string where = {}) {
  return tl::unexpected<Error>(Error{code, std::move(what), std::move(where)});
}

/// Passes the failure of another Result on: `if (!r) return fail(r);`
template <class T>
[[nodiscard]] tl::unexpected<Error> fail(const Result<T>& failed) {
  return tl::unexpected<Error>(failed.error());
}

}  // namespace artel
