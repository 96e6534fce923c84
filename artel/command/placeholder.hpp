#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "artel/command/detail/regex.hpp"
#include "artel/core/error.hpp"

namespace artel::command {

/// Between the fields of an item that has several: no argument can have a null byte.
inline constexpr char kFieldSeparator = '\0';

/// The fields of an item; one without separators is its only field.
[[nodiscard]] std::vector<std::string_view> fields_of(std::string_view item);

/// What {1}, {2}, … and {name} can stand for.
struct ItemFields {
  std::size_t count = 1;             ///< so many; 0: not known before they are read
  std::vector<std::string> names{};  ///< of the first fields
  bool of_job = true;  ///< {2} is the job's second item; false: each item's second field
};

/// Which part of a path.
enum class PathPart : std::uint8_t {
  whole,                   ///< {}
  without_extension,       ///< {.}
  name,                    ///< {/}: after the last slash
  name_without_extension,  ///< {/.}
  folder,                  ///< {//}: before the last slash; "." if there is none
};

/// As dirname, basename and ${x%.*} would give it.
[[nodiscard]] std::string_view part_of(std::string_view item, PathPart part);

/// What stands in a command for an item, or for the job:
///
///   {FIELD PART EDIT}   FIELD: nothing (all), 2, -1 (the last), or a name
///                       PART:  nothing, `.`, `/`, `/.`, `//`
///                       EDIT:  nothing, `%SUFFIX`, `#PREFIX` (removed if they are there, without
///                              spaces, quotes and braces), `/REGEX/TEXT/` or `/REGEX/TEXT/g`
///   {#} {%}             numbers of the job and of its slot
///
/// REGEX is a POSIX extended one over bytes (detail::Regex); in TEXT, \0 is what it matched, \1 its
/// first group; \/ is a slash in both. The first match is replaced, with g every one.
class Placeholder {
 public:
  /// What stands in its place: (part of) an item, or the number of the job or of its slot.
  enum class Source : std::uint8_t { item, job, slot };

  /// The placeholder that `text` begins with, which begins with a brace; nothing if it is none.
  /// Errors: a field that is not there; a regular expression that is wrong; what GNU parallel would
  /// replace, and we do not.
  [[nodiscard]] static Result<std::optional<Placeholder>> read(std::string_view text,
                                                               const ItemFields& fields);

  /// All of the item.
  [[nodiscard]] static Placeholder of_item(std::string text);

  /// What it is replaced by.
  [[nodiscard]] Source source() const { return source_; }
  /// As it was written.
  [[nodiscard]] const std::string& text() const { return text_; }
  /// Of which field: 0: all, 1: the first, -1: the last.
  [[nodiscard]] int field() const { return field_; }
  /// Whether it is an item or a field from 1 as it is, no part of it.
  [[nodiscard]] bool is_whole() const;
  /// The field among those of an item; empty if it has fewer.
  [[nodiscard]] std::string_view field_among(const std::vector<std::string_view>& fields) const;
  /// What stands there for the field.
  [[nodiscard]] std::string fill(std::string_view value) const;

 private:
  struct RemovedSuffix {
    std::string text;
  };
  struct RemovedPrefix {
    std::string text;
  };
  struct Replacement {
    detail::Regex regex;
    std::string text;
    bool all = false;
  };
  class Parser;

  Placeholder() = default;
  static std::string replaced(std::string_view value, const Replacement& replacement);

  Source source_ = Source::item;
  std::string text_;
  int field_ = 0;
  PathPart part_ = PathPart::whole;
  std::variant<std::monostate, RemovedSuffix, RemovedPrefix, Replacement> edit_;
};

}  // namespace artel::command
