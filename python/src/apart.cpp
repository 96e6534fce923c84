#include "python/src/apart.hpp"

#include <pybind11/pybind11.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace artel::python {
namespace {

namespace py = pybind11;

constexpr std::chrono::milliseconds kLookEvery{50};  // at signals and progress

struct State {
  std::mutex lock;
  std::condition_variable changed;
  std::optional<std::pair<std::size_t, std::size_t>> progress{};  // not yet told
  bool done = false;
  std::exception_ptr failure{};
};

// Whoever takes the interpreter's lock once that has come to its end is ended then and there, in
// the midst of C++: daemon threads. They wait for the end of the process instead.
void wait_at_the_end(std::stop_source& stop) {
#if PY_VERSION_HEX >= 0x030d0000
  const auto is_ending = [] { return Py_IsFinalizing() != 0; };
#else
  const auto is_ending = [] { return _Py_IsFinalizing() != 0; };
#endif
  if (!is_ending()) return;
  stop.request_stop();
  while (true) std::this_thread::sleep_for(kLookEvery);
}

// Signals, then progress. Throws what these throw.
void look(State& state, const py::object& progress) {
  const py::gil_scoped_acquire interpreter;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  std::optional<std::pair<std::size_t, std::size_t>> news;
  {
    const std::lock_guard guard(state.lock);
    news = std::exchange(state.progress, std::nullopt);
  }
  if (news && !progress.is_none()) progress(news->first, news->second);
}

// Until the work is done; returns what a look has thrown.
std::exception_ptr watch(State& state, const py::object& progress, std::stop_source& stop) {
  std::exception_ptr thrown;
  std::unique_lock guard(state.lock);
  while (!state.changed.wait_for(guard, kLookEvery, [&] { return state.done; })) {
    if (thrown) continue;
    guard.unlock();
    wait_at_the_end(stop);
    try {
      look(state, progress);
    } catch (...) {
      thrown = std::current_exception();
      stop.request_stop();
    }
    guard.lock();
  }
  guard.unlock();
  wait_at_the_end(stop);
  return thrown;
}

}  // namespace

void run_apart(const py::object& progress,
               const std::function<void(const std::stop_token&, const Report&)>& work) {
  State state;
  std::stop_source stop;
  std::exception_ptr thrown;
  {
    const py::gil_scoped_release others_may_run;
    const std::jthread thread([&] {
      const Report report = [&state](std::size_t done, std::size_t total) {
        const std::lock_guard guard(state.lock);
        state.progress = {done, total};
      };
      try {
        work(stop.get_token(), report);
      } catch (...) {
        state.failure = std::current_exception();
      }
      const std::lock_guard guard(state.lock);
      state.done = true;
      state.changed.notify_all();
    });
    thrown = watch(state, progress, stop);
  }
  if (thrown) std::rethrow_exception(thrown);
  if (state.failure) std::rethrow_exception(state.failure);
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (state.progress && !progress.is_none())
    progress(state.progress->first, state.progress->second);
}

}  // namespace artel::python
