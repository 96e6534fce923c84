#include "artel/command/item_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"

namespace artel::command {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Pipe {
 public:
  Pipe() { EXPECT_EQ(::pipe(ends_.data()), 0); }
  ~Pipe() {
    ::close(ends_[0]);
    close();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void write(std::string_view text) {
    ASSERT_EQ(::write(ends_[1], text.data(), text.size()), static_cast<long>(text.size()));
  }
  void close() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }
  [[nodiscard]] int out() const { return ends_[0]; }

 private:
  std::array<int, 2> ends_{-1, -1};
};

std::vector<std::string> all_of(ItemReader& reader) {
  std::vector<std::string> items;
  for (std::string item; *reader.next(item) == Supply::item;) items.push_back(item);
  return items;
}

std::vector<std::string> items_of(std::string_view text, char separator = '\n') {
  Pipe pipe;
  pipe.write(text);
  pipe.close();
  ItemReader reader(pipe.out(), separator, "input");
  return all_of(reader);
}

TEST(ItemReader, GivesLinesAsTheyAre) {
  EXPECT_THAT(items_of("a b\n\n 'c'\t\nlast"), ElementsAre("a b", "", " 'c'\t", "last"));
  EXPECT_THAT(items_of(""), ElementsAre());
  EXPECT_THAT(items_of("a\n"), ElementsAre("a"));
}

TEST(ItemReader, NullBytesSeparateWhatHasLineBreaks) {
  EXPECT_THAT(items_of({"a\nb\0-c\0", 7}, '\0'), ElementsAre("a\nb", "-c"));
}

TEST(ItemReader, WaitsForTheRestOfALine) {
  Pipe pipe;
  ItemReader reader(pipe.out(), '\n', "input");
  std::string item;
  EXPECT_EQ(reader.next(item), Supply::wait);
  pipe.write("ab");
  EXPECT_EQ(reader.next(item), Supply::wait);
  pipe.write("c\nd");
  EXPECT_EQ(reader.next(item), Supply::item);
  EXPECT_EQ(item, "abc");
  EXPECT_EQ(reader.next(item), Supply::wait);
  pipe.close();
  EXPECT_EQ(reader.next(item), Supply::item);
  EXPECT_EQ(item, "d");
  EXPECT_EQ(reader.next(item), Supply::end);
}

TEST(ItemReader, RefusesWhatCannotBeAnArgument) {
  Pipe pipe;
  pipe.write({"ok\na\0b\n", 7});
  ItemReader reader(pipe.out(), '\n', "input");
  std::string item;
  EXPECT_EQ(reader.next(item), Supply::item);
  EXPECT_THAT(to_string(reader.next(item).error()), HasSubstr("input: item 2 has a null byte"));
}

TEST(ItemReader, RefusesAnItemThatNeverEnds) {
  const std::string part(60'000, 'x');
  Pipe pipe;
  ItemReader reader(pipe.out(), '\n', "input");
  std::string item;
  for (int i = 0; i < 2; ++i) {
    pipe.write(part);
    EXPECT_EQ(reader.next(item), Supply::wait);
  }
  pipe.write(part);
  EXPECT_EQ(reader.next(item).error().code, ErrorCode::too_large);
}

RC_GTEST_PROP(ItemReader, AnyPiecesGiveTheSameItems, (const std::vector<std::string>& pieces)) {
  Pipe pipe;
  ItemReader reader(pipe.out(), '\0', "input");
  std::string whole;
  std::vector<std::string> items;
  for (const auto& piece : pieces) {
    const auto part = piece + std::string(piece.size() % 2, '\0');
    if (part.empty()) continue;
    whole += part;
    pipe.write(part);
    for (const auto& item : all_of(reader)) items.push_back(item);
  }
  pipe.close();
  for (const auto& item : all_of(reader)) items.push_back(item);
  RC_ASSERT(items == items_of(whole, '\0'));
}

TEST(ListedItems, HandsThemOutInOrder) {
  ListedItems items({"a", ""});
  std::string item;
  EXPECT_EQ(items.next(item), Supply::item);
  EXPECT_EQ(item, "a");
  EXPECT_EQ(items.share(), 0.5);
  EXPECT_EQ(items.next(item), Supply::item);
  EXPECT_EQ(items.next(item), Supply::end);
}

}  // namespace
}  // namespace artel::command
