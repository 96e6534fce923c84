#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/config/toml_value.hpp"
#include "artel/core/error.hpp"

namespace artel::config {

/// All mistakes that were found, in order of place; never empty.
using Errors = std::vector<Error>;
template <class T>
using Checked = tl::expected<T, Errors>;

/// Collects the mistakes in one file, so that a user sees them together.
class Problems {
 public:
  explicit Problems(std::string file_name) : file_name_(std::move(file_name)) {}

  void add(const SourcePosition& place, std::string what, ErrorCode code = ErrorCode::invalid);
  /// An error that knows its own place.
  void add(Error error);

  [[nodiscard]] bool empty() const { return found_.empty(); }
  [[nodiscard]] std::size_t size() const { return found_.size(); }
  /// By line and column, then those without; at most kShownMax of them.
  [[nodiscard]] Errors take();

  static constexpr std::size_t kShownMax = 20;

 private:
  struct Found {
    std::size_t number;  // in order of discovery
    SourcePosition place;
    Error error;
  };
  std::string file_name_;
  std::vector<Found> found_;
};

}  // namespace artel::config
