#pragma once

namespace artel::report::detail {

/// `value` to six significant digits: what a picture needs, so that a page stays small.
[[nodiscard]] double significant(double value);

}  // namespace artel::report::detail
