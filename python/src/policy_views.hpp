#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>

#include "artel/dispatch/any_loads.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/policy_input.hpp"

namespace artel::python {

inline constexpr std::size_t kColumns = 8;

/// The loads of all workers while a rule of Python's decides; a sequence of how many tasks each
/// has.
struct LoadsView : PyObject {
  const dispatch::AnyLoads* loads;  ///< nullptr: no decision is under way
  std::size_t workers;
  dispatch::PolicyInputs reads;  ///< that the rule has named
  PyObject* memory;              ///< a bytearray that the arrays show: columns of doubles
  PyObject* arrays[kColumns];  ///< read-only; of numpy where it is there, else memoryviews; made at
                               ///< first use
};
/// What else a decision may depend on.
struct DrawView : PyObject {
  const dispatch::Draw* draw;
  std::uint64_t state;           ///< of the dice
  dispatch::PolicyInputs reads;  ///< that the rule has named
};

/// Both as Python's objects; nullptr: an exception is set.
LoadsView* new_loads_view(std::size_t workers);
DrawView* new_draw_view();

}  // namespace artel::python
