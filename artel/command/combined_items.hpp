#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "artel/command/item_reader.hpp"
#include "artel/core/error.hpp"

namespace artel::command {

/// Several inputs at once: each item has a field from every input (kFieldSeparator).
///
/// Inputs are multiplied, the last one varying fastest; one that is linked goes along with the
/// input before it, and what one of the two has more is ignored. The first input is read as items
/// are asked for, all others are kept in memory.
class CombinedItems : public InputItems {
 public:
  /// One input and how it goes with the others. `items`: where it is read from.
  struct Source {
    std::unique_ptr<InputItems> items;
    bool linked = false;  ///< to the one before
  };

  /// `repeat`: all are linked, and shorter ones begin again.
  /// Requires: a source.
  explicit CombinedItems(std::vector<Source> sources, bool repeat = false);

  [[nodiscard]] Result<Supply> next(std::string& item) override;
  [[nodiscard]] int file() const override { return waiting_->file(); }
  [[nodiscard]] std::optional<double> share() const override;

 private:
  /// Inputs that go together: what is read of each.
  struct InputGroup {
    std::vector<std::vector<std::string>> columns;
    std::size_t at = 0;
    [[nodiscard]] std::size_t rows() const;
  };

  [[nodiscard]] Result<Supply> read_all();
  [[nodiscard]] Result<Supply> next_of_first();
  [[nodiscard]] bool first_goes_on(std::string& text) const;
  bool step();

  std::unique_ptr<InputItems> first_;
  std::vector<Source> others_;  // until they are read
  std::size_t read_ = 0;        // of the others
  InputItems* waiting_;         // which one file() is of
  bool repeat_;
  std::vector<std::string> seen_;  // of the first, if it may begin again
  bool first_ended_ = false;
  std::size_t row_ = 0;  // of the first group
  std::string first_text_;
  bool open_ = false;               // first_text_ has combinations left
  std::vector<InputGroup> groups_;  // the first one without its first input
};

}  // namespace artel::command
