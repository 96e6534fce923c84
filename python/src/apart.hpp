#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <functional>
#include <stop_token>

namespace artel::python {

/// Called by work to say how far it is, from any thread.
using Report = std::function<void(std::size_t done, std::size_t total)>;

/// Runs `work` on a thread of its own and without the interpreter's lock. Meanwhile the calling
/// thread calls `progress(done, total)`, if it is not None, and asks the work to stop when that
/// throws or Ctrl-C came; the exception then goes on to the caller.
void run_apart(const pybind11::object& progress,
               const std::function<void(const std::stop_token&, const Report&)>& work);

/// While it lives, something runs that looks at goes_on() now and then, and Python waits for it at
/// its end: a daemon thread that took the interpreter's lock later would be ended in the midst of
/// C++. Threads: with the interpreter's lock; so are the following.
class Run {
 public:
  Run();
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
};
/// False: Python ends, and SystemExit is set, which a thread ends by without a word.
[[nodiscard]] bool goes_on();
/// To be called once.
void stop_runs_at_exit();

}  // namespace artel::python
