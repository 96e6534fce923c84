#pragma once

#include <atomic>
#include <cstdint>

#include "artel/core/instant.hpp"

namespace artel::sync {

/// Sleeps while `word` holds `expected`; returns when woken, after `timeout`, or for no reason.
///
/// Cost:   a system call; about 30 us from wake to run on another core of a virtual machine.
/// Source: futex(2), FUTEX_WAIT_PRIVATE.
void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected,
                Duration timeout = kForever);

/// Wakes up to `count` threads that sleep on `word`. Never touches the word itself, so it may be
/// gone by then: at worst a stranger wakes for no reason.
void futex_wake(const std::atomic<std::uint32_t>& word, int count);

}  // namespace artel::sync
