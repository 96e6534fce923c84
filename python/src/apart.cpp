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

// Both with the interpreter's lock.
bool python_ends = false;
int runs = 0;  // under way

struct State {
  std::mutex lock;
  std::condition_variable changed;
  std::optional<std::pair<std::size_t, std::size_t>> progress{};  // not yet told
  bool done = false;
  std::exception_ptr failure{};
};

// The end of Python, signals, then progress. Throws what these throw.
void look(State& state, const py::object& progress) {
  const py::gil_scoped_acquire interpreter;
  if (!goes_on() || PyErr_CheckSignals() != 0) throw py::error_already_set();
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
    try {
      look(state, progress);
    } catch (...) {
      thrown = std::current_exception();
      stop.request_stop();
    }
    guard.lock();
  }
  return thrown;
}

// Has all runs stop, and waits for them as long as that may take.
void end_runs() {
  constexpr std::chrono::seconds kPatience{10};
  python_ends = true;
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (runs > 0 && std::chrono::steady_clock::now() < until) {
    const py::gil_scoped_release others_may_run;
    std::this_thread::sleep_for(kLookEvery / 5);
  }
}

}  // namespace

Run::Run() { ++runs; }
Run::~Run() { --runs; }

bool goes_on() {
  if (!python_ends) return true;
  PyErr_SetNone(PyExc_SystemExit);
  return false;
}

void stop_runs_at_exit() {
  py::module_::import("atexit").attr("register")(py::cpp_function(&end_runs));
  py::module_::import("os").attr("register_at_fork")(py::arg("after_in_child") =
                                                         py::cpp_function([] { runs = 0; }));
}

void run_apart(const py::object& progress,
               const std::function<void(const std::stop_token&, const Report&)>& work) {
  const Run running;
  if (!goes_on()) throw py::error_already_set();
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
