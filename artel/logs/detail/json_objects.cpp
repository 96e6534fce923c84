#include "artel/logs/detail/json_objects.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/logs/detail/byte_source.hpp"
#include "artel/logs/log_format.hpp"

namespace artel::logs::detail {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kDepthMax = 64;
constexpr std::size_t kValueMax = 4096;  // bytes of a value that are kept; no time is that long
// Of OpenTelemetry's lists of attributes: {"key": …, "value": {"intValue": …}}, in this order.
constexpr std::string_view kAttributeKey = "attributes.key";
constexpr std::string_view kAttributeValue = "attributes.value.";

/// The bytes of a source, for nlohmann's parser.
class ByteIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  ByteIterator() = default;
  explicit ByteIterator(ByteSource& source) : source_(&source) { ++*this; }

  reference operator*() const { return byte_; }
  ByteIterator& operator++() {
    const int next = source_->byte();
    if (next < 0) source_ = nullptr;
    byte_ = static_cast<char>(next);
    return *this;
  }
  friend bool operator==(const ByteIterator& a, const ByteIterator& b) {
    return a.source_ == b.source_;
  }

 private:
  ByteSource* source_ = nullptr;  // null: the end
  char byte_ = 0;
};

}  // namespace

/// What nlohmann's parser calls as it goes.
struct JsonObjects::Handler {
  Handler(std::string_view layout, std::span<const LogField> wanted, Sink to)
      : sink(std::move(to)),
        texts(wanted.size()),
        outer(wanted.size()),
        outermost(layout.substr(0, std::min(layout.find('.'), layout.find('|')))),
        values(wanted.size()) {
    for (;;) {
      const auto bar = layout.find('|');
      objects.emplace_back(layout.substr(0, bar));
      if (bar == std::string_view::npos) break;
      layout.remove_prefix(bar + 1);
    }
    for (const auto& field : wanted) fields.emplace_back(field.name);
  }

  void start() {
    for (auto& text : outer) text.clear();
    ++documents;
    keep(outer, kDocument, std::to_string(documents));
    attribute.clear();
    path.clear();
    nested.clear();
    depth = 0;
    object_depth = 0;
  }

  // Called by nlohmann's parser, hence the names. NOLINTBEGIN(readability-identifier-naming)
  bool null() { return value({}); }
  bool boolean(bool is) { return value(is ? "true" : "false"); }
  bool number_integer(std::int64_t number) { return digits(number); }
  bool number_unsigned(std::uint64_t number) { return digits(number); }
  bool number_float(double /*number*/, const std::string& text) { return value(text); }
  bool string(const std::string& text) { return value(text); }
  bool binary(const std::vector<std::uint8_t>& /*bytes*/) { return true; }
  bool start_object(std::size_t /*size*/) {
    if (!enter()) return false;
    if (object_depth == 0 && std::ranges::find(objects, path) != objects.end()) {
      object_depth = depth;
      object_path = path.empty() ? 0 : path.size() + 1;
      for (auto& text : texts) text.clear();
    } else if (object_depth == 0 && path == outermost) {
      for (auto& text : outer) text.clear();
    }
    return true;
  }
  bool end_object() {
    if (depth == object_depth) {
      object_depth = 0;
      for (std::size_t i = 0; i < texts.size(); ++i)
        values[i] = texts[i].empty() ? outer[i] : texts[i];
      sink(values);
    }
    return leave();
  }
  bool start_array(std::size_t /*size*/) { return enter(); }
  bool end_array() { return leave(); }
  bool key(const std::string& name) {
    path.resize(nested.back());
    if (!path.empty()) path += '.';
    path += name;
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) {
    stopped = position;
    return false;
  }
  // NOLINTEND(readability-identifier-naming)

  bool enter() {
    nested.push_back(path.size());
    return ++depth <= kDepthMax;
  }
  bool leave() {
    path.resize(nested.back());
    nested.pop_back();
    --depth;
    return true;
  }
  template <class Integer>
  bool digits(Integer number) {
    std::array<char, 24> text{};
    const auto end = std::to_chars(text.begin(), text.end(), number).ptr;
    return value({text.data(), static_cast<std::size_t>(end - text.data())});
  }
  bool value(std::string_view text) {
    if (path.ends_with(kAttributeKey)) {
      attribute.assign(text.substr(0, kValueMax));
      return true;
    }
    const auto at = path.rfind(kAttributeValue);
    if (at != std::string::npos && path.ends_with("Value")) {
      keep(object_depth == 0 ? outer : texts, attribute, text);
      return true;
    }
    if (object_depth == 0) return true;
    keep(texts, std::string_view(path).substr(std::min(object_path, path.size())), text);
    return true;
  }
  void keep(std::vector<std::string>& to, std::string_view name, std::string_view text) const {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (name == fields[i]) to[i].assign(text.substr(0, kValueMax));
    }
  }

  Sink sink;
  std::vector<std::string> objects;  // paths of the objects asked for
  std::vector<std::string> fields;
  std::vector<std::string> texts;  // of the fields, in the object at hand …
  std::vector<std::string> outer;  // … and around it, since an object at the path …
  std::string outermost;           // … began
  std::string attribute;           // the last key of one
  std::uint64_t documents = 0;     // so far
  std::vector<std::string_view> values;
  std::string path;                 // where the parser is; arrays add nothing to it
  std::vector<std::size_t> nested;  // lengths of the path at each level
  std::size_t depth = 0;
  std::size_t object_depth = 0;  // 0: in no object that was asked for
  std::size_t object_path = 0;
  std::size_t stopped = 0;
};

JsonObjects::JsonObjects(std::string_view layout, std::span<const LogField> fields, Sink sink)
    : handler_(std::make_unique<Handler>(layout, fields, std::move(sink))) {}

JsonObjects::~JsonObjects() = default;

bool JsonObjects::read(std::string_view document, std::size_t& stopped) {
  handler_->start();
  const bool whole = Json::sax_parse(document.begin(), document.end(), handler_.get());
  stopped = handler_->stopped;
  return whole;
}

bool JsonObjects::read(ByteSource& document, std::size_t& stopped) {
  handler_->start();
  const bool whole = Json::sax_parse(ByteIterator(document), ByteIterator(), handler_.get());
  stopped = handler_->stopped;
  return whole;
}

}  // namespace artel::logs::detail
