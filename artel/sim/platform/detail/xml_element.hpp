#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "artel/config/problems.hpp"
#include "artel/config/toml_value.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::sim::detail {

/// Where the lines of a text begin, to turn offsets into places.
class LineStarts {
 public:
  explicit LineStarts(std::string_view text);
  [[nodiscard]] config::SourcePosition place(std::size_t offset) const;

 private:
  std::vector<std::size_t> starts_;
};

/// An element of an XML file, whose attributes are read with checks.
///
/// As with a TableReader, the getters report what is not allowed and return something harmless.
class XmlElement {
 public:
  XmlElement(pugi::xml_node node, const LineStarts& lines, config::Problems& problems)
      : node_(node), lines_(&lines), problems_(&problems) {}

  [[nodiscard]] std::string_view name() const { return node_.name(); }
  [[nodiscard]] config::SourcePosition place() const;
  /// Its elements, without text and comments.
  [[nodiscard]] std::vector<XmlElement> children() const;
  [[nodiscard]] bool has(const char* attribute) const {
    return !node_.attribute(attribute).empty();
  }

  /// Reports attributes that are not among these.
  void allow(std::initializer_list<std::string_view> attributes) const;
  void refuse(const std::string& what, ErrorCode code = ErrorCode::invalid) const;

  /// Reported when it is not there or empty.
  [[nodiscard]] std::string text(const char* attribute) const;
  /// May be missing, or empty.
  [[nodiscard]] std::string text_or(const char* attribute, std::string_view fallback) const;
  [[nodiscard]] std::string word(const char* attribute,
                                 std::initializer_list<std::string_view> allowed,
                                 std::string_view fallback) const;
  /// Flop/s, bytes per second, bytes, above 0: with a unit, or without in these.
  [[nodiscard]] double flops(const char* attribute) const;
  [[nodiscard]] double bandwidth(const char* attribute) const;
  [[nodiscard]] double bytes(const char* attribute) const;
  /// "50us", or seconds; zero when it is not there.
  [[nodiscard]] Duration duration(const char* attribute) const;
  [[nodiscard]] std::uint32_t count(const char* attribute, std::uint32_t fallback) const;

 private:
  template <class Parse>
  [[nodiscard]] double quantity(const char* attribute, Parse parse, std::string_view allowed) const;

  pugi::xml_node node_;
  const LineStarts* lines_;
  config::Problems* problems_;
};

}  // namespace artel::sim::detail
