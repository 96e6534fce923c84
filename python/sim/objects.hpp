#pragma once

#include <Python.h>

#include <cstdint>
#include <deque>
#include <vector>

// The objects of artel.sim that are made by the million: their layout, and what they do for each
// other. All of them are Python's and live by its reference counts; whoever holds the interpreter's
// lock may touch them.

namespace artel::python {

struct World;
struct Process;
struct Resource;

/// What an environment has to keep alive because something of it is due: a link of its list.
struct Pending : PyObject {
  Pending* before;
  Pending* behind;  ///< nullptr: nothing is due
};

/// A clock and what is due: simpy's Environment.
struct Environment : PyObject {
  World* world;    ///< nullptr: it was cleared
  PyObject* now;   ///< the time, for Python; nullptr while none of Python's code can ask
  PyObject* dict;  ///< there from the start: then CPython's ways to methods are short
};

/// What else there is to do when an event is processed, before its callbacks.
enum class EventKind : std::uint8_t { plain, condition, put, get };

/// Something that happens at most once: simpy's Event.
///
/// It is pending until `value` is set, then triggered, and processed when its callbacks were
/// called.
struct Event : Pending {
  Environment* env;
  PyObject* value;  ///< nullptr: not triggered. Of a failed one the exception
  PyObject* first;  ///< the callback that came first, often the only one: a Process, or anything
                    ///< that can be called
  PyObject* more;   ///< list of the others; of all, once somebody has seen it
  PyObject* dict;
  double due;  ///< when it is processed, or was; of one that is scheduled
  bool failed;
  bool defused;  ///< somebody has taken notice of the failure
  bool processed;
  bool whole;  ///< its time is one that Python shows as an int
  EventKind kind;
};

/// A generator in virtual time. As an event it is its end.
struct Process : Event {
  PyObject* generator;
  Event* target;  ///< what it waits for, or waited for last
};

/// An event made of others.
struct Condition : Event {
  PyObject* events;    ///< a tuple, so that nobody changes it
  PyObject* evaluate;  ///< nullptr: all of them, or any
  Py_ssize_t count;    ///< that have happened
  bool of_all;
  bool left_behind;  ///< what it was a part of has happened without it
};

/// What is asked of a resource.
struct Request : Event {
  Resource* resource;
  PyObject* process;  ///< who asked; None: nobody
  PyObject* priority;
  double rank;  ///< the priority, if it is a number that a double holds; the lowest comes first
  double time;  ///< when it was asked
  PyObject* usage_since;
  bool preempt;
  bool is_ranked;  ///< else priorities are compared as Python does
};

/// So many users at a time, the others wait: simpy's Resource, PriorityResource,
/// PreemptiveResource.
struct Resource : Pending {
  Environment* env;
  Py_ssize_t capacity;
  std::vector<Request*>* users;
  std::deque<Request*>* queue;
  PyObject* dict;
  std::uint32_t releases;  ///< whose effect is due
  bool by_priority;
  bool preemptive;
};

extern PyTypeObject environment_type;
extern PyTypeObject event_type;
extern PyTypeObject timeout_type;
extern PyTypeObject process_type;
extern PyTypeObject condition_type;
extern PyTypeObject any_of_type;
extern PyTypeObject all_of_type;
extern PyTypeObject& condition_value_type;
extern PyTypeObject request_type;
extern PyTypeObject release_type;
extern PyTypeObject resource_type;
extern PyTypeObject priority_resource_type;
extern PyTypeObject preemptive_resource_type;

/// What is written in Python and used here; set by artel/sim when it is imported.
struct Hooks {
  PyObject* interrupt = nullptr;       ///< the exception, of a cause
  PyObject* preempted = nullptr;       ///< (by, usage_since, resource)
  PyObject* empty_schedule = nullptr;  ///< the exception
  PyObject* no_event = nullptr;        ///< the message, of a generator and what it has yielded
};
extern Hooks hooks;
/// What the value of an event is that has not been triggered, for who looks inside: events.PENDING.
extern PyObject* pending_value;

/// A new object of that type, one of those that are made by the million, as its tp_alloc makes it;
/// nullptr: an exception is set. Memory that free_object() has kept is used again.
PyObject* new_object(PyTypeObject& type);
/// tp_free of an object that the collector has let go of.
void free_object(PyObject* self);

/// How far into its objects a member lies.
template <class T, class M>
Py_ssize_t offset_of(M T::* member) {
  static T object{};
  return reinterpret_cast<char*>(&(object.*member)) - reinterpret_cast<char*>(&object);
}

template <class F>
PyCFunction method(F* function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

/// The one argument of a function that takes one, by place or by that name; nullptr: an exception
/// is set.
PyObject* only_argument(PyObject* const* args, Py_ssize_t count, PyObject* names,
                        const char* function, const char* name);
/// A whole number from 0 to 2^64 - 1, of an int or of what has a value of one, as numpy's. False:
/// an exception is set.
bool read_whole(PyObject* object, unsigned long long& number);
/// Whether a class of the user's defines what SimPy calls inside, and nothing calls here; then an
/// exception is set.
bool has_inner_hooks(PyObject* self);

/// Fill in the types; false: an exception is set.
bool make_event_types();
bool make_process_type();
bool make_condition_types();
bool make_resource_types();
bool make_environment_type();

template <class T>
T* as(PyObject* object) {
  return static_cast<T*>(object);
}
inline bool is_event(PyObject* object) { return PyObject_TypeCheck(object, &event_type); }

/// A number of Python as a time that may be added. False: not one, an exception is set. `whole`: it
/// is an int.
bool read_time(PyObject* number, double& time, bool& whole);

// ---- Events

/// Has it happen now, after everything that is due already, unless it has been triggered. Takes no
/// reference.
void trigger(Event& event, PyObject* value, bool failed);
/// The same for a value that the caller gives away.
void trigger_with(Event& event, PyObject* value, bool failed);
/// Adds a callback. Requires: not processed. False: an exception is set.
bool add_callback(Event& event, PyObject* callback);
void remove_callback(Event& event, PyObject* callback);
/// Calls the callbacks. False: one failed, or nobody took notice of the event's failure; an
/// exception is set.
bool fire(Event& event);
/// A new one of that type, pending, tracked by the collector; nullptr: an exception is set.
Event* new_event(PyTypeObject& type, Environment& env);
/// Whether it came with nothing that might be a chain.
inline bool came_alone(const PyObject* event) {
  const PyObject* value = static_cast<const Event*>(event)->value;
  return value == nullptr || value == Py_None;
}
/// For tp_traverse, tp_clear, tp_dealloc of events.
int traverse_event(Event& event, visitproc visit, void* arg);
void clear_event(Event& event);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"  // in Python's macro
/// For tp_dealloc of what may be a long chain: its links end one after another, not one in another.
/// `is_alone`: whether nothing hangs on it for certain, which is faster.
template <inquiry clear, bool (*is_alone)(const PyObject*) = nullptr>
void dealloc_by_turns(PyObject* self) {
  PyObject_GC_UnTrack(self);
  if constexpr (is_alone != nullptr) {
    if (is_alone(self)) {
      clear(self);
      return free_object(self);
    }
  }
  Py_TRASHCAN_BEGIN(self, (dealloc_by_turns<clear, is_alone>));
  clear(self);
  free_object(self);
  Py_TRASHCAN_END;
}
#pragma GCC diagnostic pop

// ---- Processes

/// Has a generator run as that process. False: an exception is set.
bool begin(Process& process, Environment& env, PyObject* generator);
/// Lets it run up to its next wait; `event` is what it waited for, nullptr at its start. False: an
/// exception is set that is not the process's own.
bool resume(Process& process, Event* event);
/// Throws an exception into it, whatever it waits for.
bool interrupt_now(Process& process, PyObject* exception);

// ---- Conditions

/// any_of or all_of those events; nullptr: an exception is set.
PyObject* new_condition(Environment& env, PyObject* events, bool of_all);
/// One of its events has happened. False: an exception is set.
bool check(Condition& condition, Event& event);
/// It is processed: what it comes with is put together. False: an exception is set.
bool collect(Condition& condition);

// ---- Resources

/// The effect of a release is due.
void grant_next(Resource& resource);

}  // namespace artel::python
