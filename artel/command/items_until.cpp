#include "artel/command/items_until.hpp"

#include <string>

#include "artel/command/item_reader.hpp"
#include "artel/core/error.hpp"

namespace artel::command {

Result<Supply> ItemsUntil::next(std::string& item) {
  if (ended_) return Supply::end;
  auto supply = items_->next(item);
  if (supply && *supply == Supply::item && item == end_) {
    ended_ = true;
    return Supply::end;
  }
  return supply;
}

}  // namespace artel::command
