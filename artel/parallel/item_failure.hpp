#pragma once

#include <cstdint>
#include <exception>

namespace artel::parallel {

/// An item whose function threw.
struct ItemFailure {
  std::uint64_t index = 0;         ///< of the item in the source, from 0
  unsigned attempts = 1;           ///< made so far
  std::exception_ptr exception{};  ///< that the last attempt threw
};

}  // namespace artel::parallel
