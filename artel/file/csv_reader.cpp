#include "artel/file/csv_reader.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <ios>
#include <istream>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/require.hpp"

namespace artel::file {

CsvReader::CsvReader(std::istream& in, std::string name, CsvLimits limits)
    : in_(in), name_(std::move(name)), limits_(limits), chunk_(std::size_t{1} << 16) {
  for (const int mark : {0xEF, 0xBB, 0xBF}) {  // UTF-8 byte order mark
    if (peek() != mark) break;
    ++chunk_at_;
  }
}

int CsvReader::peek() {
  if (chunk_at_ == chunk_size_) {
    in_.read(chunk_.data(), static_cast<std::streamsize>(chunk_.size()));
    chunk_size_ = static_cast<std::size_t>(in_.gcount());
    chunk_at_ = 0;
    if (chunk_size_ == 0) return kEnd;
    bytes_ += chunk_size_;
  }
  return static_cast<unsigned char>(chunk_[chunk_at_]);
}

int CsvReader::take() {
  const int byte = peek();
  if (byte == kEnd) return byte;
  ++chunk_at_;
  ++record_bytes_;
  if (byte == '\n') {
    ++line_;
    column_ = 1;
  } else {
    ++column_;
  }
  return byte;
}

void CsvReader::start_field() {
  fields_.push_back({record_.size(), record_.size(), line_, column_});
}

tl::unexpected<Error> CsvReader::refuse(ErrorCode code, std::string what) {
  return fail(code, std::move(what), fmt::format("{}:{}:{}", name_, line_, column_));
}

Result<bool> CsvReader::check_length() {
  if (record_bytes_ <= limits_.record_bytes) return true;
  return refuse(
      ErrorCode::too_large,
      fmt::format("the line is longer than {} bytes; is this a CSV file?", limits_.record_bytes));
}

Result<bool> CsvReader::append(int byte) {
  if (byte == 0) {
    return refuse(ErrorCode::parse,
                  "found a zero byte; expected text in UTF-8 (is this a binary file?)");
  }
  record_.push_back(static_cast<char>(byte));
  return check_length();
}

// From behind the opening quote to behind the closing one.
Result<bool> CsvReader::read_quoted() {
  const auto opened = fields_.back();
  for (;;) {
    const int byte = take();
    if (byte == kEnd) {
      return fail(ErrorCode::parse, "the quote that starts here is never closed",
                  fmt::format("{}:{}:{}", name_, opened.line, opened.column));
    }
    if (byte == '"') {
      if (peek() != '"') return true;
      take();
    }
    if (auto added = append(byte); !added) return added;
  }
}

// Up to, not including, the comma or line break.
Result<bool> CsvReader::read_plain() {
  for (;;) {
    const int byte = peek();
    if (byte == kEnd || byte == ',' || byte == '\n') break;
    if (byte == '"') {
      return refuse(ErrorCode::parse,
                    "a quote inside an unquoted field; quote the whole field and double the quote");
    }
    if (auto added = append(byte); !added) return added;
    take();
  }
  const bool carriage_return =
      peek() != ',' && record_.size() > fields_.back().begin && record_.back() == '\r';
  if (carriage_return) record_.pop_back();
  return true;
}

Result<bool> CsvReader::read_record() {
  record_.clear();
  fields_.clear();
  record_bytes_ = 0;
  quoted_ = false;
  for (;;) {
    if (auto fits = check_length(); !fits) return fits;
    start_field();
    if (peek() == '"') {
      quoted_ = true;
      take();
      if (auto read = read_quoted(); !read) return read;
      end_field();
      if (peek() == '\r') take();
      if (const int byte = peek(); byte != ',' && byte != '\n' && byte != kEnd) {
        return refuse(ErrorCode::parse,
                      "expected a comma or the end of the line after the closing quote");
      }
    } else {
      if (auto read = read_plain(); !read) return read;
      end_field();
    }
    if (take() != ',') return true;
  }
}

Result<bool> CsvReader::next() {
  while (peek() != kEnd) {
    if (auto read = read_record(); !read) return read;
    if (bytes_ > limits_.total_bytes) {
      return refuse(ErrorCode::too_large,
                    fmt::format("the input is larger than {} bytes", limits_.total_bytes));
    }
    const bool empty = fields_.size() == 1 && record_.empty() && !quoted_;
    if (empty) continue;
    if (++records_ > limits_.records) {
      return refuse(ErrorCode::too_large, fmt::format("more than {} lines", limits_.records));
    }
    return true;
  }
  if (in_.bad()) return fail(ErrorCode::io, "reading failed", name_);
  return false;
}

std::string_view CsvReader::operator[](std::size_t field) const {
  ARTEL_REQUIRE(field < fields_.size(), "no such field in this record", field, fields_.size());
  const auto [begin, end, line, column] = fields_[field];
  return std::string_view(record_).substr(begin, end - begin);
}

std::string CsvReader::where(std::size_t field) const {
  ARTEL_REQUIRE(field < fields_.size(), "no such field in this record", field, fields_.size());
  return fmt::format("{}:{}:{}", name_, fields_[field].line, fields_[field].column);
}

std::string CsvReader::where() const {
  return fields_.empty() ? name_ : fmt::format("{}:{}", name_, fields_.front().line);
}

void append_csv(std::string& out, std::span<const std::string_view> fields) {
  const bool lone_empty = fields.size() == 1 && fields.front().empty();  // would be an empty line
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) out += ',';
    const bool quote = lone_empty || fields[i].find_first_of(",\"\r\n") != std::string_view::npos;
    if (!quote) {
      out += fields[i];
      continue;
    }
    out += '"';
    for (const char c : fields[i]) {
      if (c == '"') out += '"';
      out += c;
    }
    out += '"';
  }
  out += '\n';
}

}  // namespace artel::file
