#pragma once

#include <Python.h>

#include "artel/random/distribution.hpp"
#include "artel/random/stream.hpp"

namespace artel::python {

/// Random numbers of one name: artel's random::Stream.
struct Stream : PyObject {
  random::Stream* inside;
};
/// A law of chance: artel's random::Distribution.
struct Law : PyObject {
  random::Distribution* inside;
};

extern PyTypeObject stream_type;
extern PyTypeObject law_type;
bool make_draw_types();

}  // namespace artel::python
