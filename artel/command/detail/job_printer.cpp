#include "artel/command/detail/job_printer.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <tl/expected.hpp>
#include <utility>

#include "artel/command/detail/output_store.hpp"
#include "artel/command/detail/output_stream.hpp"
#include "artel/core/error.hpp"

namespace artel::command::detail {
namespace {

tl::unexpected<Error> nobody_reads() {
  return fail(ErrorCode::closed, "nobody reads standard output any more");
}

}  // namespace

std::optional<int> JobPrinter::blocked_on() const {
  if (parts_.empty()) return std::nullopt;
  return (parts_.front().kind == PartKind::out ? out_ : err_).file();
}

void JobPrinter::pass(PartKind kind, StreamText text) {
  if (!text.empty()) parts_.push_back({.kind = kind, .text = std::move(text)});
}

Result<void> JobPrinter::print() {
  auto written = write_due();
  auto told = tell_printed();
  return written ? told : written;
}

Result<void> JobPrinter::write_due() {
  while (true) {
    while (!parts_.empty()) {
      const auto done = print_part();
      if (!done) return fail(done);
      if (!*done) return {};
      parts_.pop_front();
    }
    auto next = store_.take();
    if (!next) return fail(next);
    if (!*next) return {};
    JobOutput output = std::move(**next);  // NOLINT(*-unchecked-optional-access): looked at
    ++turn_;
    if (auto found = find_kept(output); !found) return found;
    pass(PartKind::out, std::move(output.out));
    pass(PartKind::err, std::move(output.err));
    if (output.note.empty()) continue;
    parts_.push_back({PartKind::note, std::move(output.note), output.record});
  }
}

Result<void> JobPrinter::find_kept(JobOutput& output) {
  if (output.record == 0) return {};
  const auto texts = journal_->begin_printing(output.record);
  if (!texts) return fail(texts);
  output.out.kept = texts->out;
  output.err.kept = texts->err;
  output.note.kept = texts->line;
  return {};
}

// Whether the first part is out.
Result<bool> JobPrinter::print_part() {
  Part& part = parts_.front();
  if (part.kind != PartKind::note) return write(part.kind == PartKind::out ? out_ : err_);
  if (auto read = read_note(); !read) return fail(read);
  return true;
}

// Whether there is more of it; it is in `piece_` then.
Result<bool> JobPrinter::fill(StreamText& text) {
  written_ = 0;
  piece_.clear();
  if (text.kept.bytes > 0) {
    if (auto taken = journal_->read(text.kept, piece_); !taken) return fail(taken);
  } else if (!text.spilled.empty()) {
    if (auto taken = spill_.take(text.spilled, piece_); !taken) return fail(taken);
  } else {
    piece_.swap(text.text);
  }
  return !piece_.empty();
}

// Whether all of the first part is written.
Result<bool> JobPrinter::write(OutputStream& file) {
  while (true) {
    if (written_ == piece_.size()) {
      const auto more = fill(parts_.front().text);
      if (!more || !*more) return more ? Result<bool>(true) : more;
      if (hooks_.before) hooks_.before();
    }
    const auto count = file.write(std::string_view(piece_).substr(written_));
    if (!count) {
      if (&file == &err_) {
        written_ = piece_.size();
        continue;
      }
      if (count.error() == std::errc::broken_pipe) return nobody_reads();
      return fail(ErrorCode::io,
                  fmt::format("cannot write to standard output: {}", count.error().message()));
    }
    if (*count == 0) return false;
    written_ += *count;
  }
}

Result<void> JobPrinter::read_note() {
  Note note{.written = out_.written(), .text = {}, .record = parts_.front().record};
  while (true) {
    const auto more = fill(parts_.front().text);
    if (!more) return fail(more);
    if (!*more) break;
    note.text += piece_;
  }
  if (hooks_.printed) notes_.push_back(std::move(note));
  return tell_printed();
}

Result<void> JobPrinter::tell_printed() {
  if (notes_.empty()) return {};
  // Asked first: a reader that goes in between has taken what it is said to have taken.
  const std::uint64_t taken = out_.taken();
  while (!notes_.empty() && notes_.front().written <= taken) {
    const Note note = std::move(notes_.front());
    notes_.pop_front();
    if (auto heard = hooks_.printed(note.text); !heard) return heard;
    if (note.record == 0) continue;
    if (auto dropped = journal_->drop(note.record); !dropped) return dropped;
  }
  if (!notes_.empty() && out_.is_forsaken() && out_.taken() == taken) return nobody_reads();
  return {};
}

}  // namespace artel::command::detail
