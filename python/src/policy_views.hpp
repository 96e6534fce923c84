#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/dispatch/any_loads.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"

namespace artel::python {

inline constexpr std::size_t kColumns = 5;

/// The loads of all workers while a rule of Python's decides; a sequence of how many tasks each
/// has.
struct LoadsView : PyObject {
  const dispatch::AnyLoads* loads;  ///< nullptr: no decision is under way
  std::size_t workers;
  PyObject* memory;            ///< a bytearray that the arrays show: columns of doubles
  PyObject* arrays[kColumns];  ///< of numpy where it is there, else memoryviews; made at first use
};
/// What else a decision may depend on.
struct DrawView : PyObject {
  const dispatch::Draw* draw;
  std::uint64_t state;  ///< of the dice
};

/// Both as Python's objects; nullptr: an exception is set.
LoadsView* new_loads_view(std::size_t workers);
DrawView* new_draw_view();

}  // namespace artel::python
