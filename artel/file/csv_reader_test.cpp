#include "artel/file/csv_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <istream>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>
#include "artel/core/error.hpp"

namespace artel::file {
namespace {

using ::testing::ElementsAre;
using Records = std::vector<std::vector<std::string>>;

Result<Records> read_all(const std::string& text, CsvLimits limits = {}) {
  std::istringstream in(text);
  CsvReader csv(in, "t.csv", limits);
  Records records;
  for (;;) {
    const auto more = csv.next();
    if (!more) return fail(more);
    if (!*more) return records;
    auto& record = records.emplace_back();
    for (std::size_t i = 0; i < csv.size(); ++i) record.emplace_back(csv[i]);
  }
}

std::string error_of(const std::string& text, CsvLimits limits = {}) {
  const auto read = read_all(text, limits);
  return read ? "no error" : to_string(read.error());
}

TEST(Csv, ReadsRecordsAndFields) {
  EXPECT_EQ(*read_all("a,b\n1,2\n"), (Records{{"a", "b"}, {"1", "2"}}));
}

TEST(Csv, LastLineNeedsNoNewline) {
  EXPECT_EQ(*read_all("a,b\n1,2"), (Records{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(*read_all("a,"), (Records{{"a", ""}}));
}

TEST(Csv, ReadsCarriageReturns) {
  EXPECT_EQ(*read_all("a,b\r\n\"1\",\"2\"\r\n3,4\r\n"),
            (Records{{"a", "b"}, {"1", "2"}, {"3", "4"}}));
  EXPECT_EQ(*read_all("a\rb,c\r"), (Records{{"a\rb", "c"}}));
}

TEST(Csv, QuotedFieldsHoldCommasQuotesAndLines) {
  EXPECT_EQ(*read_all("\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\"\n"),
            (Records{{"a,b", "say \"hi\"", "two\nlines"}}));
}

TEST(Csv, SkipsByteOrderMarkAndEmptyLines) {
  EXPECT_EQ(*read_all("\xEF\xBB\xBF"
                      "a\n\n\r\n1\n\n"),
            (Records{{"a"}, {"1"}}));
  EXPECT_EQ(*read_all("\"\"\n"), (Records{{""}}));
  EXPECT_TRUE(read_all("")->empty());
}

TEST(Csv, KnowsWhereFieldsStart) {
  std::istringstream in("ab,c\n\"x\ny\",z\n");
  CsvReader csv(in, "t.csv");
  ASSERT_TRUE(*csv.next());
  EXPECT_EQ(csv.where(1), "t.csv:1:4");
  ASSERT_TRUE(*csv.next());
  EXPECT_EQ(csv.where(), "t.csv:2");
  EXPECT_EQ(csv.where(0), "t.csv:2:1");
  EXPECT_EQ(csv.where(1), "t.csv:3:4");
}

TEST(Csv, RefusesBrokenQuotes) {
  EXPECT_EQ(error_of("a,\"b\nc\n"), "t.csv:1:3: the quote that starts here is never closed");
  EXPECT_EQ(
      error_of("a\nb\"c\n"),
      "t.csv:2:2: a quote inside an unquoted field; quote the whole field and double the quote");
  EXPECT_EQ(error_of("\"a\"b\n"),
            "t.csv:1:4: expected a comma or the end of the line after the closing quote");
}

TEST(Csv, RefusesBinaryFiles) {
  EXPECT_EQ(error_of(std::string("a,b\n1,\0", 7)),
            "t.csv:2:3: found a zero byte; expected text in UTF-8 (is this a binary file?)");
}

TEST(Csv, RefusesWhatIsBeyondItsLimits) {
  EXPECT_EQ(error_of("abcd\nabcdef\n", {.record_bytes = 4}),
            "t.csv:2:6: the line is longer than 4 bytes; is this a CSV file?");
  EXPECT_EQ(error_of("a\nb\nc\n", {.records = 2}), "t.csv:4:1: more than 2 lines");
  EXPECT_EQ(error_of("a\nb\nc\n", {.total_bytes = 5}),
            "t.csv:2:1: the input is larger than 5 bytes");
}

/// Any number of bytes of one kind, as a device or a pipe would give them.
class Endless : public std::streambuf {
 public:
  explicit Endless(char byte) : chunk_(1 << 16, byte) {}
  std::size_t bytes = 0;

 protected:
  int_type underflow() override {
    bytes += chunk_.size();
    setg(chunk_.data(), chunk_.data(), chunk_.data() + chunk_.size());
    return traits_type::to_int_type(chunk_.front());
  }

 private:
  std::string chunk_;
};

TEST(Csv, GarbageWithoutEndIsRefusedAfterOneLine) {
  for (const char byte : {'x', '"', ',', '\0'}) {
    Endless garbage(byte);
    std::istream in(&garbage);
    CsvReader csv(in, "garbage");
    EXPECT_FALSE(csv.next());
    EXPECT_LE(garbage.bytes, std::size_t{1} << 18);
  }
}

TEST(Csv, WriterQuotesOnlyWhatNeedsIt) {
  std::string out;
  append_csv(out, std::vector<std::string_view>{"plain", "a,b", "say \"hi\"", "two\nlines", ""});
  append_csv(out, std::vector<std::string_view>{""});
  EXPECT_EQ(out, "plain,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\n\"\"\n");
}

rc::Gen<std::string> any_field() {
  return rc::gen::container<std::string>(
      rc::gen::weightedOneOf<char>({{3, rc::gen::element('a', ',', '"', '\n', '\r', ' ')},
                                    {1, rc::gen::inRange<char>(1, 127)}}));
}

RC_GTEST_PROP(Csv, WrittenRecordsReadBackTheSame, ()) {
  const auto records = *rc::gen::resize(
      20, rc::gen::container<Records>(
              rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(any_field()))));
  std::string text;
  for (const auto& record : records) {
    append_csv(text, std::vector<std::string_view>(record.begin(), record.end()));
  }
  const auto read = read_all(text);
  RC_ASSERT(read.has_value());
  RC_ASSERT(*read == records);
}

}  // namespace
}  // namespace artel::file
