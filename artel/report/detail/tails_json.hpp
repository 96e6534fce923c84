#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "artel/stat/histogram.hpp"

namespace artel::report::detail {

/// The response times of one policy, or of another kind of run.
struct NamedResponses {
  std::string name;
  const stat::Histogram* ns = nullptr;
  std::size_t runs = 1;  ///< so many together
};

/// The distribution of response times for the page: per point, for each of its curves, which share
/// of the tasks took longer than how many seconds. As JSON, see docs/report.md.
///
/// The shares fall by equal factors, from 1 down to one task of one run: beyond, it would be the
/// story of single tasks.
/// Cost: the more curves, the fewer values for each; some megabytes at most.
[[nodiscard]] std::string tails_json(const std::vector<std::vector<NamedResponses>>& points);

}  // namespace artel::report::detail
