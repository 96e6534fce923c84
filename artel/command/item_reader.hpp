#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "artel/core/error.hpp"

namespace artel::command {

/// What a source of items says when asked for the next one.
enum class Supply : std::uint8_t {
  item,  ///< here it is
  wait,  ///< not yet: more when file() is readable
  end,   ///< there are no more
  cut,   ///< the job ends here, and another one begins; never before its first item
};

/// Items one by one, for whoever has time for the next. Threads: one at a time.
class InputItems {
 public:
  virtual ~InputItems() = default;

  /// Errors: reading failed, or what was read cannot be an argument.
  [[nodiscard]] virtual Result<Supply> next(std::string& item) = 0;
  /// Readable when `wait` is over; -1: never waits.
  [[nodiscard]] virtual int file() const { return -1; }
  /// How much of the source next() has handed out, 0 to 1, if that can be told.
  [[nodiscard]] virtual std::optional<double> share() const = 0;
};

/// The next item, however long it takes; nothing: there is none. Errors: as InputItems::next().
[[nodiscard]] Result<std::optional<std::string>> wait_for_item(InputItems& items);

/// Items that are there already.
class ListedItems : public InputItems {
 public:
  explicit ListedItems(std::vector<std::string> items) : items_(std::move(items)) {}
  [[nodiscard]] Result<Supply> next(std::string& item) override;
  [[nodiscard]] std::optional<double> share() const override;

 private:
  std::vector<std::string> items_;
  std::size_t next_ = 0;
};

/// Items from a file, pipe or terminal, each ended by a line break or a null byte (the last one's
/// may be missing). Reads no further than its buffer, and never blocks.
///
/// Errors: io; too_large: an item longer than kItemMax; invalid: a null byte in a line.
class ItemReader : public InputItems {
 public:
  /// Linux takes no longer argument (MAX_ARG_STRLEN, its final null byte not counted).
  static constexpr std::size_t kItemMax = 131071;

  /// Does not own `file`; `name` is for messages.
  ItemReader(int file, char separator, std::string name);

  [[nodiscard]] Result<Supply> next(std::string& item) override;
  [[nodiscard]] int file() const override { return file_; }
  [[nodiscard]] std::optional<double> share() const override;

 private:
  [[nodiscard]] Result<Supply> hand_out(std::string& item, std::size_t length, std::size_t used);
  [[nodiscard]] Result<bool> fill();

  int file_;
  char separator_;
  std::string name_;
  std::vector<char> buffer_;
  std::size_t at_ = 0;        // of what is not handed out
  std::size_t searched_ = 0;  // there is no separator between at_ and here
  std::size_t end_ = 0;
  bool ended_ = false;
  std::uint64_t items_ = 0;
  std::uint64_t bytes_ = 0;  // handed out
  std::uint64_t size_ = 0;   // of the file; 0: not known
};

}  // namespace artel::command
