#pragma once

#include <gtest/gtest.h>
#include <nats/nats.h>
#include <nats/status.h>

#include <cstdint>

namespace artel::cluster {

/// Bytes of the messages that were published on it so far, sent or not.
inline std::uint64_t bytes_sent(natsConnection* connection) {
  natsStatistics* statistics = nullptr;
  EXPECT_EQ(natsStatistics_Create(&statistics), NATS_OK);
  EXPECT_EQ(natsConnection_GetStats(connection, statistics), NATS_OK);
  std::uint64_t bytes = 0;
  EXPECT_EQ(natsStatistics_GetCounts(statistics, nullptr, nullptr, nullptr, &bytes, nullptr),
            NATS_OK);
  natsStatistics_Destroy(statistics);
  return bytes;
}

}  // namespace artel::cluster
