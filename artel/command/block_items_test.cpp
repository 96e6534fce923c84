#include "artel/command/block_items.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "artel/command/item_reader.hpp"

namespace artel::command {
namespace {

using testing::ElementsAre;

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> blocks_of(std::string_view text, const BlockLimits& limits) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  EXPECT_EQ(::write(ends[1], text.data(), text.size()), static_cast<long>(text.size()));
  ::close(ends[1]);
  BlockItems items(ends[0], limits, "input");
  std::vector<std::string> blocks;
  for (std::string item; items.next(item) == Supply::item;) blocks.push_back(text_of(item));
  ::close(ends[0]);
  return blocks;
}

TEST(BlockItems, HaveWholeRecords) {
  EXPECT_THAT(blocks_of("ab\ncd\nef\n", {.bytes = 7}), ElementsAre("ab\ncd\n", "ef\n"));
  EXPECT_THAT(blocks_of("ab\ncd\nef", {.bytes = 3}), ElementsAre("ab\n", "cd\n", "ef"));
  EXPECT_THAT(blocks_of("longer than that\nab\n", {.bytes = 3}),
              ElementsAre("longer than that\n", "ab\n"));
  EXPECT_THAT(blocks_of("a;b\n;c", {.bytes = 2, .record_end = ";"}),
              ElementsAre("a;", "b\n;", "c"));
  EXPECT_THAT(blocks_of("", {}), ElementsAre());
}

TEST(BlockItems, AreCutBeforeWhatARecordBeginsWith) {
  const BlockLimits one{.records = 1, .record_end = "", .record_start = ">"};
  EXPECT_THAT(blocks_of(">a\nA\n>b\n>c\nC\n", one), ElementsAre(">a\nA\n", ">b\n", ">c\nC\n"));
  EXPECT_THAT(blocks_of("what\n>b\n", one), ElementsAre("what\n", ">b\n"));
  const BlockLimits bytes{.bytes = 6, .record_end = "", .record_start = ">"};
  EXPECT_THAT(blocks_of(">ab>cd>ef>", bytes), ElementsAre(">ab>cd", ">ef>"));
  EXPECT_THAT(blocks_of(">longer than that>b", bytes), ElementsAre(">longer than that", ">b"));
  const BlockLimits both{.records = 2, .record_end = "\n\n", .record_start = "From "};
  EXPECT_THAT(blocks_of("From a\n\nx\n\nFrom b\n\nFrom c\n\n", both),
              ElementsAre("From a\n\nx\n\nFrom b\n\n", "From c\n\n"));
}

TEST(BlockItems, HaveSoManyRecords) {
  EXPECT_THAT(blocks_of("1\n2\n3\n", {.records = 2}), ElementsAre("1\n2\n", "3\n"));
}

TEST(BlockItems, AreThereUntilTheyAreReleased) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  BlockItems items(ends[0], {.records = 1}, "input");
  std::string item;
  EXPECT_EQ(items.next(item), Supply::wait);
  ASSERT_EQ(::write(ends[1], "a\n", 2), 2);
  ASSERT_EQ(items.next(item), Supply::item);
  EXPECT_EQ(text_of(item), "a\n");
  EXPECT_EQ(text_of(item), "a\n");
  items.release(1);
  EXPECT_FALSE(std::filesystem::exists(item));
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace artel::command
