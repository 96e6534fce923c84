#include "artel/core/detail/read_double.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>

namespace artel::detail {
namespace {

struct Reading {
  std::ptrdiff_t length;
  std::errc error;
  std::uint64_t bits;
  friend bool operator==(const Reading&, const Reading&) = default;
};

Reading reading(const std::string& text, std::from_chars_result result, double number) {
  return {result.ptr - text.data(), result.ec, std::bit_cast<std::uint64_t>(number)};
}

Reading ours(const std::string& text) {
  double number = 7;
  const auto result = read_double(text.data(), text.data() + text.size(), number);
  return reading(text, result, number);
}

Reading standard(const std::string& text) {
  double number = 7;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  return reading(text, result, number);
}

TEST(ReadDouble, ReadsWhatFromCharsReads) {
  for (const char* text :
       {"",       "1",      "-0.5",   "1e3",    "1e",     "1e+",      "+1",    " 1",    "\t1",
        "-",      ".",      ".5",     "5.",     "0x10",   "-0x1p3",   "1x",    "12GiB", "inf",
        "-inf",   "nan",    "-nan",   "infin",  "Infini", "infinity", "nanx",  "in",    "1e400",
        "-1e400", "1e-400", "0e-400", "5e-324", "2e-310", "1,5",      "1'000", "1_0",   "١"})
    EXPECT_EQ(ours(text), standard(text)) << "'" << text << "'";
}

RC_GTEST_PROP(ReadDouble, ReadsAnyDouble, (double number)) {
  char text[64];
  const auto written = std::to_chars(text, text + sizeof text, number);
  const std::string whole(text, written.ptr);
  RC_ASSERT(ours(whole) == standard(whole));
}

RC_GTEST_PROP(ReadDouble, ReadsAnyTextAlike, ()) {
  const auto text = *rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("0123456789eE.+-xXinfaINFA ")));
  RC_ASSERT(ours(text) == standard(text));
}

}  // namespace
}  // namespace artel::detail
