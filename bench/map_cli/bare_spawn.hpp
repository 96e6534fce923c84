#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace artel::bench {

/// The least that any such program has to do: runs `program ITEM` for each item, `jobs` at a time,
/// by posix_spawn with two pipes, and prints each job's output when it has ended. No order, no log,
/// no signals, no limits.
void bare_spawn(std::size_t jobs, const std::string& program,
                const std::vector<std::string>& items);

}  // namespace artel::bench
