#include "artel/file/append_json.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace artel::file {
namespace {

std::string json(std::string_view text) {
  std::string out;
  append_json(out, text);
  return out;
}

TEST(JsonText, EscapesWhatMustBe) {
  EXPECT_EQ(json("a\"b\\c\nd\te\x1f"), R"("a\"b\\c\nd\u0009e\u001f")");
}

TEST(JsonText, KeepsUtf8) { EXPECT_EQ(json("é € 😀"), "\"é € 😀\""); }

TEST(JsonText, MendsWhatIsNotUtf8) {
  EXPECT_EQ(json("\xff-"), "\"\\ufffd-\"");
  EXPECT_EQ(json("\xc3"), "\"\\ufffd\"");                                   // cut off
  EXPECT_EQ(json("\xc0\xaf"), "\"\\ufffd\\ufffd\"");                        // overlong
  EXPECT_EQ(json("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\"");             // a surrogate
  EXPECT_EQ(json("\xf5\x80\x80\x80"), "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");  // beyond U+10FFFF
}

RC_GTEST_PROP(JsonText, AnyBytesGiveValidJson, (const std::string& text)) {
  const auto parsed = nlohmann::json::parse(json(text));  // throws on invalid JSON or UTF-8
  RC_ASSERT(parsed.is_string());
}

}  // namespace
}  // namespace artel::file
