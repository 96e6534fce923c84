#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "artel/command/item_reader.hpp"
#include "artel/core/error.hpp"

namespace artel::command {

/// Ends where another one would, or at an item of that text, which it does not give.
class ItemsUntil : public InputItems {
 public:
  ItemsUntil(std::unique_ptr<InputItems> items, std::string end)
      : items_(std::move(items)), end_(std::move(end)) {}
  [[nodiscard]] Result<Supply> next(std::string& item) override;
  [[nodiscard]] int file() const override { return items_->file(); }
  [[nodiscard]] std::optional<double> share() const override { return items_->share(); }

 private:
  std::unique_ptr<InputItems> items_;
  std::string end_;
  bool ended_ = false;
};

}  // namespace artel::command
