#include "artel/command/detail/output_store.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "artel/command/detail/spill_file.hpp"
#include "artel/core/error.hpp"

namespace artel::command::detail {
namespace {

std::string whole(SpillFile& spill, StreamText stream) {
  std::string all;
  for (std::string piece; !stream.spilled.empty(); all += piece) {
    EXPECT_TRUE(spill.take(stream.spilled, piece));
  }
  return all + stream.text;
}

TEST(SpillFile, TextsGrowSideBySide) {
  SpillFile spill;
  SpilledText a;
  SpilledText b;
  for (int round = 0; round < 2; ++round) {  // the second one uses the file anew
    ASSERT_TRUE(spill.append(a, "a1"));
    ASSERT_TRUE(spill.append(b, "b1"));
    ASSERT_TRUE(spill.append(a, std::string(100'000, 'x')));
    EXPECT_EQ(whole(spill, {.spilled = std::exchange(a, {})}), "a1" + std::string(100'000, 'x'));
    EXPECT_EQ(whole(spill, {.spilled = std::exchange(b, {})}), "b1");
  }
}

TEST(SpillFile, KnowsHowMuchItHas) {
  SpillFile spill(3 * SpillFile::kSection);
  std::vector<SpilledText> texts(4);
  const std::string section(SpillFile::kSection, 'x');
  for (auto& text : texts) ASSERT_TRUE(spill.append(text, section));  // in several pieces each
  EXPECT_TRUE(spill.full());
  EXPECT_EQ(whole(spill, {.spilled = std::exchange(texts[1], {})}), section);
  ASSERT_TRUE(spill.drop(texts[2]));
  EXPECT_TRUE(texts[2].empty());
  EXPECT_FALSE(spill.full());
  EXPECT_EQ(whole(spill, {.spilled = texts[0]}), section);
  EXPECT_EQ(whole(spill, {.spilled = texts[3]}), section);
  EXPECT_EQ(spill.bytes(), 0);
}

TEST(SpillFile, WithoutAFolderItIsAnError) {
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before != nullptr ? before : "/tmp";
  ::setenv("TMPDIR", "/nonexistent", 1);
  SpillFile spill;
  SpilledText text;
  EXPECT_EQ(to_string(spill.append(text, "a").error()),
            "/nonexistent: cannot create a temporary file: No such file or directory");
  ::setenv("TMPDIR", kept.c_str(), 1);
}

TEST(OutputStore, MemoryIsBoundedBehindASlowJob) {
  SpillFile spill;
  OutputStore store(spill, 10'000);
  for (std::uint64_t turn = 1; turn < 2'000; ++turn) {
    ASSERT_TRUE(store.put(turn, {.out = {.text = std::to_string(turn)}}));
    EXPECT_LE(store.memory(), 10'000);
    EXPECT_FALSE(*store.take());
  }
  ASSERT_TRUE(store.put(0, {.err = {.text = std::string(20'000, 'e')}}));
  EXPECT_EQ(store.take()->value_or(JobOutput{}).err.text.size(), 20'000);
  for (std::uint64_t turn = 1; turn < 2'000; ++turn) {
    const auto output = store.take()->value_or(JobOutput{});
    EXPECT_EQ(whole(spill, output.out), std::to_string(turn));
  }
  EXPECT_EQ(store.memory(), 0);
}

RC_GTEST_PROP(OutputStore, GivesEveryOutputInOrder, (const std::vector<std::string>& texts)) {
  const auto memory_max = *rc::gen::inRange<std::size_t>(0, 2000);
  std::vector<std::size_t> order(texts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[*rc::gen::inRange<std::size_t>(0, i)]);
  }
  SpillFile spill;
  OutputStore store(spill, memory_max);
  std::size_t taken = 0;
  for (const auto turn : order) {
    RC_ASSERT(store.put(turn, {.out = {.text = texts[turn]}}).has_value());
    while (auto output = *store.take()) RC_ASSERT(whole(spill, output->out) == texts[taken++]);
  }
  RC_ASSERT(taken == texts.size());
}

}  // namespace
}  // namespace artel::command::detail
