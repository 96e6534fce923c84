#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artel/cluster/protocol/task_key.hpp"

namespace artel::cluster {

/// May be part of a subject: 1 to 64 letters, digits, '-' and '_'.
[[nodiscard]] bool is_subject_token(std::string_view text);

/// Whether a result or an answer may be published to this subject that somebody else has named: at
/// most kSubjectBytesMax, tokens between dots, not among a pool's own subjects (`mr.…`) nor the
/// server's (`$…`). A longer one would end the connection of whoever publishes to it.
[[nodiscard]] bool is_reply_subject(std::string_view text);
inline constexpr std::size_t kSubjectBytesMax = 255;  ///< of any subject

/// Whether it may be a queue: "S_" or "w_", then a token.
[[nodiscard]] bool is_queue_name(std::string_view text);

/// Which chunk of which job a subject is about.
struct ChunkAddress {
  std::string job;
  std::uint64_t index = 0;  ///< of the chunk among those of `job`, from 0

  friend auto operator<=>(const ChunkAddress&, const ChunkAddress&) = default;
};

/// The names that one pool uses on the server; docs/cluster-operation.md has them in a table.
///
/// Requires: the pool's name, worker and job ids are tokens: is_subject_token().
/// Threads: const after construction: safe from any thread.
class Subjects {
 public:
  explicit Subjects(std::string_view pool);
  /// Its name.
  [[nodiscard]] const std::string& pool() const { return pool_; }

  // ---- Tasks: a work-queue stream
  [[nodiscard]] std::string stream() const;  ///< MR_<pool>
  [[nodiscard]] std::string tasks() const;   ///< mr.<pool>.t.>
  /// What is for those who know certain tasks, by the name of their queue: mr.<pool>.t.s.<queue>.>
  [[nodiscard]] std::string shared(std::string_view queue) const;
  [[nodiscard]] std::string task(
      std::string_view queue,
      const ChunkAddress& chunk) const;  ///< mr.<pool>.t.s.<queue>.<job>.<index>
  /// The queue, and durable consumer, of those who know both of these tasks and have these tags:
  /// "S_" and a hash.
  [[nodiscard]] static std::string queue_of(const std::optional<TaskKey>& map,
                                            const std::optional<TaskKey>& fold,
                                            const std::vector<std::string>& tags = {});

  // ---- Workers' own queues, in the same stream
  [[nodiscard]] std::string own(std::string_view worker) const;  ///< mr.<pool>.t.w.<wid>.>
  [[nodiscard]] std::string own_task(
      std::string_view worker,           ///< mr.<pool>.t.w.<wid>.<job>.<index>
      const ChunkAddress& chunk) const;  ///< mr.<pool>.t.w.<wid>.<job>.<index>
  [[nodiscard]] std::string beacon(std::string_view worker) const;  ///< mr.<pool>.t.w.<wid>.beacon
  /// The durable consumer that one worker pulls from.
  [[nodiscard]] static std::string own_consumer(std::string_view worker);  ///< w_<wid>

  // ---- Membership: nothing is kept
  [[nodiscard]] std::string heartbeat(std::string_view worker) const;  ///< mr.<pool>.hb.<wid>
  [[nodiscard]] std::string heartbeats() const;                        ///< mr.<pool>.hb.*
  [[nodiscard]] std::string discovery() const;                         ///< mr.<pool>.who

  // ---- Dead letters: a stream
  [[nodiscard]] std::string dead_stream() const;   ///< MR_<pool>_D
  [[nodiscard]] std::string dead_letters() const;  ///< mr.<pool>.d.>
  [[nodiscard]] std::string dead_letter(
      const ChunkAddress& chunk) const;  ///< mr.<pool>.d.<job>.<index>
  /// What the server publishes when it gives a message up: $JS.EVENT.ADVISORY…
  [[nodiscard]] std::string given_up() const;

  /// The chunk that a task's or dead letter's subject names; nothing: it is neither.
  [[nodiscard]] std::optional<ChunkAddress> chunk_of(std::string_view subject) const;

 private:
  std::string pool_;
  std::string prefix_;  // "mr.<pool>."
};

}  // namespace artel::cluster
