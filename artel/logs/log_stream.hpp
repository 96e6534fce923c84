#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <istream>
#include <memory>
#include <optional>
#include <stop_token>

#include "artel/core/error.hpp"

namespace artel::logs {

/// Hears how many bytes of a file have been read, and how many there are.
using BytesRead = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// Who ends the reading of a stream early, and who hears how far it is.
struct StreamWatch {
  std::stop_token stop{};  ///< asked to stop: the stream ends, and failure() says why
  BytesRead progress{};    ///< as the bytes are in the file, packed or not
};

/// A file to read from its start, whether it is packed with gzip, with zstd or not; the first bytes
/// tell. Several packed parts one after the other are one file. It can be read again from the
/// start (seekg(0)), and from nowhere else.
///
/// Cost:    memory of a few buffers, whatever the size.
/// Threads: one at a time.
class LogStream : public std::istream {
 public:
  /// What to do about a pipe, whose bytes come once.
  enum class Pipes : std::uint8_t {
    refused,  ///< an error
    copied,   ///< up to its end, into a temporary file
  };
  /// Errors: those of file::open_text_file(); no room for the copy; `cancelled` when stopped while
  ///         it copies.
  [[nodiscard]] static Result<std::unique_ptr<LogStream>> open(const std::filesystem::path& path,
                                                               Pipes pipes = Pipes::refused,
                                                               StreamWatch watch = {});
  ~LogStream() override;
  LogStream(const LogStream&) = delete;
  LogStream& operator=(const LogStream&) = delete;

  /// Whether it was compressed.
  [[nodiscard]] bool packed() const;
  /// Why the end of the stream is not the end of the file: it is damaged or cut off, or reading it
  /// was `cancelled`.
  [[nodiscard]] std::optional<Error> failure() const;

 private:
  class Unpacked;
  explicit LogStream(std::unique_ptr<Unpacked> buffer);
  std::unique_ptr<Unpacked> buffer_;
};

}  // namespace artel::logs
