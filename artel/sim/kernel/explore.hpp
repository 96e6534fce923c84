#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/detail/calendar.hpp"
#include "artel/sim/kernel/log_sink.hpp"

namespace artel::sim {

/// What a run that is explored leaves open. The model asks it whether a message is lost, where a
/// crash happens, which replica answers; SimulationOptions::choices lets it choose among events of
/// equal times, too. Threads: its simulation's. Cost: O(1) each, and 8 bytes of memory.
class Choices final : private detail::TieBreaker {
 public:
  Choices(const Choices&) = delete;
  Choices& operator=(const Choices&) = delete;

  /// A number below `count`. 0 stands for what usually happens: few others are tried at a time.
  /// Requires: count >= 1.
  std::size_t choose(std::size_t count, std::string_view what);
  /// Whether something out of the ordinary happens: `if (choices.happens("the vote is lost")) …`
  bool happens(std::string_view what) { return choose(2, what) == 1; }

 private:
  friend class Explorer;
  friend class Simulation;

  using Path = std::vector<std::uint32_t>;

  explicit Choices(Path wanted, bool tells = false)
      : wanted_(std::move(wanted)), tells_(tells), log_(text_) {}
  Choices(random::Stream& dice, std::size_t most_drawn)
      : dice_(&dice), most_drawn_(most_drawn), log_(text_) {}

  [[nodiscard]] std::size_t choose(std::size_t count) override;

  Path wanted_;                     // the first choices; all others are 0,
  random::Stream* dice_ = nullptr;  // or, if there are dice, drawn…
  std::size_t most_drawn_ = 0;      // …up to so many
  bool tells_ = false;              // the events are logged
  Path path_;                       // as made
  Path counts_;
  std::ostringstream text_;
  TextLog log_;
};

/// How long an exploration looks.
struct ExploreBounds {
  /// At most, in all; a violation is run once more, to be told.
  std::size_t runs = 10'000;
  double random_share = 0.25;   ///< of them drawn at random, if the others find nothing
  std::size_t choices = 1'000;  ///< of each run that are varied, from its beginning
  Seed seed{1};
};

/// What an exploration has found.
struct Exploration {
  std::optional<std::string> violation;  ///< what the model said; nullopt: none was found
  /// For people: the choices that were unusual, and every delivery of that run.
  std::string trace;
  std::size_t runs = 0;   ///< runs of the model
  bool complete = false;  ///< every run was tried that differs in the choices within the bounds
};

/// Looks for a run of a model that breaks an invariant.
///
///     const auto found = sim::explore([](sim::Choices& choices) -> std::optional<std::string> {
///       sim::Simulation simulation({.choices = &choices});
///       …                                            // build it; it asks `choices` what is lost
///       simulation.run();
///       if (a.committed() != b.committed()) return "one has committed, the other has not";
///       return std::nullopt;
///     });
///     if (found.violation) fmt::print("{}\n{}", *found.violation, found.trace);
///
/// Runs are repeated from their beginning: first the usual one, then all that differ from it in one
/// choice, in two, and so on, so that the first violation is one of the fewest unusual choices;
/// then some at random, whose violation is reduced as far as the runs go. An exception of the model
/// is a violation.
/// Requires: a run depends on nothing but its choices. Cost: the runs; memory for those to come.
/// Source: stateless model checking (P. Godefroid, VeriSoft, 1997), bounded by the number of
/// deviations (Emmi, Qadeer, Rakamarić: delay-bounded scheduling, 2011).
[[nodiscard]] Exploration explore(
    const std::function<std::optional<std::string>(Choices& choices)>& model,
    const ExploreBounds& bounds = {});

}  // namespace artel::sim
