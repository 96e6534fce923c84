#include "artel/command/combined_items.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "artel/command/item_reader.hpp"
#include "artel/command/placeholder.hpp"
#include "artel/core/error.hpp"
#include "artel/core/require.hpp"

namespace artel::command {

std::size_t CombinedItems::InputGroup::rows() const {
  return std::ranges::min(columns, {}, &std::vector<std::string>::size).size();
}

CombinedItems::CombinedItems(std::vector<Source> sources, bool repeat) : repeat_(repeat) {
  ARTEL_REQUIRE(!sources.empty(), "there is an input");
  first_ = std::move(sources.front().items);
  waiting_ = first_.get();
  others_.assign(std::make_move_iterator(sources.begin() + 1),
                 std::make_move_iterator(sources.end()));
  groups_.emplace_back();
  for (const auto& source : others_) {
    if (!source.linked && !repeat) groups_.emplace_back();
    groups_.back().columns.emplace_back();
  }
}

// end: they are all here.
Result<Supply> CombinedItems::read_all() {
  std::size_t group = 0;
  std::size_t column = 0;
  for (std::size_t i = 0; i < others_.size(); ++i, ++column) {
    while (column == groups_[group].columns.size()) {
      ++group;
      column = 0;
    }
    if (i < read_) continue;
    std::string item;
    while (true) {
      waiting_ = others_[i].items.get();
      const auto supply = waiting_->next(item);
      if (!supply || *supply == Supply::wait) return supply;
      if (*supply == Supply::end) break;
      groups_[group].columns[column].push_back(std::move(item));
    }
    read_ = i + 1;
  }
  waiting_ = first_.get();
  return Supply::end;
}

// What the first input says again, when it has ended and another one has not.
bool CombinedItems::first_goes_on(std::string& text) const {
  if (!repeat_ || seen_.empty()) return false;
  const auto longest =
      std::ranges::max(groups_.front().columns, {}, &std::vector<std::string>::size).size();
  if (row_ >= longest) return false;
  text = seen_[row_ % seen_.size()];
  return true;
}

// The next row of the first group.
Result<Supply> CombinedItems::next_of_first() {
  const auto& columns = groups_.front().columns;
  if (!first_ended_) {
    const auto supply = first_->next(first_text_);
    if (!supply || *supply == Supply::wait) return supply;
    first_ended_ = *supply == Supply::end;
    if (!first_ended_ && repeat_ && !columns.empty()) seen_.push_back(first_text_);
  }
  if (first_ended_ && (columns.empty() || !first_goes_on(first_text_))) return Supply::end;
  for (const auto& column : columns) {
    if (column.empty() || (!repeat_ && row_ >= column.size())) return Supply::end;
    first_text_ += kFieldSeparator + column[row_ % column.size()];
  }
  ++row_;
  return Supply::item;
}

// To the next combination of the other groups; false: all have been.
bool CombinedItems::step() {
  for (std::size_t i = groups_.size() - 1; i > 0; --i) {
    if (++groups_[i].at < groups_[i].rows()) return true;
    groups_[i].at = 0;
  }
  return false;
}

Result<Supply> CombinedItems::next(std::string& item) {
  if (const auto read = read_all(); !read || *read != Supply::end) return read;
  if (!open_) {
    for (std::size_t i = 1; i < groups_.size(); ++i) {
      if (groups_[i].rows() == 0) return Supply::end;
    }
    const auto supply = next_of_first();
    if (!supply || *supply != Supply::item) return supply;
  }
  item = first_text_;
  for (std::size_t i = 1; i < groups_.size(); ++i) {
    for (const auto& column : groups_[i].columns) item += kFieldSeparator + column[groups_[i].at];
  }
  open_ = step();
  return Supply::item;
}

std::optional<double> CombinedItems::share() const { return first_->share(); }

}  // namespace artel::command
