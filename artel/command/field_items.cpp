#include "artel/command/field_items.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "artel/command/detail/regex.hpp"
#include "artel/command/item_reader.hpp"
#include "artel/command/placeholder.hpp"
#include "artel/core/error.hpp"
#include "artel/file/csv_reader.hpp"

namespace artel::command {

Result<std::unique_ptr<InputItems>> FieldItems::by_regex(std::unique_ptr<InputItems> items,
                                                         const std::string& separator) {
  auto regex = detail::Regex::compile(separator);
  if (!regex) return fail(regex);
  return std::unique_ptr<InputItems>(new FieldItems(std::move(items), std::move(*regex)));
}

std::unique_ptr<InputItems> FieldItems::by_csv(std::unique_ptr<InputItems> items) {
  return std::unique_ptr<InputItems>(new FieldItems(std::move(items), std::nullopt));
}

Result<Supply> FieldItems::next(std::string& item) {
  if (!separator_) return next_record(item);
  auto supply = items_->next(item);
  if (!supply || *supply != Supply::item) return supply;
  std::string fields;
  std::size_t at = 0;
  std::array<std::string_view, 1> found;
  while (const auto begin = separator_->find(item, at, found)) {
    if (found[0].empty()) break;
    fields.append(item, at, *begin - at);
    fields += kFieldSeparator;
    at = *begin + found[0].size();
  }
  item = fields.append(item, at);
  return Supply::item;
}

Result<Supply> FieldItems::next_record(std::string& item) {
  while (true) {
    std::string line;
    auto supply = items_->next(line);
    if (!supply || *supply == Supply::wait) return supply;
    const bool ended = *supply == Supply::end;
    if (ended && !in_quotes_) return Supply::end;
    if (!ended) {
      ++lines_;
      open_record_ += (in_quotes_ ? "\n" : "") + line;
      if (std::ranges::count(line, '"') % 2 != 0) in_quotes_ = !in_quotes_;
      if (in_quotes_ || open_record_.empty() || open_record_ == "\r") {
        if (!in_quotes_) open_record_.clear();
        continue;
      }
    }
    in_quotes_ = false;
    std::istringstream text(std::exchange(open_record_, {}));
    file::CsvReader csv(text, fmt::format("record that ends in line {}", lines_));
    if (const auto read = csv.next(); !read) return fail(read);
    item.clear();
    for (std::size_t i = 0; i < csv.size(); ++i) {
      if (i > 0) item += kFieldSeparator;
      item += csv[i];
    }
    return Supply::item;
  }
}

}  // namespace artel::command
