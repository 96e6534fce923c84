#include "tests/allocation_count.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ARTEL_NEW_IS_TAKEN
#endif
#endif

namespace {
std::size_t allocations = 0;
}  // namespace

namespace artel {

std::size_t allocation_count() { return allocations; }

bool allocations_counted() {
#ifdef ARTEL_NEW_IS_TAKEN
  return false;
#else
  return true;
#endif
}

}  // namespace artel

#ifndef ARTEL_NEW_IS_TAKEN
void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }
#endif
