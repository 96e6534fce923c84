#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"

namespace artel::verify {

/// How a server of palantir/dialogue's simulation answers, until some time.
struct DialoguePhase {
  Instant until = kNever;
  int status = 200;
  Duration time{};
  /// With so many requests it takes twice as long, with more of them five times; 0: always `time`.
  std::uint32_t slow_from = 0;
  std::uint32_t fails_above = 0;            ///< `status` with more requests than that, else 200
  double share = 1;                         ///< of the requests that get `status`, the others 200
  std::optional<std::uint32_t> endpoint{};  ///< of this one only, the others 200
};

/// One of its servers.
struct DialogueServer {
  std::vector<DialoguePhase> phases;
  Duration from{};  ///< clients know of it from then on, and begin anew with it
};

/// Dialogue's strategies: UNLIMITED_ROUND_ROBIN, CONCURRENCY_LIMITER_ROUND_ROBIN,
/// CONCURRENCY_LIMITER_PIN_UNTIL_ERROR.
enum class DialogueStrategy : std::uint8_t { unlimited, limited, pinned };

/// One of the scenarios of its SimulationTest.
struct DialogueSetting {
  std::vector<DialogueServer> servers;
  double rate = 0;  ///< requests per second, evenly spaced
  std::uint64_t requests = 0;
  Duration end{};  ///< answers after that do not count
  std::uint32_t clients = 10;
  std::uint32_t endpoints = 1;
  bool repeats_500 = false;  ///< requests of the kind GET
  /// Whom each client goes to at first if it is pinned; those that have none here draw one.
  std::vector<std::uint32_t> pins{};
};

/// What its report says of a run.
struct DialogueResult {
  double success = 0;  ///< percent of all requests, which were answered with 200
  double mean_s = 0;   ///< of all that were answered
};

/// Runs clients as palantir/dialogue's: each counts its requests at every server, and a failure
/// as ten more that fade by half in 30 s; Jsq of those names the server. With limits, a server
/// and each of its endpoints has so many of a client's requests at a time as a limit says, which
/// grows with answers and shrinks with failures; the rest waits. Pinned, a client stays with a
/// server until it fails. 503, 429 and perhaps 500 are tried again up to four times.
[[nodiscard]] DialogueResult run_dialogue(const DialogueSetting& setting, DialogueStrategy strategy,
                                          Seed seed);

}  // namespace artel::verify
