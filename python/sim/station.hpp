#pragma once

#include <Python.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/random/stream.hpp"
#include "artel/stat/histogram.hpp"
#include "artel/stat/moments.hpp"
#include "python/sim/draws.hpp"
#include "python/sim/objects.hpp"

namespace artel::python {

/// The average over time of a number that changes in steps, and its largest value.
class Area {
 public:
  void set(double now, double value) {
    sum_ += value_ * (now - at_);
    at_ = now;
    value_ = value;
    if (value > max_) max_ = value;
  }
  void add(double now, double delta) { set(now, value_ + delta); }
  void reset(double now) {
    since_ = at_ = now;
    sum_ = 0;
    max_ = value_;
  }
  [[nodiscard]] double value() const { return value_; }
  [[nodiscard]] double max() const { return max_; }
  [[nodiscard]] double mean(double now) const {
    return now > since_ ? (sum_ + value_ * (now - at_)) / (now - since_) : value_;
  }

 private:
  double since_ = 0, at_ = 0, sum_ = 0, value_ = 0, max_ = 0;
};

/// Lengths of time seen one at a time: mean and extremes exactly, quantiles to 0.1%.
class Times {
 public:
  void add(double time) {
    if (std::isnan(time)) return;  // from one infinite time to another
    moments_.add(time);
    histogram_.record(static_cast<std::uint64_t>(std::llround(std::min(time * kPerUnit, kMost))));
  }
  void reset() { *this = Times(); }
  [[nodiscard]] const stat::Moments& moments() const { return moments_; }
  [[nodiscard]] double quantile(double p) const { return histogram_.quantile(p) / kPerUnit; }

 private:
  static constexpr double kPerUnit = 1e9;  // of the histogram's whole numbers
  static constexpr double kMost = 9e18;
  static constexpr unsigned kBits = 10;
  stat::Moments moments_;
  stat::Histogram histogram_{kBits};
};

/// What a station measures.
struct StationFigures {
  Times response, wait;
  Area queue, busy;
  std::uint64_t arrived = 0;
  std::uint64_t refused = 0;
};

/// Somebody at a station. `event`: whom to tell, nullptr: nobody.
struct Visitor {
  double came = 0;      ///< here
  double since = 0;     ///< at the first of the stations on his way
  double service = -1;  ///< that he brings with him; below 0: the station draws it
  Event* event = nullptr;
};

/// Servers with one queue, all of it in C++.
struct Station : Pending {
  /// Everything of it that is no plain number.
  struct Inside {
    std::deque<Visitor> waiting;
    std::vector<Visitor> served;                    // by server
    std::vector<std::size_t> free;                  // servers
    std::vector<std::pair<double, Station*>> next;  // where they go, by probability
    random::Stream stream{Seed{1}, "station"};
    StationFigures figures;
  };
  Environment* env;
  Law* service;  ///< nullptr: visitors bring it
  std::size_t servers;
  std::size_t room;  ///< that may wait
  Inside* inside;
  std::size_t busy;
  PyObject* dict;
};

/// Customers that come one after another, into a station or to a function.
struct Source : Pending {
  Environment* env;
  Law* between;
  PyObject* to;
  random::Stream* stream;
  std::uint64_t left;
  std::uint64_t sent;
  PyObject* dict;
};

extern PyTypeObject station_type;
extern PyTypeObject source_type;
bool make_station_types();

/// The next customer of a source comes. False: an exception is set.
bool come_out(Source& source);
/// Whoever is at that server goes. False: an exception is set.
bool depart(Station& station, std::size_t server);
/// Somebody comes. Takes the reference to his event, which happens at once, with None, if there is
/// no room.
void enter(Station& station, Visitor visitor);

}  // namespace artel::python
