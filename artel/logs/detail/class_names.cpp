#include "artel/logs/detail/class_names.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/logs/log_format.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::logs::detail {
namespace {

constexpr std::size_t kKeyBytes = 200;  // of a value; what is longer is alike from there on
constexpr std::uint16_t kManyMore = std::numeric_limits<std::uint16_t>::max();
constexpr const char* kNone = "(none)";
constexpr const char* kOther = "(other)";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// 17, 3fa85f64-5717-4562-b3fc-2c963f66afa6: what tells one thing from another, not a kind of them.
bool is_number_or_id(std::string_view part) {
  constexpr std::size_t kIdMin = 8;
  if (part.empty() || std::ranges::none_of(part, is_digit)) return false;
  if (std::ranges::all_of(part, is_digit)) return true;
  return part.size() >= kIdMin &&
         std::ranges::all_of(part, [](char c) { return is_hex(c) || c == '-'; });
}

// The request line in it: what quotes are around, if there are such.
std::string_view request_of(std::string_view value) {
  const auto quote = value.find('"');
  if (quote == std::string_view::npos) return value;
  value.remove_prefix(quote + 1);
  return value.substr(0, value.find('"'));
}

}  // namespace

std::string_view class_part(std::string_view value, ClassPart part, std::string& room) {
  if (part == ClassPart::whole) return value;
  auto request = request_of(value);
  const auto blank = request.find(' ');
  if (part == ClassPart::method)
    return blank == std::string_view::npos ? std::string_view{} : request.substr(0, blank);
  if (blank != std::string_view::npos) request.remove_prefix(blank + 1);
  request = request.substr(0, request.find_first_of(" ?#;"));
  room.clear();
  while (!request.empty()) {
    const auto end = std::min(request.find('/'), request.size());
    const auto piece = request.substr(0, end);
    room += is_number_or_id(piece) ? std::string_view("*") : piece;
    if (end < request.size()) room += '/';
    request.remove_prefix(std::min(end + 1, request.size()));
  }
  return room;
}

std::uint16_t ClassNames::number(std::string_view value, std::vector<ClassCount>& classes) {
  value = value.substr(0, kKeyBytes);
  const auto found = numbers_.find(value);
  if (found != numbers_.end()) return found->second;
  if (classes.size() >= kManyMore) {
    if (classes.size() == kManyMore) classes.push_back({.name = kOther});
    return kManyMore;
  }
  const auto number = static_cast<std::uint16_t>(classes.size());
  numbers_.emplace(value, number);
  classes.push_back({.name = value.empty() ? kNone : trace::class_name(value)});
  return number;
}

void KeptClasses::add(const std::vector<ClassCount>& classes) {
  auto& numbers = numbers_.emplace_back();
  for (const auto& [name, tasks] : classes) {
    const auto place = static_cast<std::uint32_t>(all_.size());
    const auto [entry, added] = names_.try_emplace(name, place);
    if (added) all_.push_back({name, 0});
    all_[entry->second].tasks += tasks;
    numbers.push_back(entry->second);
  }
}

void KeptClasses::settle(LogReading& reading) {
  reading.classes.clear();
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < all_.size(); ++i) {
    if (all_[i].tasks > 0) order.push_back(i);  // some are of tasks that did not end
  }
  reading.classes_seen = order.size();
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    const bool a_rest = all_[a].name == kOther, b_rest = all_[b].name == kOther;
    if (a_rest != b_rest) return b_rest;
    return all_[a].tasks != all_[b].tasks ? all_[a].tasks > all_[b].tasks
                                          : all_[a].name < all_[b].name;
  });
  const bool all_fit = order.size() <= trace::kTaskClassesMax;
  const auto named = all_fit ? order.size() : trace::kTaskClassesMax - 1;
  kept_.assign(all_.size(), static_cast<std::uint16_t>(named));
  if (!all_fit) reading.classes.resize(named + 1, {.name = kOther});
  for (std::size_t i = 0; i < order.size(); ++i) {
    auto& one = all_[order[i]];
    if (i < named) kept_[order[i]] = static_cast<std::uint16_t>(i);
    if (i >= named) {
      reading.classes[named].tasks += one.tasks;
    } else if (all_fit) {
      reading.classes.push_back(std::move(one));
    } else {
      reading.classes[i] = std::move(one);
    }
  }
}

}  // namespace artel::logs::detail
