#pragma once

#include "artel/core/error.hpp"

namespace artel::cluster {

/// For people, at once: what goes wrong and is being tried again.
struct TellProblem {
  Error error;
};

}  // namespace artel::cluster
