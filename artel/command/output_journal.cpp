#include "artel/command/output_journal.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

#include "artel/command/detail/lock_file.hpp"
#include "artel/command/output_files.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/file/open_file.hpp"
#include "artel/file/protect_inputs.hpp"
#include "artel/file/system_failure.hpp"

namespace artel::command {
namespace {

constexpr std::uint64_t kMagic = 0x31'6c'61'6e'72'75'6f'6a;  // "journal1"
constexpr std::uint64_t kStart = 4096;                       // of the records
constexpr std::size_t kPieceMax = std::size_t{1} << 16U;
constexpr std::uint64_t kShrinkAt = std::uint64_t{1} << 20U;
constexpr std::uint64_t kAlign = sizeof(std::uint64_t);

template <class T>
std::string_view bytes_of(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  // NOLINTNEXTLINE(*-reinterpret-cast): the bytes are what is written
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

// What is there, up to `most` bytes; the system's reason is in errno if that is nothing.
std::optional<std::string> read_at(int file, std::uint64_t place, std::uint64_t most) {
  std::string text(most, '\0');
  std::size_t size = 0;
  while (size < most) {
    const auto count =
        ::pread(file, text.data() + size, most - size, static_cast<off_t>(place + size));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  text.resize(size);
  return text;
}

}  // namespace

Result<std::unique_ptr<OutputJournal>> OutputJournal::open(const std::filesystem::path& log,
                                                           OutputFiles files, Access access) {
  std::error_code problem;
  const auto real = std::filesystem::canonical(log, problem);
  if (problem || !std::filesystem::is_regular_file(real, problem)) return nullptr;
  std::string path = real.string() + ".unprinted";
  const int how = access == Access::own ? O_RDWR | O_CREAT : O_RDONLY;
  file::OpenFile file(::open(path.c_str(), how | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (file.get() < 0) {
    if (access == Access::look && errno == ENOENT) return nullptr;
    return file::system_failure("keep outputs for --resume", std::move(path));
  }
  file::OpenFile lock;
  if (access == Access::own) {
    if (const auto free = file::refuse_input(file.get(), path); !free) return fail(free);
    constexpr Duration kGuard = std::chrono::seconds(15);  // has ended them by then, or gives up
    lock = file::OpenFile(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!detail::lock_file(lock.get(), kGuard)) {
      return fail(ErrorCode::closed,
                  "processes of the run before, which was killed, have not ended; fuser(1) names "
                  "those that have this file open",
                  path);
    }
  }
  return std::unique_ptr<OutputJournal>(
      new OutputJournal(std::move(path), std::move(file), std::move(lock), files, access));
}

OutputJournal::~OutputJournal() {
  if (end_ > 0 && access_ == Access::own && records_ == 0) ::unlink(path_.c_str());
  if (lock_.get() >= 0) ::flock(lock_.get(), LOCK_UN);  // a daemon may have it open
}

Result<void> OutputJournal::write(std::uint64_t place, std::string_view bytes) const {
  while (!bytes.empty()) {
    const auto count = ::pwrite(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return file::system_failure("keep an output for --resume", path_);
    bytes.remove_prefix(static_cast<std::size_t>(count));
    place += static_cast<std::uint64_t>(count);
  }
  return {};
}

Result<void> OutputJournal::write_head() const { return write(0, bytes_of(head_)); }

Result<void> OutputJournal::clear() {
  if (::ftruncate(file_.get(), 0) != 0) {
    return file::system_failure("keep outputs for --resume", path_);
  }
  places_.clear();
  records_ = 0;
  earlier_.clear();
  begun_ = 0;
  first_ = end_ = kStart;
  head_ = {.magic = kMagic, .first = kStart};
  return write_head();
}

// ---- An earlier run -----------------------------------------------------------------------------

Result<OutputJournal::Record> OutputJournal::record_at(std::uint64_t place) const {
  const auto bytes = read_at(file_.get(), place, sizeof(Record));
  if (!bytes) return file::system_failure("read the kept outputs", path_);
  Record record;
  if (bytes->size() == sizeof(Record)) std::memcpy(&record, bytes->data(), sizeof(Record));
  return record;
}

OutputJournal::Texts OutputJournal::texts_of(std::uint64_t place, const Record& record) {
  Texts texts;
  place += sizeof(Record);
  texts.line = {.place = place, .bytes = record.bytes[0]};
  texts.out = {.place = place + record.bytes[0], .bytes = record.bytes[1]};
  texts.err = {.place = texts.out.place + record.bytes[1], .bytes = record.bytes[2]};
  return texts;
}

Result<std::string> OutputJournal::text_of(Text text) const {
  auto bytes = read_at(file_.get(), text.place, text.bytes);
  if (!bytes) return file::system_failure("read the kept outputs", path_);
  return *std::move(bytes);
}

Result<void> OutputJournal::read_earlier(
    const std::function<Result<bool>(std::uint64_t job, const std::string& line)>& keep) {
  Head head;
  const auto bytes = read_at(file_.get(), 0, sizeof(head));
  if (!bytes) return file::system_failure("read the kept outputs", path_);
  if (bytes->size() == sizeof(head)) std::memcpy(&head, bytes->data(), sizeof(head));
  if (head.magic != kMagic) return access_ == Access::own ? clear() : Result<void>();
  head_ = head;
  first_ = end_ = head.first;
  while (true) {
    const auto record = record_at(end_);
    if (!record) return fail(record);
    if (record->size == 0) break;
    const auto line = text_of(texts_of(end_, *record).line);
    if (!line) return fail(line);
    const auto kept = record->dropped != 0 ? Result<bool>(false) : keep(record->job, *line);
    if (!kept) return fail(kept);
    places_.push_back({.record = end_, .dropped = !*kept});
    if (*kept) {
      ++records_;
      earlier_[record->job] = end_;
      if (end_ == head.printing && record->job == head.printing_job) begun_ = end_;
    } else if (access_ == Access::own) {
      if (auto marked = write(end_ + kAlign, bytes_of(std::uint64_t{1})); !marked) return marked;
    }
    end_ += record->size;
  }
  if (access_ == Access::look) return {};
  if (begun_ != 0) {
    if (auto found = find_printed(head); !found) return found;
  }
  if (begun_ == 0 && head_.printing != 0) {
    head_.printing = 0;
    if (auto put = write_head(); !put) return put;
  }
  return shrink();
}

// J3. Sets what of the record that was being printed is in the files.
Result<void> OutputJournal::find_printed(const Head& head) {
  const auto record = record_at(head.printing);
  if (!record) return fail(record);
  const auto texts = texts_of(head.printing, *record);
  const bool one_file = head.out.file == head.err.file && head.out.device == head.err.device;
  const auto out = printed_of(files_.out, head.out, {texts.out, one_file ? texts.err : Text{}});
  if (!out) return fail(out);
  if (one_file) {
    out_printed_ = std::min(*out, texts.out.bytes);
    err_printed_ = *out - out_printed_;
  } else {
    const auto err = printed_of(files_.err, head.err, {texts.err, Text{}});
    if (!err) return fail(err);
    out_printed_ = *out;
    err_printed_ = *err;
  }
  if (out_printed_ + err_printed_ == 0) begun_ = 0;
  return {};
}

// How much of `texts`, one after the other, the file ends with, counted from where they begin
// there; 0 if it is another file, or has something else there, or is not written at its end.
Result<std::uint64_t> OutputJournal::printed_of(int file, const Printing& printing,
                                                const std::array<Text, 2>& texts) const {
  const auto now = printing_to(file);
  if (now.file == 0 || now.file != printing.file || now.device != printing.device) return 0;
  struct stat status{};
  if (::fstat(file, &status) != 0 || static_cast<std::uint64_t>(status.st_size) != now.begin ||
      now.begin <= printing.begin || now.begin - printing.begin > texts[0].bytes + texts[1].bytes) {
    return 0;
  }
  // Shells open it for writing alone.
  const file::OpenFile readable(
      ::open(fmt::format("/proc/self/fd/{}", file).c_str(), O_RDONLY | O_CLOEXEC));
  if (readable.get() < 0) return 0;
  std::uint64_t place = printing.begin;
  for (Text text : texts) {
    while (text.bytes > 0 && place < now.begin) {
      std::string piece;
      if (auto got = read(text, piece); !got) return fail(got);
      piece.resize(std::min<std::uint64_t>(piece.size(), now.begin - place));
      if (read_at(readable.get(), place, piece.size()) != piece) return 0;
      place += piece.size();
    }
  }
  return now.begin - printing.begin;
}

std::optional<std::uint64_t> OutputJournal::take_earlier(std::uint64_t job) {
  const auto node = earlier_.extract(job);
  if (node.empty()) return std::nullopt;
  return node.mapped();
}

std::optional<std::uint64_t> OutputJournal::take_begun() {
  return begun_ == 0 ? std::nullopt : take_earlier(head_.printing_job);
}

// ---- Writing ------------------------------------------------------------------------------------

void OutputJournal::begin(std::uint64_t job) {
  next_ = {.job = job};
  piece_.assign(sizeof(Record), '\0');
  written_ = 0;
}

Result<void> OutputJournal::append(Part part, std::string_view text) {
  next_.bytes.at(static_cast<std::size_t>(part)) += text.size();
  piece_ += text;
  if (piece_.size() < kPieceMax) return {};
  if (auto put = write(end_ + written_, piece_); !put) return put;
  written_ += piece_.size();
  piece_.clear();
  return {};
}

// J1.
Result<std::uint64_t> OutputJournal::commit() {
  const std::uint64_t bytes = written_ + piece_.size();
  const std::uint64_t size = (bytes + kAlign - 1) / kAlign * kAlign;
  piece_.append(size - bytes + kAlign, '\0');  // and the size of the record behind it
  if (written_ == 0) {
    std::memcpy(piece_.data(), &next_, sizeof(next_));
  } else if (auto put = write(end_, bytes_of(next_)); !put) {
    return fail(put);
  }
  if (auto put = write(end_ + written_, piece_); !put) return fail(put);
  if (auto put = write(end_, bytes_of(size)); !put) return fail(put);
  places_.push_back({.record = end_});
  ++records_;
  return std::exchange(end_, end_ + size);
}

// ---- Printing -----------------------------------------------------------------------------------

// Where the next byte goes; zeros if it is not a regular file.
OutputJournal::Printing OutputJournal::printing_to(int file) {
  struct stat status{};
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return {};
  const bool at_end = (::fcntl(file, F_GETFL) & O_APPEND) != 0;
  const off_t place = at_end ? status.st_size : ::lseek(file, 0, SEEK_CUR);
  return {
      .device = status.st_dev, .file = status.st_ino, .begin = static_cast<std::uint64_t>(place)};
}

Result<OutputJournal::Texts> OutputJournal::begin_printing(std::uint64_t record) {
  const auto head = record_at(record);
  if (!head) return fail(head);
  Texts texts = texts_of(record, *head);
  if (record == begun_) {  // its head stays
    texts.out = {.place = texts.out.place + out_printed_, .bytes = texts.out.bytes - out_printed_};
    texts.err = {.place = texts.err.place + err_printed_, .bytes = texts.err.bytes - err_printed_};
    return texts;
  }
  const Printing out = texts.out.bytes > 0 ? printing_to(files_.out) : Printing{};
  const Printing err = texts.err.bytes > 0 ? printing_to(files_.err) : Printing{};
  if (out.file == 0 && err.file == 0 && head_.printing == 0) return texts;
  head_.printing = out.file == 0 && err.file == 0 ? 0 : record;
  head_.printing_job = head->job;
  head_.out = out;
  head_.err = err;
  if (auto put = write_head(); !put) return fail(put);
  return texts;
}

Result<void> OutputJournal::read(Text& text, std::string& piece) const {
  const auto bytes = std::min<std::uint64_t>(text.bytes, kPieceMax);
  auto got = text_of({.place = text.place, .bytes = bytes});
  if (!got) return fail(got);
  if (got->size() != bytes) {
    return fail(ErrorCode::io, "the kept outputs were cut by another program", path_);
  }
  piece = *std::move(got);
  text.place += bytes;
  text.bytes -= bytes;
  return {};
}

Result<void> OutputJournal::drop(std::uint64_t record) {
  const auto place = std::ranges::lower_bound(places_, record, {}, &Place::record);
  ARTEL_REQUIRE(place != places_.end() && place->record == record && !place->dropped,
                "the record is there");
  place->dropped = true;
  --records_;
  if (record == begun_) begun_ = 0;
  if (records_ > 0 || first_ != kStart) {
    if (auto put = write(record + kAlign, bytes_of(std::uint64_t{1})); !put) return put;
  }
  return shrink();
}

// Gives back the space of the records before the first one that is not dropped.
Result<void> OutputJournal::shrink() {
  while (!places_.empty() && places_.front().dropped) places_.pop_front();
  if (places_.empty()) {
    if (auto put = write(kStart, bytes_of(std::uint64_t{0})); !put) return put;
    if (head_.first != kStart) {
      head_.first = kStart;
      if (auto put = write_head(); !put) return put;
    }
    if (end_ > kShrinkAt) {
      static_cast<void>(::ftruncate(file_.get(), static_cast<off_t>(kStart + kAlign)));
    }
    first_ = end_ = kStart;
    return {};
  }
  const std::uint64_t first = places_.front().record;
  if (first - first_ < kShrinkAt) return {};
  head_.first = first;
  if (auto put = write_head(); !put) return put;
  static_cast<void>(::fallocate(file_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                static_cast<off_t>(first_), static_cast<off_t>(first - first_)));
  first_ = first;
  return {};
}

}  // namespace artel::command
