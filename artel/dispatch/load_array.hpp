#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"

namespace artel::dispatch {

/// Loads in a plain array: a snapshot, a recorded decision, a test.
///
/// Cost: load() and set() O(1); all questions O(workers). Threads: one at a time.
class LoadArray : public ScanningView<LoadArray> {
 public:
  LoadArray() = default;
  explicit LoadArray(std::vector<Load> loads) : loads_(std::move(loads)) {}

  /// Copies what another view shows now.
  template <LoadView View>
  static LoadArray copy_of(const View& view) {
    std::vector<Load> loads(view.size());
    for (std::size_t i = 0; i < loads.size(); ++i) loads[i] = view.load(worker(i));
    return LoadArray(std::move(loads));
  }

  [[nodiscard]] std::size_t size() const { return loads_.size(); }
  [[nodiscard]] const Load& load(WorkerId id) const { return loads_[index(id)]; }
  void set(WorkerId id, const Load& load) { loads_[index(id)] = load; }

 private:
  std::vector<Load> loads_;
};

static_assert(LoadView<LoadArray>);

/// Loads by queue lengths alone: `choose(policy, loads({3, 1, 2}), draw)`.
[[nodiscard]] inline LoadArray loads(std::initializer_list<std::uint32_t> queued,
                                     std::uint32_t capacity = kUnbounded) {
  std::vector<Load> all;
  for (const std::uint32_t tasks : queued) {
    all.push_back(Load{.queued = tasks, .capacity = capacity});
  }
  return LoadArray(std::move(all));
}

}  // namespace artel::dispatch
