#include "artel/pool/detail/body_blocks.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "artel/core/poison.hpp"  // NOLINT(misc-include-cleaner): says whether ARTEL_POISON is
#include "artel/pool/detail/submit_conditions.hpp"
#include "artel/pool/detail/task_body.hpp"

namespace artel::pool::detail {
namespace {

TEST(BodyBlocks, ComeAgain) {
  void* const block = BodyBlocks::take();
  BodyBlocks::give(block);
  EXPECT_EQ(BodyBlocks::take(), block);
  BodyBlocks::give(block);
}

TEST(BodyBlocks, NoTwoOwnersHoldTheSame) {
  constexpr std::size_t kMany = 10 * BodyBlocks::kBatch;
  std::set<void*> held;
  for (std::size_t i = 0; i < kMany; ++i) {
    void* const block = BodyBlocks::take();
    std::memset(block, 0xAB, BodyBlocks::kBytes);
    EXPECT_TRUE(held.insert(block).second);
  }
  for (void* const block : held) BodyBlocks::give(block);
}

TEST(BodyBlocks, GoFromThoseWhoGiveToThoseWhoTake) {
  constexpr std::size_t kMany = 4 * BodyBlocks::kBatch;
  std::set<void*> first;
  for (std::size_t i = 0; i < kMany; ++i) first.insert(BodyBlocks::take());
  std::size_t seen_again = 0;
  std::thread other([&] {
    for (void* const block : first) BodyBlocks::give(block);
    std::thread([&] {
      std::vector<void*> taken;
      for (std::size_t i = 0; i < BodyBlocks::kBatch; ++i) taken.push_back(BodyBlocks::take());
      for (void* const block : taken) {
        seen_again += first.count(block);
        BodyBlocks::give(block);
      }
    }).join();
  });
  other.join();
  EXPECT_EQ(seen_again, BodyBlocks::kBatch);
}

#ifdef ARTEL_POISON
// The memory is the pool's own all the time: only the poison tells.
TEST(BodyBlocksDeathTest, WhatWasGivenBackIsPoisoned) {
  auto* const bytes = static_cast<volatile char*>(BodyBlocks::take());
  bytes[40] = 1;
  BodyBlocks::give(const_cast<char*>(bytes));
  EXPECT_DEATH(bytes[40] = 2, "use-after-poison");
}
#endif

// What Pool promises: up to 64 bytes, with all options.
static_assert(kFitsBlock<LabelledBody<SubmitConditions, std::array<std::byte, 64>>>);

TEST(MakeBody, EndsWhatItMadeOnceWhateverItsSize) {
  struct Small {
    std::shared_ptr<int> held;
  };
  struct Large {
    std::shared_ptr<int> held;
    std::array<std::byte, 2 * BodyBlocks::kBytes> rest{};
  };
  const auto held = std::make_shared<int>(1);
  {
    const auto small = make_body<Small>(Small{held});
    const auto large = make_body<Large>(Large{held, {}});
    EXPECT_EQ(held.use_count(), 3);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(small.get()) % alignof(std::max_align_t), 0U);
  }
  EXPECT_EQ(held.use_count(), 1);
}

TEST(MakeBody, GivesTheBlockBackWhenTheBodyCannotBeMoved) {
  struct Throws {
    Throws() = default;
    Throws(Throws&&) { throw std::runtime_error("no"); }  // NOLINT(*-noexcept-move*)
  };
  void* const block = BodyBlocks::take();
  BodyBlocks::give(block);
  EXPECT_THROW(static_cast<void>(make_body<Throws>(Throws{})), std::runtime_error);
  EXPECT_EQ(BodyBlocks::take(), block);
  BodyBlocks::give(block);
}

}  // namespace
}  // namespace artel::pool::detail
