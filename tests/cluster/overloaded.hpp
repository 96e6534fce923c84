#pragma once

namespace artel::cluster::simulated {

/// A visitor made of functions.
template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace artel::cluster::simulated
