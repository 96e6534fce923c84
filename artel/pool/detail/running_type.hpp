#pragma once

#include <atomic>
#include <string>
#include <typeinfo>

namespace artel::pool::detail {

/// Where the thread of a worker says what it runs, for others to read; null on other threads.
inline constinit thread_local std::atomic<const std::type_info*>* running_type = nullptr;

/// What runs several tasks in one (a strand's turn, a graph) says which it runs now.
inline void note_running(const std::type_info& type) {
  if (running_type != nullptr) running_type->store(&type, std::memory_order_relaxed);
}

/// The type of the callable, as the compiler names it, out of the type of the task that wraps it.
[[nodiscard]] std::string name_of_task(const std::type_info& type);

}  // namespace artel::pool::detail
