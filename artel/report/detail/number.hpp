#pragma once

#include <string>

namespace artel::report::detail {

/// Four significant digits without an exponent; "n/a" for what is not finite.
[[nodiscard]] std::string number(double value);

/// The same, but four digits of what is small, too: a figure may be of any size.
[[nodiscard]] std::string figure_number(double value);

/// All digits of it; nothing for what is not finite.
[[nodiscard]] std::string csv_number(double value);

}  // namespace artel::report::detail
