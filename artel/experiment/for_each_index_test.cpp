#include "artel/experiment/for_each_index.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <stop_token>
#include <vector>

namespace artel::experiment {
namespace {

TEST(ForEachIndex, CallsEveryIndexOnce) {
  for (const unsigned threads : {1U, 3U, 50U}) {
    std::vector<std::atomic<int>> calls(20);
    for_each_index(calls.size(), threads, {}, [&](std::size_t i) { ++calls[i]; });
    for (const auto& count : calls) EXPECT_EQ(count, 1);
  }
}

TEST(ForEachIndex, LeavesTheRestOutWhenStopped) {
  std::stop_source stop;
  std::atomic<int> calls{0};
  for_each_index(1000, 1, stop.get_token(), [&](std::size_t i) {
    ++calls;
    if (i == 4) stop.request_stop();
  });
  EXPECT_EQ(calls, 5);
}

}  // namespace
}  // namespace artel::experiment
