#include "artel/core/parse_bytes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace artel {
namespace {

using ::testing::HasSubstr;

TEST(Quantity, SpeedsAreFlopPerSecond) {
  EXPECT_EQ(parse_flops("10Gf").value(), 10e9);
  EXPECT_EQ(parse_flops("2.5 Mf").value(), 2.5e6);
  EXPECT_EQ(parse_flops("7f").value(), 7);
  EXPECT_EQ(parse_flops("1e3kf").value(), 1e6);
}

TEST(Quantity, BandwidthsAreBytesPerSecondWhetherGivenInBytesOrBits) {
  EXPECT_EQ(parse_bandwidth("125MBps").value(), 125e6);
  EXPECT_EQ(parse_bandwidth("1Gbps").value(), 125e6);
  EXPECT_EQ(parse_bandwidth("1KiBps").value(), 1024);
  EXPECT_EQ(parse_bandwidth("8Kibps").value(), 1024);
}

TEST(Quantity, SizesAreBytes) {
  EXPECT_EQ(parse_bytes("16GiB").value(), 17179869184.0);
  EXPECT_EQ(parse_bytes("500 kB").value(), 500e3);
  EXPECT_EQ(parse_bytes("1EiB").value(), 1152921504606846976.0);
  EXPECT_EQ(parse_bytes("8b").value(), 1);
}

TEST(Quantity, RefusalsSayWhatIsWrongAndHowToWriteIt) {
  EXPECT_EQ(parse_flops("10GHz").error().what,
            "'10GHz' is not a speed: unknown unit 'GHz'; write a number and a unit, for example "
            "\"10Gf\"");
  EXPECT_THAT(parse_flops("10").error().what, HasSubstr("no unit"));
  EXPECT_THAT(parse_flops("Gf").error().what, HasSubstr("no number"));
  EXPECT_THAT(parse_flops("").error().what, HasSubstr("no number"));
  EXPECT_THAT(parse_bandwidth("-1Bps").error().what, HasSubstr("negative"));
  EXPECT_THAT(parse_bandwidth("infBps").error().what, HasSubstr("not finite"));
  EXPECT_THAT(parse_bytes("1e308EB").error().what, HasSubstr("too large"));
  EXPECT_THAT(parse_bytes("1KB").error().what, HasSubstr("unknown unit 'KB'"));
  EXPECT_THAT(parse_bytes("1GiBps").error().what, HasSubstr("unknown unit"));
}

}  // namespace
}  // namespace artel
