#include "artel/file/parse_timestamp.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <cstdint>
#include <string_view>
#include "artel/core/instant.hpp"

namespace artel::file {
namespace {

using namespace std::chrono_literals;

Duration read(std::string_view text, TimeFormat format = TimeFormat::automatic) {
  const auto time = parse_timestamp(text, format);
  EXPECT_TRUE(time) << text;
  return time.value_or(Duration::min());
}

TEST(Timestamp, ReadsIsoExactly) {
  const auto expected = 1'700'158'623s + 979'960'000ns;
  for (const auto* text : {"2023-11-16 18:17:03.9799600", "2023-11-16T18:17:03.97996Z",
                           "2023-11-16t18:17:03.979960000z", "2023-11-16 19:17:03.97996+01:00",
                           "2023-11-16T13:47:03,97996-0430", "2023-11-16 18:17:03.9799600009"}) {
    EXPECT_EQ(read(text), expected) << text;
    EXPECT_EQ(read(text, TimeFormat::iso), expected) << text;
  }
  EXPECT_EQ(read("1970-01-01 00:00:00"), 0ns);
  EXPECT_EQ(read("1969-12-31 23:59:59"), -1s);
  EXPECT_EQ(read("2024-02-29 00:00:00") - read("2024-02-28 00:00:00"), 24h);
  EXPECT_EQ(read("2016-12-31 23:59:60"), read("2017-01-01 00:00:00"));  // a leap second
}

TEST(Timestamp, ReadsNumbersExactly) {
  EXPECT_EQ(read("1700158623.979960001"), 1'700'158'623s + 979'960'001ns);
  EXPECT_EQ(read("0"), 0ns);
  EXPECT_EQ(read("-1.5"), -1500ms);
  EXPECT_EQ(read("1.5e3"), 1500s);
  EXPECT_EQ(read("1700158623979", TimeFormat::epoch_ms), 1'700'158'623'979ms);
  EXPECT_EQ(read("1700158623979.5", TimeFormat::epoch_ms), 1'700'158'623'979'500us);
  EXPECT_EQ(read("7", TimeFormat::epoch_us), 7us);
  EXPECT_EQ(read("7", TimeFormat::epoch_ns), 7ns);
  EXPECT_EQ(read("2.25", TimeFormat::seconds), 2250ms);
}

TEST(Timestamp, RefusesWhatIsNoTime) {
  for (const auto* text : {"",
                           "x",
                           "2023-11-16",
                           "2023-13-16 00:00:00",
                           "2023-02-29 00:00:00",
                           "2023-11-16 24:00:00",
                           "2023-11-16 00:60:00",
                           "2023-11-16 00:00:61",
                           "2023-11-16 00:00:00.",
                           "2023-11-16 00:00:00 ",
                           "2023-11-16 00:00:00+1",
                           "2023-11-16 00:00:00+24:00",
                           "0001-01-01 00:00:00",
                           "1.2.3",
                           "nan",
                           "inf",
                           "1e300",
                           "99999999999999999999",
                           "1,5",
                           "- 5",
                           "0x10"}) {
    EXPECT_FALSE(parse_timestamp(text, TimeFormat::automatic)) << text;
  }
}

TEST(Timestamp, SaysWhatItExpects) {
  EXPECT_EQ(parse_timestamp("soon", TimeFormat::iso).error().what,
            "found 'soon'; expected a date and time like 2023-11-16 18:17:03.9799600");
  EXPECT_EQ(
      parse_timestamp("1700158623979", TimeFormat::automatic).error().what,
      "found '1700158623979'; expected a date and time like 2023-11-16 18:17:03.9799600, or a "
      "number of seconds (anything else needs time_format)");
}

RC_GTEST_PROP(Timestamp, ReadsBackEveryNanosecond, ()) {
  const auto seconds = *rc::gen::inRange<std::int64_t>(0, 9'000'000'000);
  const auto fraction = *rc::gen::inRange<std::int64_t>(0, 1'000'000'000);
  const auto time =
      parse_timestamp(fmt::format("{}.{:09}", seconds, fraction), TimeFormat::seconds);
  RC_ASSERT(time.has_value());
  RC_ASSERT(time->count() == seconds * 1'000'000'000 + fraction);
}

}  // namespace
}  // namespace artel::file
