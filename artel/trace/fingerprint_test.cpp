#include "artel/trace/fingerprint.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace artel::trace {
namespace {

TEST(Fingerprint, IsPinnedSoThatGoldenFilesStayValid) {
  Fingerprint print;
  EXPECT_EQ(print.text(), "0000000000000000");
  print.add(std::uint64_t{1});
  print.add(std::string_view{"Ping"});
  EXPECT_EQ(print.text(), "cd872695cf5c298d");
}

TEST(Fingerprint, TellsOrderApart) {
  Fingerprint ab;
  ab.add(std::uint64_t{1});
  ab.add(std::uint64_t{2});
  Fingerprint ba;
  ba.add(std::uint64_t{2});
  ba.add(std::uint64_t{1});
  EXPECT_NE(ab, ba);
}

TEST(Fingerprint, OfBytesEqualsThatOfTheWordsInThem) {
  const std::array<std::uint32_t, 3> parts = {0x01020304, 0x05060708, 0x0a0b0c0d};
  Fingerprint bytes;
  bytes.add(std::as_bytes(std::span{parts}));
  Fingerprint words;
  words.add(std::uint64_t{0x0506070801020304});
  words.add(std::uint64_t{0x0a0b0c0d});
  EXPECT_EQ(bytes, words);
}

}  // namespace
}  // namespace artel::trace
