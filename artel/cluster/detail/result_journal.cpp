#include "artel/cluster/detail/result_journal.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "artel/cluster/detail/bytes_of.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/task_registry.hpp"
#include "artel/core/error.hpp"
#include "artel/file/open_file.hpp"
#include "artel/file/system_failure.hpp"

namespace artel::cluster::detail {
namespace {

constexpr std::string_view kMagic = "artel-journal 1\n";
constexpr std::size_t kHeader = 2 * kNumberBytes;
constexpr std::uint64_t kRecordMax = std::uint64_t{1} << 30U;  // bytes

// So many bytes at this place; fewer where the file ends. Nothing: errno says why.
std::optional<std::string> read_at(int file, std::uint64_t offset, std::size_t length) {
  std::string bytes(length, '\0');
  std::size_t have = 0;
  while (have < length) {
    const ssize_t got =
        ::pread(file, bytes.data() + have, length - have, static_cast<off_t>(offset + have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  bytes.resize(have);
  return bytes;
}

bool write_at(int file, std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(put));
    offset += static_cast<std::uint64_t>(put);
  }
  return true;
}

}  // namespace

std::uint64_t fingerprint(const ChunkOrder& order) {
  const auto key = [](const std::optional<TaskKey>& task) {
    return task ? fmt::format("{} {:x}", to_string(*task), task->signature) : std::string();
  };
  return cluster::fingerprint(fmt::format("{}/{}/{}/{}/{}/{:x}/{:x}", static_cast<int>(order.kind),
                                          key(order.map), key(order.fold), order.first, order.count,
                                          cluster::fingerprint(order.init),
                                          cluster::fingerprint(order.items)));
}

ResultJournal::ResultJournal(std::filesystem::path path, file::OpenFile file)
    : path_(std::move(path)), file_(std::move(file)) {}

Result<std::unique_ptr<ResultJournal>> ResultJournal::open(std::filesystem::path path) {
  file::OpenFile file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (file.get() < 0) {
    return file::system_failure("open", path.string());
  }
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    return fail(ErrorCode::full, "another process is using this journal", path.string());
  }
  std::unique_ptr<ResultJournal> journal(new ResultJournal(std::move(path), std::move(file)));
  if (auto loaded = journal->load(); !loaded) return fail(loaded);
  return journal;
}

Result<void> ResultJournal::load() {
  const auto magic = read_at(file_.get(), 0, kMagic.size());
  if (!magic) return file::system_failure("read", path_.string());
  if (!kMagic.starts_with(*magic)) {
    return fail(ErrorCode::parse, "this is not a journal of artel", path_.string());
  }
  if (!write_at(file_.get(), 0, kMagic)) return file::system_failure("write", path_.string());
  end_ = kMagic.size();
  for (;;) {
    const auto header = read_at(file_.get(), end_, kHeader);
    if (!header) return file::system_failure("read", path_.string());
    if (header->size() < kHeader) break;
    const std::uint64_t length = number_of(*header);
    if (length > kRecordMax) break;
    const auto payload = read_at(file_.get(), end_ + kHeader, length);
    if (!payload) return file::system_failure("read", path_.string());
    if (payload->size() < length) break;
    if (cluster::fingerprint(*payload) != number_of(std::string_view(*header).substr(kNumberBytes)))
      break;
    if (!note(*payload, end_ + kHeader)) break;
    end_ += kHeader + length;
  }
  if (::ftruncate(file_.get(), static_cast<off_t>(end_)) != 0) {
    return file::system_failure("drop the incomplete end", path_.string());
  }
  return {};
}

// What a record says; false: nothing that can be understood.
bool ResultJournal::note(std::string_view payload, std::uint64_t offset) {
  if (payload.starts_with('J')) {
    earlier_jobs_.emplace_back(payload.substr(1));
    return true;
  }
  constexpr std::size_t kBefore = 1 + kNumberBytes;
  if (!payload.starts_with('R') || payload.size() < kBefore) return false;
  const auto result = decode_chunk_result(payload.substr(kBefore));
  if (!result) return false;
  done_[result->index] = {.fingerprint = number_of(payload.substr(1)),
                          .offset = offset + kBefore,
                          .length = payload.size() - kBefore};
  return true;
}

Result<void> ResultJournal::append(const std::string& payload) {
  const std::string record =
      bytes_of(payload.size()) + bytes_of(cluster::fingerprint(payload)) + payload;
  if (!write_at(file_.get(), end_, record)) return file::system_failure("write", path_.string());
  end_ += record.size();
  return {};
}

Result<std::optional<ChunkResult>> ResultJournal::find(std::uint64_t index,
                                                       std::uint64_t fingerprint) const {
  RecordPosition place;
  {
    const std::lock_guard guard(lock_);
    const auto at = done_.find(index);
    if (at == done_.end() || at->second.fingerprint != fingerprint) return std::nullopt;
    place = at->second;
  }
  const auto bytes = read_at(file_.get(), place.offset, place.length);
  if (!bytes) return file::system_failure("read", path_.string());
  auto result = decode_chunk_result(*bytes);
  if (!result) return fail(result);
  return std::optional(std::move(*result));
}

Result<void> ResultJournal::add(std::uint64_t fingerprint, const ChunkResult& result) {
  const std::string payload = "R" + bytes_of(fingerprint) + encode(result);
  const std::lock_guard guard(lock_);
  const std::uint64_t offset = end_ + kHeader;
  if (auto appended = append(payload); !appended) return appended;
  note(payload, offset);
  return {};
}

Result<void> ResultJournal::begin_job(std::string_view job) {
  const std::lock_guard guard(lock_);
  return append("J" + std::string(job));
}

std::size_t ResultJournal::size() const {
  const std::lock_guard guard(lock_);
  return done_.size();
}

}  // namespace artel::cluster::detail
