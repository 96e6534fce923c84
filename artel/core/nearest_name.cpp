#include "artel/core/nearest_name.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/join.hpp"

namespace artel {
namespace {

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = last[j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, substitute});
      if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1])) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::optional<std::string_view> nearest_name(std::string_view found,
                                             std::span<const std::string_view> allowed) {
  constexpr std::size_t kLengthMax = 64;  // longer input is not a misspelling of anything
  if (found.size() > kLengthMax) return std::nullopt;
  std::optional<std::string_view> best;
  std::size_t best_distance = std::max<std::size_t>(1, found.size() / 3) + 1;
  for (const auto candidate : allowed) {
    const auto distance = edit_distance(found, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string unknown_name(std::string_view kind, std::string_view found,
                         std::span<const std::string_view> allowed) {
  auto text = fmt::format("unknown {} '{}'", kind, found);
  if (const auto meant = nearest_name(found, allowed))
    text += fmt::format(" (did you mean '{}'?)", *meant);
  return text + fmt::format("; allowed: {}", join(allowed, ", "));
}

}  // namespace artel
