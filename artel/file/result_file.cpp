#include "artel/file/result_file.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/file/read_text_file.hpp"
#include "artel/file/write_file.hpp"

namespace artel::file {

namespace fs = std::filesystem;

ResultFile::ResultFile(fs::path path) : path_(std::move(path)), partial_(path_) {
  std::error_code unknown;
  if (fs::exists(path_, unknown) && !fs::is_regular_file(path_, unknown)) return;
  partial_.replace_filename(path_.stem().string() + ".partial" + path_.extension().string());
}

Result<void> ResultFile::check() const {
  if (const auto writable = check_writable(path_); !writable) return writable;
  return partial_ == path_ ? Result<void>() : check_writable(partial_);
}

Result<std::optional<std::string>> ResultFile::text_of(const fs::path& path) {
  constexpr std::uint64_t kBytesMax = std::uint64_t{1} << 32U;
  std::error_code unknown;
  if (!fs::is_regular_file(path, unknown)) return std::nullopt;
  auto text = read_text_file(path, kBytesMax, ReadFor::update);
  if (!text) return fail(text);
  return *std::move(text);
}

void ResultFile::keep(Instant now, const std::function<std::string()>& text) {
  constexpr auto kEvery = std::chrono::seconds(10);
  if (!kept_) kept_ = now;  // the first ten seconds are not worth a file
  if (now - *kept_ < kEvery) return;
  static_cast<void>(interrupt(text()));
  kept_ = now;
}

Result<void> ResultFile::finish(std::string_view text) {
  if (auto written = write_file(path_, text); !written) return written;
  std::error_code none;
  if (partial_ != path_) fs::remove(partial_, none);
  return {};
}

Result<void> ResultFile::interrupt(std::string_view text) const {
  return write_file(partial_, text);
}

}  // namespace artel::file
