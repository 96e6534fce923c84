#pragma once

namespace artel::sync {

/// Tells the processor that this is a spinning loop.
inline void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

}  // namespace artel::sync
