#include "artel/cluster/detail/nkey_bytes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "artel/cluster/secret.hpp"

namespace artel::cluster::detail {
namespace {

using testing::HasSubstr;
using testing::Not;

// The pair that the documentation of NATS shows.
constexpr auto kSeed = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY";
constexpr auto kPublic = "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4";

std::string refusal(const std::string& seed) {
  const auto key = nkey_of_seed(Secret(seed));
  EXPECT_FALSE(key.has_value());
  return key ? "" : key.error().what;
}

TEST(Nkey, PublicHalfOfAUsersSeed) { EXPECT_EQ(nkey_of_seed(Secret(kSeed)).value(), kPublic); }

TEST(Nkey, MistypedSeedIsRefusedWithoutShowingIt) {
  std::string mistyped = kSeed;
  mistyped[20] = mistyped[20] == 'A' ? 'B' : 'A';
  EXPECT_THAT(refusal(mistyped), HasSubstr("checksum"));
  EXPECT_THAT(refusal(mistyped), Not(HasSubstr(mistyped.substr(0, 12))));
}

TEST(Nkey, HalvesAreReadAsTheyWereWritten) {
  EXPECT_EQ(seed_text(read_seed(Secret(kSeed)).value()).reveal(), kSeed);
  EXPECT_EQ(public_key_text(read_public_key(kPublic).value()), kPublic);
  EXPECT_EQ(public_key_of(read_seed(Secret(kSeed)).value()).value(),
            read_public_key(kPublic).value());
}

TEST(Nkey, OtherTextsAreNoPublicKeys) {
  std::string mistyped = kPublic;
  mistyped[20] = mistyped[20] == 'A' ? 'B' : 'A';
  for (const std::string& text : {std::string(), std::string("U"), std::string(kSeed), mistyped,
                                  std::string(kPublic) + "A", std::string(56, 'A')}) {
    EXPECT_FALSE(read_public_key(text)) << text;
  }
}

TEST(Nkey, OtherTextsAreNoSeeds) {
  EXPECT_THAT(refusal(""), HasSubstr("not the seed"));
  EXPECT_THAT(refusal("password"), HasSubstr("not the seed"));
  EXPECT_THAT(refusal(std::string(58, 'A')), HasSubstr("not the seed"));
  EXPECT_THAT(refusal(kPublic), HasSubstr("not the seed"));
  EXPECT_THAT(refusal(std::string(kSeed) + "A"), HasSubstr("not the seed"));
}

}  // namespace
}  // namespace artel::cluster::detail
