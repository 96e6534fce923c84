#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

namespace artel::experiment {

/// Calls body(i) once for every 0 <= i < count, on `threads` threads, the caller's among them.
/// Returns early, with some left out, when stopped. `body` must not throw.
void for_each_index(std::size_t count, unsigned threads, const std::stop_token& stop,
                    const std::function<void(std::size_t)>& body);

}  // namespace artel::experiment
