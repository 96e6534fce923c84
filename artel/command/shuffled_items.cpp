#include "artel/command/shuffled_items.hpp"

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "artel/command/item_reader.hpp"
#include "artel/core/error.hpp"

namespace artel::command {

Result<Supply> ShuffledItems::next(std::string& item) {
  while (!shuffled_) {
    std::string one;
    const auto supply = items_->next(one);
    if (!supply || *supply == Supply::wait) return supply;
    if (*supply == Supply::item) {
      read_.push_back(std::move(one));
      continue;
    }
    std::mt19937_64 chance(std::random_device{}());
    std::ranges::shuffle(read_, chance);
    shuffled_ = true;
  }
  if (next_ == read_.size()) return Supply::end;
  item = std::move(read_[next_++]);
  return Supply::item;
}

std::optional<double> ShuffledItems::share() const {
  if (!shuffled_ || read_.empty()) return std::nullopt;
  return static_cast<double>(next_) / static_cast<double>(read_.size());
}

}  // namespace artel::command
