#include "artel/pool/detail/thread_manners.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace artel::pool::detail {
namespace {

constinit thread_local bool objects_destroyed = false;

struct NoteDestruction {
  NoteDestruction() = default;
  NoteDestruction(const NoteDestruction&) = delete;
  NoteDestruction& operator=(const NoteDestruction&) = delete;
  ~NoteDestruction() { objects_destroyed = true; }
};

}  // namespace

void ThreadManners::watch_exit() { static const thread_local NoteDestruction note; }

bool ThreadManners::exiting() { return objects_destroyed; }

void ThreadManners::name(const std::string& name, std::size_t number) {
  constexpr std::size_t kNameMax = 15;
  const std::string suffix = "-" + std::to_string(number);
  pthread_setname_np(pthread_self(), (name.substr(0, kNameMax - suffix.size()) + suffix).c_str());
}

void ThreadManners::pin(std::size_t n) {
  cpu_set_t allowed;
  if (sched_getaffinity(getpid(), sizeof allowed, &allowed) != 0) return;
  n %= static_cast<std::size_t>(std::max(1, CPU_COUNT(&allowed)));
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed) || n-- != 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
    return;
  }
}

void ThreadManners::ask_for_short_slices() {
#ifdef SYS_sched_setattr
  struct {  // as the kernel's sched_attr, first version
    std::uint32_t size = 48;
    std::uint32_t policy = 0;
    std::uint64_t flags = 0;
    std::int32_t nice = 0;
    std::uint32_t priority = 0;
    std::uint64_t runtime_ns = 0;
    std::uint64_t deadline_ns = 0;
    std::uint64_t period_ns = 0;
  } attributes;
  if (syscall(SYS_sched_getattr, 0, &attributes, attributes.size, 0) != 0) return;
  if (attributes.policy != SCHED_OTHER) return;
  attributes.runtime_ns = 100'000;
  syscall(SYS_sched_setattr, 0, &attributes, 0);
#endif
}

const char* ThreadManners::half_of_stack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return nullptr;
  void* lowest = nullptr;
  std::size_t size = 0;
  const bool known = pthread_attr_getstack(&attributes, &lowest, &size) == 0;
  pthread_attr_destroy(&attributes);
  return known ? static_cast<const char*>(lowest) + size / 2 : nullptr;
}

}  // namespace artel::pool::detail
