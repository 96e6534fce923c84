#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "artel/command/item_reader.hpp"
#include "artel/core/error.hpp"

namespace artel::command {

/// All of another's items in an order by chance; they are read before the first is given.
class ShuffledItems : public InputItems {
 public:
  explicit ShuffledItems(std::unique_ptr<InputItems> items) : items_(std::move(items)) {}
  [[nodiscard]] Result<Supply> next(std::string& item) override;
  [[nodiscard]] int file() const override { return items_->file(); }
  [[nodiscard]] std::optional<double> share() const override;

 private:
  std::unique_ptr<InputItems> items_;
  std::vector<std::string> read_;
  bool shuffled_ = false;
  std::size_t next_ = 0;
};

}  // namespace artel::command
