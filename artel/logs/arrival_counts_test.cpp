#include "artel/logs/arrival_counts.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/logs/load_logs.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/logs/read_log.hpp"
#include "artel/random/stream.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::logs {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::HasSubstr;

constexpr Instant kBegin{std::chrono::seconds(1'790'000'000)};

enum class Split : std::uint8_t { in_turn, at_random };

// Arrivals of 100 a second for an hour, Poisson or in bursts, which two workers share. The second's
// clock is ahead.
std::array<std::vector<Instant>, 2> shared(Split split, bool bursts, Duration ahead,
                                           std::uint64_t seed = 1) {
  random::Stream dice(Seed{seed}, "shared");
  std::array<std::vector<Instant>, 2> of;
  double at = 0, turn = 0;
  bool loud = false;
  for (std::size_t i = 0; at < 3600; ++i) {
    for (; turn < at; loud = !loud) turn += -std::log(1 - dice.uniform()) * 5;  // 5 s each
    at += -std::log(1 - dice.uniform()) / (!bursts ? 100 : loud ? 180 : 20);
    const auto worker = split == Split::in_turn ? i % 2 : static_cast<std::size_t>(dice.below(2));
    of[worker].push_back(kBegin + from_seconds(at) + (worker == 1 ? ahead : Duration{}));
  }
  return of;
}

ArrivalCounts counted(const std::vector<Instant>& times) {
  ArrivalCounts counts;
  for (const auto at : times) counts.add(at);
  return counts;
}

std::optional<ClockSkew> skew(const std::array<std::vector<Instant>, 2>& of) {
  return counted(of[0]).skew_of(counted(of[1]));
}

TEST(ArrivalCounts, OfWorkersThatTakeTurnsTheSkewIsTold) {
  for (const Duration ahead : {Duration{2s}, Duration{-340ms}, Duration{0s}}) {
    const auto told = skew(shared(Split::in_turn, false, ahead));
    ASSERT_TRUE(told);
    const auto known = told.value_or(ClockSkew{});
    EXPECT_LE(std::chrono::abs(known.ahead - ahead), known.precision);
    EXPECT_LE(known.precision, 200ms);
  }
}

TEST(ArrivalCounts, BurstsTellItWhoeverGetsATask) {
  const auto told = skew(shared(Split::at_random, true, 5s));
  ASSERT_TRUE(told);
  const auto known = told.value_or(ClockSkew{});
  EXPECT_LE(std::chrono::abs(known.ahead - 5s), known.precision);
  EXPECT_LE(known.precision, 1s);
}

TEST(ArrivalCounts, WhatNothingTellsIsNotMadeUp) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    EXPECT_FALSE(skew(shared(Split::at_random, false, 2s, seed))) << seed;
  EXPECT_FALSE(ArrivalCounts{}.skew_of(ArrivalCounts{}));
  const auto of = shared(Split::in_turn, false, 0s);
  std::vector<Instant> a_day_later;
  for (const auto at : of[1]) a_day_later.push_back(at + 24h);
  EXPECT_FALSE(counted(of[0]).skew_of(counted(a_day_later)));
}

TEST(ArrivalCounts, TakesAnyTimesInAnyOrder) {
  ArrivalCounts counts;
  counts.add(kBegin);
  counts.add(kBegin - 24h * 3650);
  counts.add(Instant{} - 24h * 365);
  counts.add(kBegin + 24h * 3650);
  ArrivalCounts sum = counted({kBegin, kBegin + 5ms});
  sum.add(counts);
  sum.add(sum);
  EXPECT_FALSE(sum.empty());
}

TEST(ArrivalCounts, OfSeveralLogsItIsSaid) {
  const TemporaryFolder folder;
  const auto of = shared(Split::in_turn, false, 2s);
  std::vector<std::filesystem::path> files;
  for (const auto* const name : {"a", "b"}) {
    files.push_back(folder.path() / name);
    std::ofstream out(files.back());
    for (const auto at : of[files.size() - 1]) {
      const auto ms = at.time_since_epoch() / 1ms;
      out << fmt::format("{}.{:03} 0.001\n", ms / 1000, ms % 1000);
    }
  }
  const LogOptions options{.log_format = "$msec $request_time"};
  const auto loaded = load_logs(files, options);
  ASSERT_TRUE(loaded);
  const auto reading = loaded->reading.value_or(LogReading{});
  ASSERT_EQ(reading.overlaps.size(), 1U);
  EXPECT_THAT(reading.notes(), Contains(HasSubstr("of which its is 2.00 s ahead (within")));
}

}  // namespace
}  // namespace artel::logs
