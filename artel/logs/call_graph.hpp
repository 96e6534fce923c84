#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::logs {

/// Who calls whom, from OpenTelemetry's spans: a request comes to the entry, which calls others.
struct CallGraph {
  /// One service, by what its spans of requests say.
  struct CalledService {
    std::string name;                ///< "service.name", printable
    std::uint64_t visits = 0;        ///< requests that it served
    std::uint64_t requests = 0;      ///< of CallGraph::arrivals: those that came here at all
    Duration first{};                ///< mean, from the arrival of a request to its first visit
    std::uint32_t most_at_once = 0;  ///< visits under way
    /// Whether the visits of one request lie beside each other rather than one after the other.
    bool at_once = false;
    /// Of each visit: how long it took but for the calls in it, as far as they lie within.
    std::vector<Duration> own;
    std::vector<Duration> own_of_request;  ///< the sum of these, of each request that came here
  };
  /// Calls of one service by another.
  struct Call {
    std::size_t from = 0, to = 0;  ///< numbers of services
    std::uint64_t calls = 0;       ///< in all requests
  };
  std::vector<CalledService> services;  ///< the entry first, then by CalledService::first
  std::vector<Call> calls;              ///< by `from`, then by `to`
  std::vector<Instant> arrivals;        ///< of requests at the entry, ascending
  std::vector<Duration> responses;      ///< of these, in that order
  std::uint64_t spans = 0;              ///< that were read, of whichever kind
  std::uint64_t elsewhere = 0;          ///< requests that came to another service than the entry
};

/// Reads OTLP-JSON, one document or one per line. The entry is the service that most requests come
/// to from outside: a span of a server or a consumer that has no parent here.
///
/// Cost:   O(n log n); about 200 bytes per span.
/// Errors: not JSON; no such span; more than 20 million spans.
[[nodiscard]] Result<CallGraph> read_call_graph(std::istream& in, const std::string& name);

}  // namespace artel::logs
