#include "artel/core/require.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace artel::error {

void contract_failed(std::string_view condition, std::string_view file, int line,
                     std::string_view what, std::string_view names, fmt::format_args values,
                     std::size_t value_count) {
  auto text =
      fmt::format("{}:{}: contract broken: {}\n  required: {}\n", file, line, what, condition);
  if (value_count > 0) {
    std::string braces;
    for (std::size_t i = 0; i < value_count; ++i) braces += i == 0 ? "{}" : ", {}";
    text += fmt::format("  values:   {} = {}\n", names, fmt::vformat(braces, values));
  }
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
  std::abort();
}

}  // namespace artel::error
