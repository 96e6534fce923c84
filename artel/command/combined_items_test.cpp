#include "artel/command/combined_items.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "artel/command/field_items.hpp"
#include "artel/command/item_reader.hpp"
#include "artel/command/items_until.hpp"
#include "artel/command/shuffled_items.hpp"
#include "artel/core/error.hpp"

namespace artel::command {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;
using Texts = std::vector<std::string>;

std::unique_ptr<InputItems> listed(Texts items) {
  return std::make_unique<ListedItems>(std::move(items));
}

// All of them, "|" between the fields.
Texts all_of(InputItems& items) {
  Texts all;
  for (std::string item; items.next(item) == Supply::item;) {
    std::ranges::replace(item, '\0', '|');
    all.push_back(item);
  }
  return all;
}

struct Input {
  Texts items;
  bool linked = false;
};
Texts combined(std::vector<Input> inputs, bool repeat = false) {
  std::vector<CombinedItems::Source> sources;
  for (auto& input : inputs) sources.push_back({listed(std::move(input.items)), input.linked});
  CombinedItems items(std::move(sources), repeat);
  return all_of(items);
}

TEST(CombinedItems, AllCombinationsTheLastInputFastest) {
  EXPECT_THAT(combined({{{"a", "b"}}, {{"1", "2"}}}), ElementsAre("a|1", "a|2", "b|1", "b|2"));
  EXPECT_THAT(combined({{{"a"}}, {{"1", "2"}}, {{"x", "y"}}}),
              ElementsAre("a|1|x", "a|1|y", "a|2|x", "a|2|y"));
  EXPECT_THAT(combined({{{"a"}}, {{}}}), ElementsAre());
  EXPECT_THAT(combined({{{}}, {{"a"}}}), ElementsAre());
}

TEST(CombinedItems, ALinkedInputGoesAlong) {
  EXPECT_THAT(combined({{{"a", "b", "c"}}, {{"1", "2"}, true}}), ElementsAre("a|1", "b|2"));
  EXPECT_THAT(combined({{{"a", "b"}}, {{"1", "2"}}, {{"x", "y", "z"}, true}}),
              ElementsAre("a|1|x", "a|2|y", "b|1|x", "b|2|y"));
  EXPECT_THAT(combined({{{"a", "b"}}, {{"1", "2"}, true}, {{"x", "y"}}}),
              ElementsAre("a|1|x", "a|1|y", "b|2|x", "b|2|y"));
}

TEST(CombinedItems, RepeatedOnesBeginAgain) {
  EXPECT_THAT(combined({{{"a", "b", "c"}}, {{"1", "2"}}}, true), ElementsAre("a|1", "b|2", "c|1"));
  EXPECT_THAT(combined({{{"a"}}, {{"1", "2"}}, {{}}}, true), ElementsAre());
  EXPECT_THAT(combined({{{"a", "b"}}, {{"1", "2", "3"}}}, true), ElementsAre("a|1", "b|2", "a|3"));
}

TEST(CombinedItems, WaitsForTheInputThatIsSlow) {
  std::array<int, 2> first{};
  std::array<int, 2> second{};
  ASSERT_EQ(::pipe(first.data()) + ::pipe(second.data()), 0);
  std::vector<CombinedItems::Source> sources;
  sources.push_back({std::make_unique<ItemReader>(first[0], '\n', "first"), false});
  sources.push_back({std::make_unique<ItemReader>(second[0], '\n', "second"), false});
  CombinedItems items(std::move(sources));
  std::string item;
  EXPECT_EQ(items.next(item), Supply::wait);
  EXPECT_EQ(items.file(), second[0]);
  ASSERT_EQ(::write(second[1], "1\n", 2), 2);
  EXPECT_EQ(items.next(item), Supply::wait);
  ::close(second[1]);
  EXPECT_EQ(items.next(item), Supply::wait);
  EXPECT_EQ(items.file(), first[0]);
  ASSERT_EQ(::write(first[1], "a\n", 2), 2);
  EXPECT_EQ(items.next(item), Supply::item);
  EXPECT_EQ(item, std::string("a\0001", 3));
  for (const int file : {first[0], first[1], second[0]}) ::close(file);
}

TEST(FieldItems, AreCutWhereTheExpressionMatches) {
  const auto cut = [](const std::string& separator, Texts items) {
    auto fields = FieldItems::by_regex(listed(std::move(items)), separator);
    return fields ? all_of(**fields) : Texts{to_string(fields.error())};
  };
  EXPECT_THAT(cut("\\t", {"a\tb c\t", "d"}), ElementsAre("a|b c|", "d"));
  EXPECT_THAT(cut(" +|,", {"a  b,c"}), ElementsAre("a|b|c"));
  EXPECT_THAT(cut("x*", {"ab"}), ElementsAre("ab"));
  EXPECT_THAT(cut("(", {"ab"}), ElementsAre(HasSubstr("'(' is no regular expression")));
}

TEST(FieldItems, OfCsvMayHaveCommasQuotesAndLineBreaks) {
  const auto items =
      FieldItems::by_csv(listed({"a,\"b, \"\"c\"\"\"", "", "\"one", "", "two\",x", "last\r"}));
  EXPECT_THAT(all_of(*items), ElementsAre("a|b, \"c\"", "one\n\ntwo|x", "last"));
  std::string item;
  const auto broken = FieldItems::by_csv(listed({"a", "\"b\"c"}));
  EXPECT_EQ(broken->next(item), Supply::item);
  EXPECT_THAT(to_string(broken->next(item).error()), HasSubstr("line 2"));
}

TEST(ItemsUntil, EndsBeforeTheTextThatEndsIt) {
  ItemsUntil items(listed({"a", "stop", "b"}), "stop");
  EXPECT_THAT(all_of(items), ElementsAre("a"));
}

TEST(ShuffledItems, GivesEachItemOnce) {
  ShuffledItems items(listed({"a", "b", "c"}));
  EXPECT_THAT(all_of(items), UnorderedElementsAre("a", "b", "c"));
}

TEST(WaitForItem, GivesWhatIsThere) {
  ListedItems items({"a"});
  EXPECT_EQ(*wait_for_item(items), "a");
  EXPECT_EQ(*wait_for_item(items), std::nullopt);
}

}  // namespace
}  // namespace artel::command
