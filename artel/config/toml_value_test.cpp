#include "artel/config/toml_value.hpp"

#include <gtest/gtest.h>
#include <cstddef>
#include <string>
#include <string_view>
#include "artel/core/error.hpp"

namespace artel::config {
namespace {

using Kind = TomlValue::Kind;

std::string error_of(std::string_view text) {
  const auto parsed = parse_toml(text, "s.toml");
  return parsed ? "no error" : to_string(parsed.error());
}

std::string repeat(std::string_view text, std::size_t times) {
  std::string repeated;
  for (std::size_t i = 0; i < times; ++i) repeated += text;
  return repeated;
}

TEST(TomlValue, KeepsValuesAndPlaces) {
  const auto root =
      parse_toml("a = 1\n[b]\nc = [true, 2.5, \"x\"]\n  \"d.e\" = { f = 3 }\n", "s.toml");
  ASSERT_TRUE(root);
  const auto* a = root->find("a");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->kind, Kind::integer);
  EXPECT_EQ(a->integer, 1);
  EXPECT_EQ(a->number, 1.0);
  EXPECT_EQ(a->place.where("s.toml"), "s.toml:1:5");
  const auto* c = root->find("b")->find("c");
  ASSERT_EQ(c->items.size(), 3U);
  EXPECT_EQ(c->items[0].kind, Kind::boolean);
  EXPECT_EQ(c->items[1].number, 2.5);
  EXPECT_EQ(c->items[2].text, "x");
  const auto& entry = root->find("b")->entries.back();
  EXPECT_EQ(entry.key, "d.e");
  EXPECT_EQ(entry.place.where("s.toml"), "s.toml:4:3");
  EXPECT_EQ(entry.value.find("f")->place.where("s.toml"), "s.toml:4:17");
  EXPECT_EQ(root->find("nothing"), nullptr);
}

TEST(TomlValue, SyntaxErrorsHaveTheirPlace) {
  EXPECT_EQ(error_of("[pool\nworkers = 8\n"),
            "s.toml:1:6: not TOML: table header: expected ']', saw '\\n'");
  EXPECT_EQ(error_of("a = 1\na = 2\n"),
            "s.toml:2:5: not TOML: key-value pair: cannot redefine existing integer 'a'");
}

TEST(TomlValue, ForgottenQuotesAreExplained) {
  EXPECT_EQ(
      error_of("mean = 50ms\n"),
      "s.toml:1:10: not TOML: decimal integer: expected digit, saw 'm'; text and durations go "
      "in quotes, like \"50ms\"");
  EXPECT_EQ(error_of("kind = poisson\n"),
            "s.toml:1:8: not TOML: value: could not determine value type; text and durations go in "
            "quotes, like \"50ms\"");
}

TEST(TomlValue, DeepNestingIsRefusedBeforeItOverflowsTheStack) {
  EXPECT_EQ(error_of(repeat("a.", 100'000) + "a = 1"), "s.toml:1:66: nested deeper than 32 levels");
  EXPECT_EQ(error_of("x = 1\na = " + repeat("[", 100'000)),
            "s.toml:2:37: nested deeper than 32 levels");
  EXPECT_EQ(error_of(repeat("\"a\" . ", 100'000) + "a = 1"),
            "s.toml:1:197: nested deeper than 32 levels");
}

TEST(TomlValue, WhatIsClosedDoesNotNest) {
  EXPECT_EQ(error_of("a = [" + repeat("[1], ", 2 * kTomlDepthMax) + "]"), "no error");
  EXPECT_EQ(error_of(repeat("[[a]]\nb.c = { d = 1 }\n", 2 * kTomlDepthMax)), "no error");
}

TEST(TomlValue, DotsAndBracketsInTextAndCommentsDoNotNest) {
  const auto dots = repeat(".", 100) + repeat("[", 100);
  EXPECT_EQ(error_of("# " + dots + "\na = \"" + dots + "\\\"" + dots + "\"\nb = '" + dots +
                     "'\nc = \"\"\"" + dots + "\n\"" + dots + "\"\"\"\n"),
            "no error");
  std::string list = "a = [";
  for (int i = 0; i < 1000; ++i) list += "0.5, ";
  EXPECT_EQ(error_of(list + "]"), "no error");
}

TEST(TomlValue, DescribesWhatWasFound) {
  const auto root = parse_toml(
      "a = 1\nb = 2.5\nc = 'x'\nd = [1, 2]\ne = {}\nf = 2024-01-01\ng = false\nh = inf", "s.toml");
  ASSERT_TRUE(root);
  const auto describe = [&](std::string_view key) { return root->find(key)->describe(); };
  EXPECT_EQ(describe("a"), "1");
  EXPECT_EQ(describe("b"), "2.5");
  EXPECT_EQ(describe("c"), "'x'");
  EXPECT_EQ(describe("d"), "a list of 2");
  EXPECT_EQ(describe("e"), "a table");
  EXPECT_EQ(describe("f"), "a date or time");
  EXPECT_EQ(describe("g"), "false");
  EXPECT_EQ(describe("h"), "inf");
}

}  // namespace
}  // namespace artel::config
