#include "artel/cluster/cluster_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>

#include "artel/cluster/secret.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string refusal(std::string_view text) {
  const auto options = parse_servers(text);
  EXPECT_FALSE(options.has_value()) << text;
  return options ? "" : to_string(options.error());
}

TEST(ClusterOptions, ServersAreHostsWithPorts) {
  const auto options = parse_servers("nats://a:4222,tls://b.example:4443/,c,[::1]:4222").value();
  EXPECT_THAT(options.servers, ElementsAre("nats://a:4222", "tls://b.example:4443", "nats://c",
                                           "nats://[::1]:4222"));
  EXPECT_EQ(server_list(options), "nats://a:4222,tls://b.example:4443,nats://c,nats://[::1]:4222");
  EXPECT_TRUE(options.user.empty());
  EXPECT_TRUE(options.token.empty());
}

TEST(ClusterOptions, UserPartIsCutOffAndDecoded) {
  const auto options = parse_servers("nats://ann:p%40ss:word@a:4222,ann:p%40ss:word@b").value();
  EXPECT_THAT(options.servers, ElementsAre("nats://a:4222", "nats://b"));
  EXPECT_EQ(options.user, "ann");
  EXPECT_EQ(options.password.reveal(), "p@ss:word");
}

TEST(ClusterOptions, LoneUserPartIsAToken) {
  const auto options = parse_servers("nats://open%20sesame@a").value();
  EXPECT_EQ(options.token.reveal(), "open sesame");
  EXPECT_TRUE(options.user.empty());
}

TEST(ClusterOptions, WrongAddressesAreShownWithoutTheirSecrets) {
  EXPECT_THAT(refusal("http://a"), AllOf(HasSubstr("http://a"), HasSubstr("nats://host:port")));
  EXPECT_THAT(refusal("nats://ann:sesame@:4222"),
              AllOf(HasSubstr("nats://:4222"), Not(HasSubstr("sesame"))));
  EXPECT_THAT(refusal("ann:sesame@a:99999"), AllOf(HasSubstr("a:99999"), Not(HasSubstr("sesame"))));
  EXPECT_THAT(refusal("ann:%sesame@a"), AllOf(HasSubstr("%XX"), Not(HasSubstr("sesame"))));
  EXPECT_THAT(refusal("ann:sesame@a,ann:other@b"),
              AllOf(HasSubstr("same user"), Not(HasSubstr("sesame")), Not(HasSubstr("other"))));
  EXPECT_THAT(refusal(""), HasSubstr("host"));
  EXPECT_THAT(refusal("a,,b"), HasSubstr("host"));
}

RC_GTEST_PROP(ClusterOptions, NoTextMakesParsingShowAPassword, (const std::string& junk)) {
  const auto options = parse_servers("nats://ann:ope%nsesame@" + junk);
  if (!options) RC_ASSERT(to_string(options.error()).find("nsesame") == std::string::npos);
}

class ClusterOptionsCheck : public testing::Test {
 protected:
  std::string refused() const {
    const auto checked = check(options_);
    EXPECT_FALSE(checked.has_value());
    return checked ? "" : to_string(checked.error());
  }
  ClusterOptions options_ = parse_servers("nats://a").value();
};

TEST_F(ClusterOptionsCheck, PlainOptionsPass) { EXPECT_TRUE(check(options_)); }

TEST_F(ClusterOptionsCheck, SomeServerIsNeeded) {
  options_.servers.clear();
  EXPECT_THAT(refused(), HasSubstr("nats://host:port"));
}

TEST_F(ClusterOptionsCheck, PoolMustBePartOfASubject) {
  for (const char* name : {"", "a.b", "a*", ">", "a b", "\xc3\xa4"}) {
    options_.pool = name;
    EXPECT_THAT(refused(), HasSubstr("letters, digits"));
  }
}

TEST_F(ClusterOptionsCheck, OneWayToLogInIsEnough) {
  options_.user = "ann";
  options_.token = Secret("sesame");
  EXPECT_THAT(refused(), AllOf(HasSubstr("user and token"), Not(HasSubstr("sesame"))));
}

TEST_F(ClusterOptionsCheck, CertificateAndKeyGoTogether) {
  options_.tls.certificate = "a.pem";
  EXPECT_THAT(refused(), HasSubstr("needs its key"));
}

TEST_F(ClusterOptionsCheck, FilesMustBeThere) {
  options_.credentials = "/nowhere/ann.creds";
  EXPECT_THAT(refused(), AllOf(HasSubstr("credentials"), HasSubstr("/nowhere/ann.creds")));
}

}  // namespace
}  // namespace artel::cluster
