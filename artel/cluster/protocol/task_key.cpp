#include "artel/cluster/protocol/task_key.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/nearest_name.hpp"

namespace artel::cluster {

namespace {

constexpr char kTagMark = '#';  // no task's name begins with it: it would be no identifier
constexpr std::size_t kTagMax = 64;

}  // namespace

std::string to_string(const TaskKey& key) { return fmt::format("{} v{}", key.name, key.version); }

TaskKey tag_key(std::string_view tag) { return {kTagMark + std::string(tag), 0, 0}; }
bool is_tag(const TaskKey& key) { return key.name.starts_with(kTagMark); }

bool is_tag_name(std::string_view text) {
  return !text.empty() && text.size() <= kTagMax && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.' || c == ':';
  });
}

Result<void> check_known(std::span<const TaskKey> known, const TaskKey& wanted) {
  if (is_tag(wanted)) {
    if (std::ranges::find(known, wanted) != known.end()) return {};
    return fail(ErrorCode::not_found, fmt::format("no tag '{}' there", wanted.name.substr(1)));
  }
  const auto same_name = std::ranges::find(known, wanted.name, &TaskKey::name);
  if (same_name == known.end()) {
    std::vector<std::string_view> names;
    names.reserve(known.size());
    for (const TaskKey& key : known) {
      if (!is_tag(key)) names.push_back(key.name);
    }
    return fail(ErrorCode::not_found, unknown_name("task", wanted.name, names));
  }
  if (same_name->version != wanted.version) {
    return fail(ErrorCode::unsupported,
                fmt::format("task '{}' has version {} there, version {} is "
                            "wanted: build master and workers alike",
                            wanted.name, same_name->version, wanted.version));
  }
  if (same_name->signature != wanted.signature) {
    return fail(ErrorCode::unsupported,
                fmt::format("task '{}' takes or returns other types there: build master and "
                            "workers alike, and raise the task's version with such a change",
                            wanted.name));
  }
  return {};
}

}  // namespace artel::cluster
