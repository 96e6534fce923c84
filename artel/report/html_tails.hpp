#pragma once

#include <string>

#include "artel/lab/experiment.hpp"

namespace artel::report {

/// The distribution of response times for the page: per point and policy, which share of the tasks
/// took longer than how many seconds. As JSON, see docs/report.md.
///
/// The shares fall by equal factors, from 1 down to one task of one replication: beyond, it would
/// be the story of single tasks.
/// Cost: the larger the study, the fewer values per curve; some megabytes at most.
[[nodiscard]] std::string tails_json(const lab::ExperimentResult& result);

}  // namespace artel::report
