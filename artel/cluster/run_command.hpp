#pragma once

#include <cstdint>
#include <msgpack.hpp>
#include <stop_token>
#include <string>
#include <vector>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::cluster {

/// A command to be run somewhere, as it travels.
struct CommandOrder {
  std::uint64_t job = 0;                       ///< its number, for whoever sent it
  std::vector<std::string> words;              ///< the program and its arguments
  std::uint32_t retries = 0;                   ///< on the spot
  std::int64_t timeout_ns = kForever.count();  ///< then an attempt is killed, and has failed
  std::uint64_t output_max = std::uint64_t{64} << 20U;  ///< bytes, of stdout and of stderr

  static constexpr std::uint32_t kRetriesMax = ChunkOrder::kRetriesMax;   ///< of `retries`
  static constexpr std::uint64_t kOutputMax = std::uint64_t{256} << 20U;  ///< of `output_max`

  MSGPACK_DEFINE(job, words, retries, timeout_ns, output_max)
};

/// Whether its numbers are in range. Errors: invalid, with the number and the range.
[[nodiscard]] Result<void> check(const CommandOrder& order);

/// How it ended.
struct CommandOutcome {
  std::uint64_t job = 0;             ///< CommandJob::job
  std::int32_t exit_status = 0;      ///< 126: it cannot be run; 127: it is not there
  std::int32_t signal = 0;           ///< that ended it; 0: it exited
  bool timed_out = false;            ///< killed since it took longer than CommandJob::timeout_ns
  std::string out;                   ///< what it wrote to stdout in its last attempt
  std::string err;                   ///< the same of stderr
  std::string problem;               ///< ours: not runnable, too much output; empty: none
  std::int64_t started_wall_ns = 0;  ///< of the last attempt, since 1970 (UTC)
  std::int64_t runtime_ns = 0;       ///< of the last attempt
  std::uint32_t attempts = 0;        ///< how often it was run, 1 at least
  std::string host;                  ///< of the worker

  /// Whether anything but exit status 0 came of it.
  [[nodiscard]] bool failed() const {
    return exit_status != 0 || signal != 0 || timed_out || !problem.empty();
  }

  /// As it travels, msgpack_pack() and msgpack_unpack(). Reading it, what a worker says of itself
  /// is made printable: `problem` and `host`; throws msgpack::type_error for a time that is
  /// negative.
  template <class Packer>
  void msgpack_pack(Packer& packer) const {
    fields(*this, [&](const auto& all) { all.msgpack_pack(packer); });
  }
  void msgpack_unpack(const msgpack::object& object) {
    fields(*this, [&](auto all) { all.msgpack_unpack(object); });
    check_what_came();
  }

 private:
  template <class Self, class Use>
  static void fields(Self& self, const Use& use) {
    use(msgpack::type::make_define_array(self.job, self.exit_status, self.signal, self.timed_out,
                                         self.out, self.err, self.problem, self.started_wall_ns,
                                         self.runtime_ns, self.attempts, self.host));
  }
  void check_what_came();
};

/// Runs the command to its end, on /dev/null, in the folder and the environment of this process.
///
/// When an attempt takes too long or writes too much, or `stop` is requested, it and its
/// descendants get SIGTERM, SIGKILL a second later. An order that check() refuses is not run: exit
/// status 126. What it started and left behind is let alone. Threads: any; it waits.
[[nodiscard]] CommandOutcome run_command(const CommandOrder& order,
                                         const std::stop_token& stop = {});

/// To the commands that this process runs now, and all they have started: SIGSTOP, SIGCONT.
/// Threads: any.
void signal_commands(int signal);

}  // namespace artel::cluster
