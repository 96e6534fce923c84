#pragma once

#include <cstdint>

namespace artel::cluster {

// What masters and workers tell each other are msgpack arrays that begin with kProtocolVersion:
// ChunkOrder, ChunkResult, WorkerReport, BeaconRequest, BeaconAnswer, QueueCall, DeadLetter.
// Decoding checks everything it reads: bytes from elsewhere give an Error, never more. subjects.hpp
// says where each is published.

/// Masters and workers of different versions refuse each other's messages.
inline constexpr std::uint32_t kProtocolVersion = 4;

}  // namespace artel::cluster
