#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/statistics.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/usage.hpp"
#include "artel/sim/model/activity_id.hpp"
#include "artel/sim/model/detail/alarm.hpp"
#include "artel/sim/model/detail/virtual_clock.hpp"
#include "artel/sim/model/fair_share.hpp"
#include "artel/sim/model/operation_id.hpp"
#include "artel/trace/fingerprint.hpp"

namespace artel::sim {

/// How a read or a write ended.
enum class DiskOutcome : std::uint8_t {
  done,              ///< all bytes
  larger_than_disk,  ///< more bytes than the disk has, used or not
  no_space,          ///< a write of more bytes than are free
};
/// "done", "larger than the disk", …
[[nodiscard]] std::string_view describe(DiskOutcome outcome);

/// A read of a Disk has ended, or could not begin.
struct DiskReadDone {
  OperationId operation{};
  std::uint64_t bytes = 0;  ///< asked for
  DiskOutcome outcome{};
};
/// The same of a write.
struct DiskWriteDone {
  OperationId operation{};
  std::uint64_t bytes = 0;  ///< asked for
  DiskOutcome outcome{};
};
[[nodiscard]] inline std::uint64_t key_of(const DiskReadDone& done) {
  return index(done.operation);
}
[[nodiscard]] inline std::uint64_t key_of(const DiskWriteDone& done) {
  return index(done.operation);
}
void add_to(trace::Fingerprint& print, const DiskReadDone& done);
void add_to(trace::Fingerprint& print, const DiskWriteDone& done);

/// One direction of a disk: what its reads, or its writes, share.
struct DiskChannel {
  /// Any number of operations at once.
  static constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

  double bandwidth = 0;  ///< bytes per second of one operation alone, > 0
  /// What of the bandwidth is left, in total, with n operations at once; empty: all of it.
  std::function<double(std::size_t n)> efficiency = nullptr;
  /// How well an operation uses its part, > 0; empty: 1.
  std::function<double(std::uint64_t bytes, random::Stream& draw)> factor = nullptr;
  std::size_t operations_max = kNoLimit;  ///< at once, ≥ 1; others wait in order of submission
};

/// A disk's space and speed.
struct DiskOptions {
  std::uint64_t capacity = 0;  ///< bytes
  std::uint64_t used = 0;      ///< of them, at first
  DiskChannel read;            ///< what reads share
  DiskChannel write;           ///< what writes share
};

namespace detail {

enum class DiskAccess : std::uint8_t { read, write };

/// The next operation of a channel has ended.
struct DiskDue {
  DiskAccess access{};
};

}  // namespace detail

/// A disk: reads share its read bandwidth, writes its write bandwidth, fairly and independently.
///
/// With n operations in a channel, each progresses by bandwidth · efficiency(n) / n · factor bytes
/// per second. The space of a write is taken when it is submitted, and given back if it is
/// cancelled.
///
/// Callbacks: `start_read(bytes, id())` gives a number, and later `on(const DiskReadDone&)` is
/// called. Coroutines: `co_await disk.read(bytes)`. Both cause the same events: one of the disk to
/// itself when an operation ends, and one to who asked, at the same instant; a refusal only the
/// latter.
/// Cost:    O(log n) per operation, n under way in its channel; cancel O(waiting) for one that
///          waits; nothing is allocated below the peak.
/// Units:   bytes, bytes per second.
/// Source:  as DSLab's shared disk. Threads: its simulation's.
class Disk final : public Component<detail::DiskDue> {
 public:
  explicit Disk(const DiskOptions& options);
  ~Disk();

  /// `notify` gets a DiskReadDone.
  OperationId start_read(std::uint64_t bytes, ComponentId notify);
  /// `notify` gets a DiskWriteDone.
  OperationId start_write(std::uint64_t bytes, ComponentId notify);

  /// Given up when the process is cancelled, as losers of any_of are; a disk that is removed leaves
  /// who awaits it waiting.
  [[nodiscard]] Task<DiskOutcome> read(std::uint64_t bytes);
  [[nodiscard]] Task<DiskOutcome> write(std::uint64_t bytes);

  using Context::cancel;
  /// Ends an operation without a word to who asked for it; the bytes that it still had to go.
  /// Nothing when it has ended: what says so may be on its way.
  std::optional<double> cancel(OperationId operation);
  /// The bytes that an operation still has to go; nothing when it has ended.
  [[nodiscard]] std::optional<double> left(OperationId operation) const;

  /// Gives space back: that of a deleted file. Requires: bytes <= used().
  void free(std::uint64_t bytes);

  /// Bytes per second from now on, for what is under way, too; 0: it stands still. Requires:
  /// 0 <= bandwidth, finite.
  void set_read_bandwidth(double bandwidth) { set_bandwidth(Access::read, bandwidth); }
  /// The same for writes.
  void set_write_bandwidth(double bandwidth) { set_bandwidth(Access::write, bandwidth); }

  /// name.read and name.write: utilisation (1 while something is under way), queue, and how long
  /// each operation waited for its begin. See Statistics::watch.
  void measure(Statistics& statistics, std::string_view name);

  /// Bytes: all (capacity()), taken (used()), and the rest.
  [[nodiscard]] std::uint64_t capacity() const { return capacity_; }
  [[nodiscard]] std::uint64_t used() const { return used_; }
  [[nodiscard]] std::uint64_t available() const { return capacity_ - used_; }

 private:
  friend struct detail::HandlerAccess;
  void on(const detail::DiskDue& due);

  using Access = detail::DiskAccess;

  struct Operation {
    Listener<Disk> listener;
    std::uint64_t bytes = 0;
    ActivityId activity{};
    Access access{};
    bool under_way = false;
    Instant submitted{};
  };
  struct ChannelState {
    explicit ChannelState(const DiskChannel& options);

    FairShare share;
    std::function<double(std::size_t n)> efficiency;
    std::function<double(std::uint64_t bytes, random::Stream& draw)> factor;
    std::size_t operations_max;
    std::vector<OperationId> under_way;  // by slot of the activity
    std::deque<OperationId> waiting;
    detail::Alarm<detail::DiskDue> alarm;
    std::shared_ptr<Usage> usage;  // who wants to know

    void note() const;
  };

  [[nodiscard]] ChannelState& channel(Access access) {
    return channels_[static_cast<std::size_t>(access)];
  }
  [[nodiscard]] const ChannelState& channel(Access access) const {
    return channels_[static_cast<std::size_t>(access)];
  }

  OperationId begin(Access access, std::uint64_t bytes, const Listener<Disk>& listener);
  void set_bandwidth(Access access, double bandwidth);
  [[nodiscard]] std::optional<DiskOutcome> refusal(Access access, std::uint64_t bytes) const;
  void end(OperationId id, DiskOutcome outcome);
  void start_waiting(Access access);

  std::uint64_t capacity_;
  std::uint64_t used_;
  std::array<ChannelState, 2> channels_;  // by access
  OperationTable<Operation> operations_;
};

}  // namespace artel::sim
