#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artel/command/item_reader.hpp"
#include "artel/core/error.hpp"

namespace artel::command {

/// How much goes into a job.
struct PackLimits {
  std::size_t items_max = 1;  ///< items
  std::size_t bytes_max = 0;  ///< of what bytes_of() says
  std::size_t words_max = 0;  ///< items, as pointers to them have their bytes, too
  /// When the input ends before a job is full, its items are spread over so many jobs, and no job
  /// starts before it is full or the input has ended; 0: they are one job.
  std::size_t spread = 0;
};

/// What a command line may have, of the system's ARG_MAX and the environment: 131072 bytes at most,
/// as xargs has it, which leaves something to do for other slots.
/// `fixed`: bytes of the words that every job has; `asked`: bytes wanted at most; 0: as many as
/// possible of that.
/// Errors: too_large: the fixed words leave no room.
[[nodiscard]] Result<PackLimits> pack_limits(std::size_t fixed, std::size_t asked);

/// Items with a cut (Supply::cut) wherever another one would make the command line too long. One
/// that is too long alone is a job of its own.
class PackedItems : public InputItems {
 public:
  PackedItems(InputItems& items, PackLimits limits,
              std::function<std::size_t(std::string_view)> bytes_of);

  [[nodiscard]] Result<Supply> next(std::string& item) override;
  [[nodiscard]] int file() const override { return items_.file(); }
  [[nodiscard]] std::optional<double> share() const override { return items_.share(); }

 private:
  [[nodiscard]] Result<Supply> fill();

  InputItems& items_;
  const PackLimits limits_;
  const std::function<std::size_t(std::string_view)> bytes_of_;
  std::vector<std::string> job_;  // what it has, or will have
  std::size_t bytes_ = 0;
  std::size_t given_ = 0;            // of job_
  std::optional<std::string> next_;  // the first one of the next job
  bool full_ = false;
  bool ended_ = false;
  std::size_t per_job_ = 0;  // when what is left is spread
};

}  // namespace artel::command
