#include "artel/logs/detail/line_pattern.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace artel::logs::detail {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_upper(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::size_t word_end(std::string_view text, std::size_t at) {
  while (at < text.size() && is_word(text[at])) ++at;
  return at;
}

// Envoy's "%NAME%" or "%NAME(…)%", or nothing.
std::size_t envoy_end(std::string_view text) {
  const auto name = word_end(text, 1);
  if (!is_upper(text.substr(1, name - 1)) || name >= text.size()) return 0;
  if (text[name] == '%') return name + 1;
  if (text[name] != '(') return 0;
  const auto closed = text.find(")%", name);
  return closed == std::string_view::npos ? 0 : closed + 2;
}

// How long the variable that starts here is; 0: none starts here.
std::size_t variable_length(std::string_view text) {
  if (text.front() == '$') {
    const auto end = word_end(text, 1);
    return end > 1 ? end : 0;
  }
  if (text.front() != '%') return 0;
  if (const auto envoy = envoy_end(text); envoy > 0) return envoy;
  std::size_t at = 1;
  if (at < text.size() && text[at] == '{') at = std::min(text.find('}', at), text.size() - 1) + 1;
  if (at < text.size() && (text[at] == '>' || text[at] == '<')) ++at;
  const auto end = word_end(text, at);
  return end > at ? end : 0;
}

}  // namespace

std::vector<std::string_view> variables_of(std::string_view pattern) {
  std::vector<std::string_view> found;
  for (std::size_t at = 0; at < pattern.size();) {
    const auto length = variable_length(pattern.substr(at));
    if (length > 0) found.push_back(pattern.substr(at, length));
    at += std::max<std::size_t>(length, 1);
  }
  return found;
}

LinePattern::LinePattern(std::string_view pattern, std::span<const std::string_view> names) {
  std::size_t text = 0;
  for (std::size_t at = 0; at < pattern.size();) {
    const auto length = variable_length(pattern.substr(at));
    if (length == 0) {
      ++at;
      continue;
    }
    const auto name = pattern.substr(at, length);
    const auto found = std::ranges::find(names, name);
    parts_.push_back(
        {.before = pattern.substr(text, at - text),
         .field = found == names.end() ? kUnused : static_cast<std::size_t>(found - names.begin()),
         .several = name.starts_with("$upstream_")});
    at += length;
    text = at;
  }
  end_ = pattern.substr(text);
}

bool LinePattern::match(std::string_view line, std::span<std::string_view> values,
                        std::size_t& stopped) const {
  std::size_t at = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const auto& part = parts_[i];
    stopped = at;
    if (line.substr(at, part.before.size()) != part.before) return false;
    at += part.before.size();
    const bool last = i + 1 == parts_.size();
    const auto next = last ? end_ : parts_[i + 1].before;
    std::size_t end = line.size();
    if (!next.empty()) {
      end = next.size() == 1 ? line.find(next.front(), at) : line.find(next, at);
      while (part.several && end != std::string_view::npos && end > at &&
             (line[end - 1] == ',' || line[end - 1] == ':' || line.substr(end, 3) == " : ")) {
        end = line.find(next, end + (line.substr(end, 3) == " : " ? 3 : 1));
      }
    }
    stopped = at;
    if (end == std::string_view::npos) return false;
    if (part.field != kUnused) values[part.field] = line.substr(at, end - at);
    at = end;
  }
  stopped = at;
  return line.substr(at) == end_;
}

}  // namespace artel::logs::detail
