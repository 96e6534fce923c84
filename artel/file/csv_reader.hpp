#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"

namespace artel::file {

/// What a CsvReader refuses to go beyond, so that no input can eat the memory.
struct CsvLimits {
  std::size_t record_bytes = std::size_t{1} << 16;     ///< of one record, with line ends in quotes
  std::uint64_t records = 10'000'000;                  ///< records, the header included
  std::uint64_t total_bytes = std::uint64_t{1} << 29;  ///< of the whole file
};

/// Reads comma-separated values (RFC 4180) one record at a time: quoted fields with doubled quotes
/// and line breaks inside, LF or CRLF, a byte order mark, a last line without a newline. Empty
/// lines are skipped.
///
/// Cost:   one pass, memory of one record whatever the size of the input.
/// Errors: "name:line:column: …" for a broken quote, a binary file, or a limit; reading then ends.
class CsvReader {
 public:
  /// `in` must outlive the reader; `name` is for messages.
  CsvReader(std::istream& in, std::string name, CsvLimits limits = {});

  /// Goes to the next record; false at the end of the input.
  [[nodiscard]] Result<bool> next();

  /// Fields of the current record, and the views into it, are valid until the next call of next().
  [[nodiscard]] std::size_t size() const { return fields_.size(); }
  [[nodiscard]] std::string_view operator[](std::size_t field) const;

  /// "name:line:column" of a field of the current record, both counted from 1, columns in bytes.
  [[nodiscard]] std::string where(std::size_t field) const;
  /// "name:line" of the current record's start.
  [[nodiscard]] std::string where() const;

 private:
  struct Field {
    std::size_t begin = 0, end = 0;  // in record_
    std::uint64_t line = 0, column = 0;
  };
  static constexpr int kEnd = -1;

  int peek();
  int take();
  [[nodiscard]] Result<bool> check_length();
  void start_field();
  void end_field() { fields_.back().end = record_.size(); }
  Result<bool> append(int byte);
  Result<bool> read_quoted();
  Result<bool> read_plain();
  Result<bool> read_record();
  tl::unexpected<Error> refuse(ErrorCode code, std::string what);

  std::istream& in_;
  std::string name_;
  CsvLimits limits_;
  std::vector<char> chunk_;
  std::size_t chunk_at_ = 0, chunk_size_ = 0;
  std::uint64_t line_ = 1, column_ = 1;  // of the byte that take() returns next
  std::uint64_t bytes_ = 0, records_ = 0;
  std::size_t record_bytes_ = 0;  // taken for the current record, commas and quotes included
  std::string record_;            // the fields without quotes and commas
  std::vector<Field> fields_;
  bool quoted_ = false;  // the current record has a quoted field
};

/// Appends one record and a line feed; fields are quoted where they must be.
void append_csv(std::string& out, std::span<const std::string_view> fields);

}  // namespace artel::file
