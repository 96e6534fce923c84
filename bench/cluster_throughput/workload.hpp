#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace artel::bench {

/// Tasks that do nothing: each is `bytes` bytes, and so is its result, which is the same bytes.
struct ClusterWorkload {
  std::size_t workers = 1;  ///< processes
  std::size_t tasks = 1000;
  std::size_t bytes = 100;
  std::size_t credit = 16;     ///< tasks that a worker has in hand at most
  std::size_t in_flight = 64;  ///< tasks that are out at most; 1: round trips are measured
};

/// What a master saw.
struct ClusterRun {
  double seconds = 0;                 ///< from the first task to the last result
  std::uint64_t checksum = 0;         ///< of the results, each counted once
  std::vector<double> round_trip_us;  ///< if in_flight is 1
  double master_s = 0;                ///< processor time meanwhile
  double workers_s = 0;               ///< of all of them, with their start
  double server_s = 0;                ///< with its start
};

/// Task number `index`: its number, then zeros.
inline std::string payload(std::uint64_t index, std::size_t bytes) {
  std::string text(bytes, '\0');
  std::memcpy(text.data(), &index, sizeof index);
  return text;
}

inline std::uint64_t number_in(std::span<const char> bytes) {
  std::uint64_t index = 0;
  if (bytes.size() >= sizeof index) std::memcpy(&index, bytes.data(), sizeof index);
  return index;
}

/// What each result adds to the checksum.
inline std::uint64_t share_of(std::span<const char> result) {
  return (number_in(result) + 1) * (result.size() + 1);
}

}  // namespace artel::bench
