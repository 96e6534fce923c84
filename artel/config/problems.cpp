#include "artel/config/problems.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include "artel/config/toml_value.hpp"
#include "artel/core/error.hpp"

namespace artel::config {

void Problems::add(const SourcePosition& place, std::string what, ErrorCode code) {
  found_.push_back({found_.size(), place, {code, std::move(what), place.where(file_name_)}});
}

void Problems::add(Error error) { found_.push_back({found_.size(), {}, std::move(error)}); }

Errors Problems::take() {
  const auto order = [](const Found& found) {
    const std::uint32_t line =
        found.place.line == 0 ? std::numeric_limits<std::uint32_t>::max() : found.place.line;
    return std::tuple(line, found.place.column, found.number);
  };
  std::sort(found_.begin(), found_.end(),
            [&](const Found& a, const Found& b) { return order(a) < order(b); });
  const std::size_t more = found_.size() > kShownMax ? found_.size() - kShownMax : 0;
  found_.resize(found_.size() - more);
  Errors errors;
  for (auto& found : found_) errors.push_back(std::move(found.error));
  if (more > 0)
    errors.push_back({ErrorCode::invalid, fmt::format("and {} more", more), file_name_});
  found_.clear();
  return errors;
}

}  // namespace artel::config
