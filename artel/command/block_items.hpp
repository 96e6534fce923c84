#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "artel/command/item_reader.hpp"
#include "artel/core/error.hpp"
#include "artel/file/open_file.hpp"

namespace artel::command {

/// How an input is cut into blocks.
struct BlockLimits {
  std::size_t bytes = std::size_t{1} << 20U;  ///< wanted; a longer record makes a longer block
  std::size_t records = 0;                    ///< each block has so many; 0: by its bytes
  std::string record_end = "\n";              ///< what a record ends with
  std::string record_start{};                 ///< what the next one begins with
};

/// An input in blocks of whole records, for jobs that read them: each item is the path of a file in
/// memory with the next block, which whoever runs as we do can open while we keep it.
///
/// Memory: a block while it is read, and those that were not released.
/// Errors: io; too_large: a record longer than kRecordMax. Threads: one at a time.
class BlockItems : public InputItems {
 public:
  static constexpr std::size_t kRecordMax = std::size_t{1} << 30U;

  /// Does not own `file`; `name` is for messages.
  BlockItems(int file, BlockLimits limits, std::string name);

  [[nodiscard]] Result<Supply> next(std::string& item) override;
  [[nodiscard]] int file() const override { return file_; }
  [[nodiscard]] std::optional<double> share() const override;
  /// The block that was given as the `number`-th item, from 1, is not needed any more.
  void release(std::uint64_t number) { kept_.erase(number); }

 private:
  [[nodiscard]] std::size_t end_of_block();
  [[nodiscard]] std::size_t next_border();
  [[nodiscard]] Result<bool> read();
  [[nodiscard]] Result<void> keep(std::size_t bytes, std::string& item);

  int file_;
  const BlockLimits limits_;
  const std::string border_;  // between two records: the end of one, the start of the next
  const std::size_t least_;   // a border is behind at least so many bytes of its record
  std::string name_;
  std::string buffer_;
  std::size_t searched_ = 0;  // no border begins before, of those that are still to be found
  std::size_t records_ = 0;
  bool ended_ = false;
  std::uint64_t given_ = 0;
  std::uint64_t bytes_given_ = 0;
  std::uint64_t size_ = 0;  // of the file; 0: not known
  std::map<std::uint64_t, file::OpenFile> kept_;
};

}  // namespace artel::command
