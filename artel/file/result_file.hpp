#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::file {

/// The file of a result that takes long to make and that a later run can resume. Only a finished
/// result gets the name that was asked for; an interrupted one goes to partial_path(), so that it
/// never replaces a finished one.
///
/// Errors:  io with the path and the system's reason.
/// Cost:    as WholeFile; keep() is a comparison most of the time.
/// Threads: one at a time.
class ResultFile {
 public:
  /// `path` may name a pipe or a device, which gets interrupted results, too.
  explicit ResultFile(std::filesystem::path path);

  /// Where an interrupted result goes: `r.json` becomes `r.partial.json`.
  [[nodiscard]] const std::filesystem::path& partial_path() const { return partial_; }

  /// Asked before long work: whether both files can be written. Leaves nothing behind.
  [[nodiscard]] Result<void> check() const;
  /// What an interrupted run left at partial_path() or, from versions before 0.3, at the path
  /// itself; nothing when there is no such file. `read` takes a text and returns a
  /// Result<std::optional<Known>>: nothing, if the text is no interrupted result.
  /// Errors: those of `read`, with the file; invalid, when partial_path() is some other file, which
  ///         a later interruption would replace.
  template <class Read>
  [[nodiscard]] std::invoke_result_t<Read&, std::string_view> resume(Read read) const {
    for (const auto& path : {partial_, path_}) {
      const auto text = text_of(path);
      if (!text) return fail(text);
      const std::optional<std::string>& there = *text;
      if (!there) continue;
      auto known = read(std::string_view(*there));
      if (!known) return fail(known.error().code, known.error().what, path.string());
      if (*known) return known;
      if (path == partial_ && path != path_)
        return fail(ErrorCode::invalid, "is no interrupted result, which would replace it",
                    path.string());
    }
    return std::nullopt;
  }

  /// Keeps what is known `now` as the interrupted result, at most every ten seconds. A failure is
  /// left to finish() or interrupt() to report.
  void keep(Instant now, const std::function<std::string()>& text);
  /// Writes the finished result and removes the interrupted one.
  [[nodiscard]] Result<void> finish(std::string_view text);
  /// Writes the interrupted result.
  [[nodiscard]] Result<void> interrupt(std::string_view text) const;

 private:
  static Result<std::optional<std::string>> text_of(const std::filesystem::path& path);

  std::filesystem::path path_;
  std::filesystem::path partial_;
  std::optional<Instant> kept_;
};

}  // namespace artel::file
