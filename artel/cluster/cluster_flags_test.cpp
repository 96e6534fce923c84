#include "artel/cluster/cluster_flags.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/core/error.hpp"
#include "artel/dispatch/policy.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::cluster {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class ClusterFlagsTest : public testing::Test {
 protected:
  ~ClusterFlagsTest() override {
    ::unsetenv("ARTEL_CLUSTER_PASSWORD");
    ::unsetenv("ARTEL_CLUSTER_TOKEN");
  }
  Result<ClusterOptions> parse(const std::string& line) {
    ClusterFlags flags;
    const auto specs = flag_specs(flags, "where");
    std::istringstream words(line);
    for (std::string name, value; words >> name >> value;) {
      const auto flag = std::ranges::find(specs, name, &FlagSpec::names);
      if (flag == specs.end()) return fail(ErrorCode::not_found, "no such flag", name);
      *std::get<std::string*>(flag->value) = value;
    }
    return cluster_options(flags);
  }
  TemporaryFolder folder_;
};

TEST_F(ClusterFlagsTest, BecomeOptions) {
  const auto file = folder_.path() / "password";
  std::ofstream(file) << "sesame\n";
  const auto options =
      parse("--cluster a:1,b:2 --pool night --user ann --password-file " + file.string()).value();
  EXPECT_THAT(options.servers, ElementsAre("nats://a:1", "nats://b:2"));
  EXPECT_EQ(options.pool, "night");
  EXPECT_EQ(options.user, "ann");
  EXPECT_EQ(options.password.reveal(), "sesame");
}

TEST_F(ClusterFlagsTest, AFolderSaysWhatTheCommandLineDoesNot) {
  const std::string folder = folder_.path().string();
  std::ofstream(folder_.path() / "access") << "# made by hand\n\ncluster = tls://a:1\n"
                                           << "pool = films\nuser = ann\npassword-file = word\n";
  std::ofstream(folder_.path() / "word") << "sesame\n";
  const auto all = parse("--cluster " + folder).value();
  EXPECT_THAT(all.servers, ElementsAre("tls://a:1"));
  EXPECT_EQ(all.pool, "films");
  EXPECT_EQ(all.user, "ann");
  EXPECT_EQ(all.password.reveal(), "sesame");
  EXPECT_EQ(parse("--cluster " + folder + " --pool other").value().pool, "other");

  std::ofstream(folder_.path() / "access") << "cluster = nats://a\npol = films\n";
  EXPECT_THAT(to_string(parse("--cluster " + folder).error()),
              AllOf(HasSubstr("'pol = films'"), HasSubstr("access:2")));
  EXPECT_THAT(to_string(parse("--cluster " + folder + "/none").error()), HasSubstr("none"));
}

TEST_F(ClusterFlagsTest, SecretsOfTheEnvironmentAreTakenOutOfIt) {
  ::setenv("ARTEL_CLUSTER_TOKEN", "sesame", 1);
  EXPECT_EQ(parse("--cluster a")->token.reveal(), "sesame");
  EXPECT_EQ(::getenv("ARTEL_CLUSTER_TOKEN"), nullptr);
}

TEST_F(ClusterFlagsTest, SecretInTheAddressIsRefusedUnseen) {
  EXPECT_THAT(to_string(parse("--cluster nats://ann:sesame@a").error()),
              AllOf(HasSubstr("--password-file"), Not(HasSubstr("sesame"))));
}

TEST_F(ClusterFlagsTest, WhatIsMissingIsNamed) {
  EXPECT_THAT(to_string(parse("").error()), HasSubstr("which cluster"));
  EXPECT_THAT(to_string(parse("--cluster a --token-file /nowhere/token").error()),
              HasSubstr("/nowhere/token"));
  EXPECT_THAT(to_string(parse("--cluster a --tls-cert /nowhere/cert").error()),
              HasSubstr("needs its key"));
}

TEST_F(ClusterFlagsTest, APolicyMeansQueuesOfTheWorkersOwn) {
  EXPECT_FALSE(queue_options({})->dispatch);
  const auto options = queue_options({.policy = "jsq(d=3)", .per_worker = 4}).value();
  EXPECT_EQ(options.dispatch ? dispatch::name(*options.dispatch) : "none", "jsq(3)");
  EXPECT_EQ(options.per_worker, 4);
  const auto mistake = queue_options({.policy = "least_loadd"});
  ASSERT_FALSE(mistake);
  EXPECT_THAT(to_string(mistake.error()),
              AllOf(HasSubstr("--policy least_loadd"), HasSubstr("least_loaded")));
}

TEST_F(ClusterFlagsTest, QueuesAreAsTheFlagsSay) {
  const QueueOptions usual = queue_options({}).value();
  EXPECT_EQ(usual.lease, QueueOptions{}.lease);
  EXPECT_EQ(usual.bytes_max, QueueOptions{}.bytes_max);
  const auto options = queue_options({.needs = "gpu,host:lab7",
                                      .lease = "30s",
                                      .tries = 5,
                                      .replicas = 3,
                                      .queue_bytes = "64MiB",
                                      .dead_bytes = "5MB",
                                      .dead_age = "2h"})
                           .value();
  EXPECT_EQ(options.needs, (std::vector<std::string>{"gpu", "host:lab7"}));
  EXPECT_EQ(options.lease, std::chrono::seconds(30));
  EXPECT_EQ(options.tries, 5);
  EXPECT_EQ(options.replicas, 3);
  EXPECT_EQ(options.bytes_max, std::int64_t{64} << 20U);
  EXPECT_EQ(options.dead_bytes_max, 5'000'000);
  EXPECT_EQ(options.dead_age_max, std::chrono::hours(2));
  EXPECT_EQ(usual.dead_bytes_max, QueueOptions{}.dead_bytes_max);
  EXPECT_EQ(usual.dead_age_max, QueueOptions{}.dead_age_max);
  EXPECT_EQ(queue_options({.queue_bytes = "none"})->bytes_max, 0);
  EXPECT_EQ(queue_options({.dead_bytes = "none"})->dead_bytes_max, 0);
  EXPECT_EQ(queue_options({.dead_age = "none"})->dead_age_max, Duration{});
}

TEST_F(ClusterFlagsTest, WhatAQueueCannotBeIsNamed) {
  const auto mistake = [](const QueueFlags& flags) {
    const auto options = queue_options(flags);
    return options ? "" : to_string(options.error());
  };
  EXPECT_THAT(mistake({.lease = "soon"}), AllOf(HasSubstr("--lease"), HasSubstr("soon")));
  EXPECT_THAT(mistake({.lease = "1ms"}), HasSubstr("lease is 1.00 ms; allowed: 100 ms to 24 h"));
  EXPECT_THAT(mistake({.replicas = 2}), HasSubstr("replicas is 2; allowed: 1, 3, 5"));
  EXPECT_THAT(mistake({.needs = "a b"}), HasSubstr("'a b' is no tag"));
  EXPECT_THAT(mistake({.queue_bytes = "much"}), HasSubstr("--queue-bytes"));
  EXPECT_THAT(mistake({.queue_bytes = "0B"}), HasSubstr("1B to 1EB, or none"));
  EXPECT_THAT(mistake({.dead_bytes = "0B"}), HasSubstr("--dead-bytes"));
  EXPECT_THAT(mistake({.dead_age = "long"}), HasSubstr("--dead-age"));
  EXPECT_THAT(mistake({.dead_age = "1min"}), HasSubstr("dead_age_max is 1.00 min; 0, or at least"));
}

}  // namespace
}  // namespace artel::cluster
