// How resources serve who waits; resource_type.cpp is how Python sees them.
#include "python/sim/resource.hpp"

#include <Python.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <vector>

#include "python/sim/objects.hpp"
#include "python/sim/world.hpp"

namespace artel::python {
namespace {

PyObject* priority_of(const Request& request) {
  static PyObject* const usual = PyLong_FromLong(0);
  return request.priority == nullptr ? usual : request.priority;
}

bool is_before_in_time(const Request& a, const Request& b) {
  return a.time != b.time ? a.time < b.time : a.preempt && !b.preempt;
}

// Who comes first: the priority, then who asked first, then who may take another's place. -1: the
// priorities cannot be compared, an exception is set.
int is_before(Request& a, Request& b) {
  if (!a.is_ranked || !b.is_ranked) {
    Py_INCREF(&a);  // what is called may let them go
    Py_INCREF(&b);
    const int same = PyObject_RichCompareBool(priority_of(a), priority_of(b), Py_EQ);
    const int before =
        same == 0 ? PyObject_RichCompareBool(priority_of(a), priority_of(b), Py_LT) : 0;
    const bool decided = same <= 0;
    const int found = same < 0 ? -1 : before;
    const bool first_of_equals = is_before_in_time(a, b);
    Py_DECREF(&a);
    Py_DECREF(&b);
    return decided ? found : first_of_equals ? 1 : 0;
  }
  if (a.rank != b.rank) {
    return a.rank < b.rank ? 1 : 0;
  }
  return is_before_in_time(a, b) ? 1 : 0;
}

// Takes the place of the least important user, if that is less important. False: an exception is
// set.
bool preempt(Resource& resource, Request& request) {
  auto& users = *resource.users;
  std::size_t last = 0;
  for (std::size_t i = 1; i < users.size(); ++i) {
    const int before = is_before(*users[i], *users[last]);
    if (before < 0) return false;
    if (before == 0) last = i;
  }
  if (last >= users.size()) return true;
  Request* user = users[last];
  const int before = is_before(request, *user);
  if (before <= 0) return before == 0;
  const auto at = std::find(users.begin(), users.end(), user);
  if (at == users.end()) return true;
  users.erase(at);
  PyObject* cause = PyObject_CallFunctionObjArgs(hooks.preempted, request.process,
                                                 user->usage_since, &resource, nullptr);
  static PyObject* const name = PyUnicode_InternFromString("interrupt");
  PyObject* done =
      cause == nullptr ? nullptr : PyObject_CallMethodOneArg(user->process, name, cause);
  Py_XDECREF(cause);
  Py_XDECREF(done);
  Py_DECREF(user);
  return done != nullptr;
}

void grant(Resource& resource, Request& request) {
  World* world = world_of(resource.env);
  if (world == nullptr) return;
  Py_XSETREF(request.usage_since, world->now_object());
  resource.users->push_back(&request);  // with the queue's reference
  trigger(request, Py_None, false);
}

template <class Requests>
bool take_out(Requests& requests, Request& request) {
  const auto at = std::find(requests.begin(), requests.end(), &request);
  if (at == requests.end()) return false;
  requests.erase(at);
  Py_DECREF(&request);
  return true;
}

}  // namespace

bool enqueue(Resource& resource, Request& request) {
  auto& queue = *resource.queue;
  std::size_t place = queue.size();
  if (resource.by_priority) {
    std::size_t low = 0;
    while (low < place) {
      const std::size_t middle = low + (place - low) / 2;
      const int before = is_before(request, *queue[middle]);
      if (before < 0) return false;
      if (before > 0) {
        place = middle;
      } else {
        low = middle + 1;
      }
      place = std::min(place, queue.size());  // a comparison may have changed it
    }
  }
  Py_INCREF(&request);
  queue.insert(queue.begin() + static_cast<std::ptrdiff_t>(place), &request);
  return true;
}

bool grant_first(Resource& resource) {
  if (resource.queue->empty()) return true;
  Request& first = *resource.queue->front();
  const auto is_full = [&] {
    return static_cast<Py_ssize_t>(resource.users->size()) >= resource.capacity;
  };
  if (resource.preemptive && first.preempt && is_full()) {
    if (!preempt(resource, first)) return false;
    // Comparing priorities of the user's own kind may have done anything.
    if (resource.queue->empty() || resource.queue->front() != &first) return true;
  }
  if (is_full()) return true;
  resource.queue->pop_front();
  grant(resource, first);
  return true;
}

void release(Resource& resource, Request& request) {
  take_out(*resource.users, request);
  if (World* world = world_of(resource.env)) world->schedule_release(resource);
}

void cancel(Request& request) {
  if (request.value == nullptr && request.resource != nullptr)
    take_out(*request.resource->queue, request);
}

void grant_next(Resource& resource) { grant_first(resource); }

}  // namespace artel::python
