#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define ARTEL_POISON 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARTEL_POISON 1
#endif
#endif
#ifdef ARTEL_POISON
#include <sanitizer/asan_interface.h>
#endif

namespace artel {

/// Memory that is kept for later and that nobody may touch until then: AddressSanitizer reports who
/// does, as for freed memory. Does nothing without it. Threads: any, each with memory of its own.
inline void poison([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef ARTEL_POISON
  __asan_poison_memory_region(memory, bytes);
#endif
}
/// It is in use again.
inline void unpoison([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef ARTEL_POISON
  __asan_unpoison_memory_region(memory, bytes);
#endif
}

}  // namespace artel
