#pragma once

#include <string>

namespace artel::report::detail {

/// The page that `web/` makes, cut open where a report goes in: head, title, middle, data, tail.
/// The build generates the definition, see cmake/web.cmake.
struct HtmlBundle {
  std::string head;
  std::string middle;
  std::string tail;
};

/// All parts are empty when artel was built without the page.
[[nodiscard]] HtmlBundle html_bundle();

}  // namespace artel::report::detail
