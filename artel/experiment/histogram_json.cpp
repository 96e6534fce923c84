#include "artel/experiment/histogram_json.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "artel/stat/histogram.hpp"
#include "artel/stat/replicated_histogram.hpp"

namespace artel::experiment {
namespace {

using Json = nlohmann::ordered_json;

template <class Whole>
bool read_whole(const Json& json, Whole& whole) {
  if (!json.is_number_unsigned() ||
      json.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<Whole>::max()})
    return false;
  whole = json.get<Whole>();
  return true;
}

template <class Whole>
bool read_member(const Json& json, const char* name, Whole& whole) {
  const auto at = json.find(name);
  return at != json.end() && read_whole(*at, whole);
}

}  // namespace

// Gaps between buckets instead of their numbers: most are 1.
Json histogram_json(const stat::Histogram& histogram) {
  const auto parts = histogram.parts();
  Json buckets = Json::array();
  std::uint64_t next = 0;
  for (const auto& [bucket, count] : parts.buckets) {
    buckets.push_back(bucket - next);
    buckets.push_back(count);
    next = bucket;
  }
  return {{"precision_bits", parts.precision_bits},
          {"min", parts.min},
          {"max", parts.max},
          {"sum", {parts.sum_high, parts.sum_low}},
          {"buckets", std::move(buckets)}};
}

Json histogram_json(const stat::ReplicatedHistogram& times) {
  Json groups = Json::array();
  for (const auto& group : times.groups()) groups.push_back(histogram_json(group));
  return {{"all", histogram_json(times.all())}, {"groups", std::move(groups)}};
}

std::optional<stat::Histogram> read_histogram(const Json& json, unsigned bits) {
  stat::Histogram::Parts parts;
  if (!json.is_object() || !read_member(json, "precision_bits", parts.precision_bits) ||
      !read_member(json, "min", parts.min) || !read_member(json, "max", parts.max))
    return std::nullopt;
  const auto sum = json.find("sum");
  const auto buckets = json.find("buckets");
  if (sum == json.end() || !sum->is_array() || sum->size() != 2 ||
      !read_whole((*sum)[0], parts.sum_high) || !read_whole((*sum)[1], parts.sum_low))
    return std::nullopt;
  if (buckets == json.end() || !buckets->is_array() || buckets->size() % 2 != 0)
    return std::nullopt;
  std::uint64_t bucket = 0;
  for (std::size_t i = 0; i < buckets->size(); i += 2) {
    std::uint64_t gap = 0;
    std::uint64_t count = 0;
    if (!read_whole((*buckets)[i], gap) || !read_whole((*buckets)[i + 1], count) ||
        __builtin_add_overflow(bucket, gap, &bucket))
      return std::nullopt;
    parts.buckets.emplace_back(bucket, count);
  }
  auto made = stat::Histogram::of(parts);
  if (!made || parts.precision_bits != bits) return std::nullopt;
  return made;
}

std::optional<stat::ReplicatedHistogram> read_replicated_histogram(const Json& json) {
  if (!json.is_object() || !json.contains("all") || !json.contains("groups") ||
      !json["groups"].is_array())
    return std::nullopt;
  auto all = read_histogram(json["all"]);
  if (!all) return std::nullopt;
  std::vector<stat::Histogram> groups;
  for (const auto& one : json["groups"]) {
    auto group = read_histogram(one, stat::ReplicatedHistogram::kGroupBits);
    if (!group) return std::nullopt;
    groups.push_back(*std::move(group));
  }
  return stat::ReplicatedHistogram::of(*std::move(all), std::move(groups));
}

}  // namespace artel::experiment
