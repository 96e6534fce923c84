#pragma once

#include <string_view>

#include "artel/config/schema.hpp"

namespace artel::scenario::detail {

/// What a number or a duration may be; nothing: anything.
struct KeyRange {
  double low = 0;
  double high = 0;
  bool above = false;
};

/// A key that goes with these kinds of its table only ("poisson|constant"; empty: all).
constexpr config::SchemaKey kind_key(std::string_view kinds, std::string_view table,
                                     std::string_view key, config::KeyType type,
                                     std::string_view fallback, std::string_view meaning,
                                     KeyRange range = {}, std::string_view words = {}) {
  return {table, key, type, fallback, meaning, range.low, range.high, range.above, words, kinds};
}

}  // namespace artel::scenario::detail
