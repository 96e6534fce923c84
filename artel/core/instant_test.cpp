#include "artel/core/instant.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace artel {
namespace {

using namespace std::chrono_literals;

TEST(FromSeconds, RoundsToTheNearestNanosecond) {
  EXPECT_EQ(from_seconds(1.5), 1'500ms);
  EXPECT_EQ(from_seconds(1.4e-9), 1ns);
  EXPECT_EQ(from_seconds(-1.6e-9), -2ns);
}

TEST(FromSeconds, HalvesGoAwayFromZeroWhateverTheSize) {
  for (double nanoseconds = 0.25; nanoseconds < 0x1p62; nanoseconds *= 1.37) {
    const double half = std::floor(nanoseconds) + 0.5;
    for (const double near : {nanoseconds, half, std::nextafter(half, 0.0)}) {
      const double seconds = near * 1e-9;
      EXPECT_EQ(from_seconds(seconds).count(), std::llround(seconds * 1e9));
      EXPECT_EQ(from_seconds(-seconds).count(), std::llround(-seconds * 1e9));
    }
  }
}

TEST(FromSeconds, SaturatesInsteadOfOverflowing) {
  EXPECT_EQ(from_seconds(1e30), Duration::max());
  EXPECT_EQ(from_seconds(1e10), Duration::max());  // 2^63 ns are less than 9.3e9 s
  EXPECT_EQ(from_seconds(-1e30), Duration::min());
  EXPECT_EQ(from_seconds(std::numeric_limits<double>::infinity()), kForever);
}

TEST(FromSecondsDeathTest, NotANumberBreaksTheContract) {
  EXPECT_DEATH(static_cast<void>(from_seconds(std::numeric_limits<double>::quiet_NaN())),
               "must be a number");
}

TEST(Later, SaturatesAtNever) {
  EXPECT_EQ(later(Instant{5ns}, 7ns), Instant{12ns});
  EXPECT_EQ(later(Instant{5ns}, kForever), kNever);
  EXPECT_EQ(later(Instant::min(), -1ns), Instant::min());
}

TEST(ParseDuration, ReadsEveryUnit) {
  EXPECT_EQ(parse_duration("7ns"), 7ns);
  EXPECT_EQ(parse_duration("250us"), 250us);
  EXPECT_EQ(parse_duration("2 ms"), 2ms);
  EXPECT_EQ(parse_duration("1.5 s"), 1500ms);
  EXPECT_EQ(parse_duration("2min"), 120s);
  EXPECT_EQ(parse_duration("2m"), 120s);
  EXPECT_EQ(parse_duration("1h"), 3600s);
  EXPECT_EQ(parse_duration("1d"), 86400s);
  EXPECT_EQ(parse_duration("inf"), kForever);
}

TEST(ParseDuration, AddsUpSeveralUnits) {
  EXPECT_EQ(parse_duration("1h30m"), 5400s);
  EXPECT_EQ(parse_duration("1d3.5h"), 27h + 30min);
  EXPECT_EQ(parse_duration("2s1e2ms.5ms"), 2100500us);
  EXPECT_EQ(parse_duration("-1m30s"), -90s);
}

TEST(ParseDuration, RefusesWhatIsNotADuration) {
  for (const auto* text :
       {"", "5", "ms", "5 parsecs", "nan s", "1e999 s", "0x10 s", " 5 s", "5ms later", "1h30",
        "1h-30m", "1h nan s", "--5s", "1hinf", "30m1x", "5s "}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
  EXPECT_NE(parse_duration("5 parsecs").error().what.find("unknown unit 'parsecs'"),
            std::string::npos);
}

TEST(FormatDuration, ShowsThreeDigitsInTheFittingUnit) {
  EXPECT_EQ(format_duration(0ns), "0 s");
  EXPECT_EQ(format_duration(7ns), "7.00 ns");
  EXPECT_EQ(format_duration(1234us), "1.23 ms");
  EXPECT_EQ(format_duration(12345us), "12.3 ms");
  EXPECT_EQ(format_duration(-999ms), "-999 ms");
  EXPECT_EQ(format_duration(999'999us), "1.00 s");
  EXPECT_EQ(format_duration(90s), "1.50 min");
  EXPECT_EQ(format_duration(kForever), "inf");
}

}  // namespace
}  // namespace artel
