#include "artel/sim/model/file_system.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/core/require.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/next.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/this_context.hpp"
#include "artel/sim/model/disk.hpp"
#include "artel/sim/model/operation_id.hpp"
#include "artel/trace/fingerprint.hpp"

namespace artel::sim {
namespace {

void add_done(trace::Fingerprint& print, OperationId operation, std::uint64_t bytes,
              FileOutcome outcome) {
  print.add(index(operation));
  print.add(bytes);
  print.add(index(outcome));
}

FileOutcome outcome_of(DiskOutcome outcome) {
  switch (outcome) {
    case DiskOutcome::done:
      return FileOutcome::done;
    case DiskOutcome::no_space:
      return FileOutcome::no_space;
    case DiskOutcome::larger_than_disk:
      break;
  }
  return FileOutcome::larger_than_disk;
}

}  // namespace

std::string_view describe(FileOutcome outcome) {
  switch (outcome) {
    case FileOutcome::done:
      return "done";
    case FileOutcome::no_such_mount:
      return "no such mount";
    case FileOutcome::mount_exists:
      return "mount exists";
    case FileOutcome::no_such_file:
      return "no such file";
    case FileOutcome::file_exists:
      return "file exists";
    case FileOutcome::past_end:
      return "past the end";
    case FileOutcome::no_space:
      return "no space";
    case FileOutcome::larger_than_disk:
      return "larger than the disk";
    case FileOutcome::busy:
      return "busy";
  }
  return "?";
}

void add_to(trace::Fingerprint& print, const FileReadDone& done) {
  add_done(print, done.operation, done.bytes, done.outcome);
}
void add_to(trace::Fingerprint& print, const FileWriteDone& done) {
  add_done(print, done.operation, done.bytes, done.outcome);
}

FileSystem::~FileSystem() {
  for (const OperationId id : operations_.ids()) operations_.find(id)->listener.detach();
}

// --- Mounts and files.

FileOutcome FileSystem::mount(std::string point, Disk& disk) {
  ARTEL_REQUIRE(point == "/" || (point.starts_with('/') && !point.ends_with('/')),
                "a mount point is \"/\" or \"/some/names\"", point);
  if (point == "/") point.clear();
  Volume& volume = volumes_[disk.id()];
  if (volume.mounted || mounts_.contains(point)) return FileOutcome::mount_exists;
  volume.disk = &disk;
  volume.mounted = true;
  mounts_.emplace(std::move(point), &volume);
  return FileOutcome::done;
}

FileOutcome FileSystem::unmount(std::string_view point) {
  const auto found = mounts_.find(point == "/" ? std::string_view{} : point);
  if (found == mounts_.end()) return FileOutcome::no_such_mount;
  if (found->second->operations > 0) return FileOutcome::busy;
  found->second->mounted = false;
  mounts_.erase(found);
  return FileOutcome::done;
}

/// Tries the path without its last name, without the last two, and so on.
FileSystem::Location FileSystem::location_of(std::string_view path) const {
  for (std::size_t end = path.rfind('/'); end != std::string_view::npos;
       end = end == 0 ? std::string_view::npos : path.rfind('/', end - 1)) {
    const auto found = mounts_.find(path.substr(0, end));
    if (found != mounts_.end()) return {found->second, path.substr(end + 1)};
  }
  return {};
}

std::pair<FileSystem::File*, FileOutcome> FileSystem::find(const Location& location) const {
  if (location.volume == nullptr) return {nullptr, FileOutcome::no_such_mount};
  const auto found = location.volume->files.find(location.name);
  if (found == location.volume->files.end()) return {nullptr, FileOutcome::no_such_file};
  return {&found->second, FileOutcome::done};
}

FileOutcome FileSystem::create(std::string_view path) {
  const Location location = location_of(path);
  if (location.volume == nullptr) return FileOutcome::no_such_mount;
  const bool is_new = location.volume->files.emplace(location.name, File{}).second;
  return is_new ? FileOutcome::done : FileOutcome::file_exists;
}

FileOutcome FileSystem::remove(std::string_view path) {
  const Location location = location_of(path);
  const auto [file, outcome] = find(location);
  if (file == nullptr) return outcome;
  if (file->operations > 0) return FileOutcome::busy;
  location.volume->disk->free(file->size);
  location.volume->files.erase(location.volume->files.find(location.name));
  return FileOutcome::done;
}

std::optional<std::uint64_t> FileSystem::size(std::string_view path) const {
  const File* file = find(location_of(path)).first;
  return file == nullptr ? std::nullopt : std::optional{file->size};
}

const Disk* FileSystem::disk_of(std::string_view path) const {
  const Volume* volume = location_of(path).volume;
  return volume == nullptr ? nullptr : volume->disk;
}

// --- Reads and writes.

OperationId FileSystem::start_read(std::string_view path, ComponentId notify, std::uint64_t bytes) {
  return begin_read(path, bytes, {.component = notify});
}

OperationId FileSystem::start_write(std::string_view path, std::uint64_t bytes,
                                    ComponentId notify) {
  return begin_write(path, bytes, {.component = notify});
}

Task<FileOutcome> FileSystem::read(std::string path, std::uint64_t bytes) {
  Context& caller = co_await this_context();
  Awaited<FileSystem> operation(*this, caller);
  operation.began(begin_read(path, bytes, {caller.id(), &operation}));
  const auto done = co_await caller.next<FileReadDone>().key(operation.key()).from(id());
  co_return done->outcome;
}

Task<FileOutcome> FileSystem::write(std::string path, std::uint64_t bytes) {
  Context& caller = co_await this_context();
  Awaited<FileSystem> operation(*this, caller);
  operation.began(begin_write(path, bytes, {caller.id(), &operation}));
  const auto done = co_await caller.next<FileWriteDone>().key(operation.key()).from(id());
  co_return done->outcome;
}

OperationId FileSystem::begin_read(std::string_view path, std::uint64_t bytes,
                                   const Listener<FileSystem>& listener) {
  const OperationId id = operations_.add({.listener = listener});
  const Location location = location_of(path);
  auto [file, outcome] = find(location);
  if (file != nullptr) {
    if (bytes == kAll) bytes = file->size;
    if (bytes > file->size) outcome = FileOutcome::past_end;
  }
  if (outcome != FileOutcome::done) {
    listener.tell_end(*this, FileReadDone{id, bytes, outcome});
    operations_.remove(id);
    return id;
  }
  expect(id, *location.volume, *file, location.volume->disk->start_read(bytes, this->id()));
  return id;
}

OperationId FileSystem::begin_write(std::string_view path, std::uint64_t bytes,
                                    const Listener<FileSystem>& listener) {
  const OperationId id = operations_.add({.listener = listener});
  const Location location = location_of(path);
  const auto [file, outcome] = find(location);
  if (file == nullptr) {
    listener.tell_end(*this, FileWriteDone{id, bytes, outcome});
    operations_.remove(id);
    return id;
  }
  expect(id, *location.volume, *file, location.volume->disk->start_write(bytes, this->id()));
  return id;
}

void FileSystem::expect(OperationId id, Volume& volume, File& file, OperationId disk_operation) {
  Operation& operation = *operations_.find(id);
  operation.volume = &volume;
  operation.file = &file;
  operation.disk_operation = disk_operation;
  ++volume.operations;
  ++file.operations;
  volume.by_disk_operation.insert(index(disk_operation), id);
}

void FileSystem::forget(OperationId id) {
  const Operation& operation = *operations_.find(id);
  --operation.volume->operations;
  --operation.file->operations;
  operation.volume->by_disk_operation.erase(index(operation.disk_operation));
  operations_.remove(id);
}

void FileSystem::on(const DiskReadDone& done, const Event& event) {
  Volume& volume = volumes_.at(event.src());
  const OperationId* found = volume.by_disk_operation.find(index(done.operation));
  if (found == nullptr) return;  // cancelled at this very instant
  const OperationId id = *found;
  operations_.find(id)->listener.tell_end(*this,
                                          FileReadDone{id, done.bytes, outcome_of(done.outcome)});
  forget(id);
}

void FileSystem::on(const DiskWriteDone& done, const Event& event) {
  Volume& volume = volumes_.at(event.src());
  const OperationId* found = volume.by_disk_operation.find(index(done.operation));
  if (found == nullptr) {  // cancelled at this very instant: it was written for nothing
    if (done.outcome == DiskOutcome::done) volume.disk->free(done.bytes);
    return;
  }
  const OperationId id = *found;
  const Operation& operation = *operations_.find(id);
  if (done.outcome == DiskOutcome::done) operation.file->size += done.bytes;
  operation.listener.tell_end(*this, FileWriteDone{id, done.bytes, outcome_of(done.outcome)});
  forget(id);
}

bool FileSystem::cancel(OperationId id) {
  const Operation* operation = operations_.find(id);
  if (operation == nullptr) return false;
  operation->listener.detach();
  operation->volume->disk->cancel(operation->disk_operation);
  forget(id);
  return true;
}

}  // namespace artel::sim
