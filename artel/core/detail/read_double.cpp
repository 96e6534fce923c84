#include "artel/core/detail/read_double.hpp"

#include <locale.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <system_error>

namespace artel::detail {

std::from_chars_result read_double(const char* begin, const char* end, double& number) {
  // strtod takes what from_chars does not: blanks and a plus in front, hexadecimal digits.
  const auto is_x = [](char c) { return c == 'x' || c == 'X'; };
  const std::string text(begin, std::find_if(begin, end, is_x));
  if (text.empty() || std::string_view("+ \t\n\v\f\r").find(text[0]) != std::string_view::npos)
    return {begin, std::errc::invalid_argument};
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  char* stopped = nullptr;
  errno = 0;
  const double read = strtod_l(text.c_str(), &stopped, plain);
  if (stopped == text.c_str()) return {begin, std::errc::invalid_argument};
  const char* const behind = begin + (stopped - text.c_str());
  if (errno == ERANGE && (read == 0 || std::isinf(read)))
    return {behind, std::errc::result_out_of_range};
  number = read;
  return {behind, {}};
}

}  // namespace artel::detail
