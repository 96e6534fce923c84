#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "artel/command/detail/regex.hpp"
#include "artel/command/item_reader.hpp"
#include "artel/core/error.hpp"

namespace artel::command {

/// Items that are cut into fields.
class FieldItems : public InputItems {
 public:
  /// At every match of a POSIX extended regular expression.
  /// Errors: it is none.
  [[nodiscard]] static Result<std::unique_ptr<InputItems>> by_regex(
      std::unique_ptr<InputItems> items, const std::string& separator);
  /// As RFC 4180 has it: fields in quotes may have commas, quotes and line breaks. Empty lines are
  /// skipped.
  [[nodiscard]] static std::unique_ptr<InputItems> by_csv(std::unique_ptr<InputItems> items);

  [[nodiscard]] Result<Supply> next(std::string& item) override;
  [[nodiscard]] int file() const override { return items_->file(); }
  [[nodiscard]] std::optional<double> share() const override { return items_->share(); }

 private:
  FieldItems(std::unique_ptr<InputItems> items, std::optional<detail::Regex> separator)
      : items_(std::move(items)), separator_(std::move(separator)) {}
  [[nodiscard]] Result<Supply> next_record(std::string& item);

  std::unique_ptr<InputItems> items_;
  std::optional<detail::Regex> separator_;  // nothing: CSV
  std::string open_record_;                 // lines of one whose quotes are open
  bool in_quotes_ = false;
  std::uint64_t lines_ = 0;
};

}  // namespace artel::command
