#include "artel/command/detail/job_printer.hpp"

#include <fmt/core.h>

#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "artel/command/detail/output_store.hpp"
#include "artel/command/detail/output_stream.hpp"
#include "artel/core/error.hpp"

namespace artel::command::detail {

std::optional<int> JobPrinter::blocked_on() const {
  if (!printing_) return std::nullopt;
  return (out_is_done_ ? err_ : out_).file();
}

Result<void> JobPrinter::print() {
  while (true) {
    if (!printing_) {
      auto next = store_.take();
      if (!next) return fail(next);
      std::optional<JobOutput> output = std::move(*next);
      if (!output) return {};
      current_ = std::move(*output);
      printing_ = true;
      out_is_done_ = false;
      if (before_ && !(current_.out.empty() && current_.err.empty())) before_();
    }
    if (!out_is_done_) {
      const auto done = print_stream(current_.out, out_);
      if (!done) return fail(done);
      if (!*done) return {};
      out_is_done_ = true;
    }
    const auto done = print_stream(current_.err, err_);
    if (!done) return fail(done);
    if (!*done) return {};
    printing_ = false;
  }
}

// Whether there is more of it; it is in `piece_` then.
Result<bool> JobPrinter::fill(StreamText& stream) {
  written_ = 0;
  piece_.clear();
  if (!stream.spilled.empty()) {
    if (auto taken = spill_.take(stream.spilled, piece_); !taken) return fail(taken);
  } else {
    piece_.swap(stream.text);
  }
  return !piece_.empty();
}

// Whether all of it is written.
Result<bool> JobPrinter::print_stream(StreamText& stream, OutputStream& file) {
  while (true) {
    if (written_ == piece_.size()) {
      const auto more = fill(stream);
      if (!more || !*more) return more ? Result<bool>(true) : more;
    }
    const auto count = file.write(std::string_view(piece_).substr(written_));
    if (!count) {
      if (&file == &err_) {
        written_ = piece_.size();
        continue;
      }
      if (count.error() == std::errc::broken_pipe) {
        return fail(ErrorCode::closed, "nobody reads standard output any more");
      }
      return fail(ErrorCode::io,
                  fmt::format("cannot write to standard output: {}", count.error().message()));
    }
    if (*count == 0) return false;
    written_ += *count;
  }
}

}  // namespace artel::command::detail
