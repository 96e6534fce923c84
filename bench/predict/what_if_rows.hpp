#pragma once

#include <string>

namespace artel::bench {

/// Tasks that compress, in bursts: recorded with one worker, predicted for two (`artel replay
/// --what-if`), and measured with two. The rows of the table in docs/prediction.md, one per policy.
[[nodiscard]] std::string what_if_rows(bool smoke);

}  // namespace artel::bench
