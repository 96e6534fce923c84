#include "artel/scenario/detail/read_prefix.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/parse_number.hpp"

namespace artel::scenario::detail {

Result<bool> read_prefix(std::string_view text, std::vector<std::uint64_t>& keys) {
  const auto begin = keys.size();
  constexpr std::string_view kBlanks = " \t";
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
    if (text.empty()) return true;
    const auto item = text.substr(0, text.find_first_of(kBlanks));
    text.remove_prefix(item.size());
    const auto dash = item.find('-');
    const auto first = parse_number<std::uint64_t>(item.substr(0, dash));
    const auto last =
        dash == std::string_view::npos ? first : parse_number<std::uint64_t>(item.substr(dash + 1));
    if (!first || !last || *last < *first)
      return fail(ErrorCode::parse,
                  fmt::format("found '{}'; expected keys of blocks, whole numbers with blanks "
                              "between, or 3-6 for 3 4 5 6",
                              item.substr(0, 40)));
    if (*last - *first >= kBlocksMax - (keys.size() - begin))
      return fail(ErrorCode::too_large,
                  fmt::format("more than {} blocks, up to '{}'", kBlocksMax, item.substr(0, 40)));
    for (auto key = *first; key < *last; ++key) keys.push_back(key);
    keys.push_back(*last);
  }
}

}  // namespace artel::scenario::detail
