#include "artel/report/detail/tails_json.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "artel/report/detail/significant.hpp"

namespace artel::report::detail {
namespace {

using Json = nlohmann::ordered_json;

Json tail_of(const NamedResponses& responses, int values_per_decade) {
  Json seconds = Json::array();
  Json share = Json::array();
  const auto count = static_cast<double>(responses.ns->count());
  const double least = static_cast<double>(responses.runs) / count;  // one task of one run
  for (int i = 0; count > 0; ++i) {
    const double tail = std::max(std::pow(10, -static_cast<double>(i) / values_per_decade), least);
    seconds.push_back(significant(1e-9 * responses.ns->quantile(1 - tail)));
    share.push_back(significant(tail));
    if (tail <= least) break;
  }
  return {{"policy", responses.name}, {"seconds", std::move(seconds)}, {"share", std::move(share)}};
}

}  // namespace

std::string tails_json(const std::vector<std::vector<NamedResponses>>& points) {
  constexpr std::size_t kValues = 40'000;  // of all curves, where that leaves enough for each
  constexpr std::size_t kDecades = 5;
  std::size_t curves = 1;
  for (const auto& point : points) curves += point.size();
  const auto per_decade =
      static_cast<int>(std::clamp<std::size_t>(kValues / kDecades / curves, 4, 24));
  Json json = Json::array();
  for (const auto& point : points) {
    auto& tails = json.emplace_back(Json::array());
    for (const auto& responses : point) tails.push_back(tail_of(responses, per_decade));
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace artel::report::detail
