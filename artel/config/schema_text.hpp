#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "artel/config/schema.hpp"

namespace artel::config {

/// All keys for people, table by table: types, defaults, meaning.
[[nodiscard]] std::string schema_text(const Schema& schema);

/// A name, and in a column of its own, from `indent`, the lines about it, broken between words.
void append_item(std::string& out, std::string_view name, std::size_t indent,
                 std::initializer_list<std::string_view> lines);

}  // namespace artel::config
