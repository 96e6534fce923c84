#include "artel/sim/kernel/explore.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "artel/core/require.hpp"
#include "artel/random/stream.hpp"

namespace artel::sim {

std::size_t Choices::choose(std::size_t count, std::string_view what) {
  const std::size_t chosen = choose(count);
  if (tells_ && chosen != 0) {
    text_ << (count == 2 ? fmt::format("-> {}\n", what)
                         : fmt::format("-> {}: {} of {}\n", what, chosen, count));
  }
  return chosen;
}

std::size_t Choices::choose(std::size_t count) {
  ARTEL_REQUIRE(count >= 1, "there must be something to choose from");
  const std::size_t at = path_.size();
  std::size_t chosen = 0;
  if (at < wanted_.size()) {
    chosen = std::min<std::size_t>(wanted_[at], count - 1);
  } else if (at < most_drawn_ && dice_->below(8) == 0) {
    chosen = dice_->below(count);
  }
  path_.push_back(static_cast<std::uint32_t>(chosen));
  counts_.push_back(static_cast<std::uint32_t>(count));
  return chosen;
}

/// One exploration.
class Explorer {
 public:
  using Model = std::function<std::optional<std::string>(Choices& choices)>;

  Explorer(const Model& model, const ExploreBounds& bounds) : model_(model), bounds_(bounds) {}

  Exploration explore() {
    const auto at_random =
        static_cast<std::size_t>(bounds_.random_share * static_cast<double>(bounds_.runs));
    std::optional<Choices::Path> found = in_order(bounds_.runs - at_random);
    if (!found && !result_.complete) {
      found = drawn();
      if (found) reduce(*found);
    }
    if (found) tell(*found);
    return std::move(result_);
  }

 private:
  std::optional<std::string> run(Choices& choices) {
    ++result_.runs;
    try {
      return model_(choices);
    } catch (const std::exception& error) {
      return fmt::format("the model threw: {}", error.what());
    } catch (...) {
      return "the model threw an exception of no standard type";
    }
  }

  /// By the number of unusual choices; the path of the first violation.
  std::optional<Choices::Path> in_order(std::size_t runs) {
    std::deque<Choices::Path> to_come{{}};
    bool all_kept = true;
    while (!to_come.empty() && result_.runs < runs) {
      const Choices::Path wanted = std::move(to_come.front());
      to_come.pop_front();
      Choices choices(wanted);
      if (run(choices)) return choices.path_;
      const std::size_t end = std::min(choices.path_.size(), bounds_.choices);
      all_kept = all_kept && end == choices.path_.size();
      // Those that differ in one choice more, behind the last that differs.
      for (std::size_t i = wanted.size(); i < end; ++i) {
        for (std::uint32_t other = 1; other < choices.counts_[i]; ++other) {
          if (to_come.size() + result_.runs >= runs) {
            all_kept = false;
            break;
          }
          Choices::Path next(choices.path_.begin(),
                             choices.path_.begin() + static_cast<std::ptrdiff_t>(i));
          next.push_back(other);
          to_come.push_back(std::move(next));
        }
      }
    }
    result_.complete = all_kept && to_come.empty();
    return std::nullopt;
  }

  std::optional<Choices::Path> drawn() {
    random::Stream dice(bounds_.seed, "explore");
    while (result_.runs < bounds_.runs) {
      Choices choices(dice, bounds_.choices);
      if (run(choices)) return choices.path_;
    }
    return std::nullopt;
  }

  /// Makes choices usual again, as long as there is still a violation.
  void reduce(Choices::Path& path) {
    for (std::size_t i = path.size(); i-- > 0 && result_.runs < bounds_.runs;) {
      if (path[i] == 0) continue;
      Choices::Path less = path;
      less[i] = 0;
      Choices choices(less);
      if (run(choices)) path = choices.path_;
      i = std::min(i, path.size());
    }
  }

  void tell(const Choices::Path& path) {
    Choices choices(path, true);
    --result_.runs;  // the same once more
    result_.violation = run(choices);
    result_.trace = choices.text_.str();
  }

  const Model& model_;
  const ExploreBounds& bounds_;
  Exploration result_;
};

Exploration explore(const std::function<std::optional<std::string>(Choices& choices)>& model,
                    const ExploreBounds& bounds) {
  return Explorer(model, bounds).explore();
}

}  // namespace artel::sim
