#include "artel/plan/detail/balancer_settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string_view>

#include "artel/plan/detail/sample_answer.hpp"
#include "artel/plan/detail/settings_system.hpp"

namespace artel::plan::detail {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const SettingsSystem& balancer(std::string_view name) {
  return settings_system(balancer_settings(), name);
}

TEST(NginxSettings, AreAnUpstream) {
  EXPECT_EQ(settings_block(balancer("nginx"), sample_answer("least_loaded", 2)),
            "upstream workers {\n"
            "    zone workers 68k;\n"
            "    least_conn;\n"
            "    server 10.0.0.1:8080;\n"
            "    server 10.0.0.2:8080;\n"
            "}\n");
}

TEST(NginxSettings, HaveWeightsAndBoundsWhereNobodyWaitsBesides) {
  auto answer = sample_answer("weighted_round_robin", 2, 3);
  answer.speeds = {1, 4};
  EXPECT_EQ(policy_words(balancer("nginx"), answer), "none") << "it has no queue for the rest";
  answer.common_bound = 0;
  EXPECT_EQ(settings_block(balancer("nginx"), answer),
            "upstream workers {\n"
            "    zone workers 68k;\n"
            "    server 10.0.0.1:8080 weight=25 max_conns=3;\n"
            "    server 10.0.0.2:8080 weight=100 max_conns=3;\n"
            "}\n");
}

TEST(NginxSettings, SayThePoliciesThatItHas) {
  const auto words = [](std::string_view policy) {
    return policy_words(balancer("nginx"), sample_answer(policy, 4));
  };
  EXPECT_EQ(words("round_robin"), "");
  EXPECT_EQ(words("random"), "random;");
  EXPECT_EQ(words("jsq(d=1)"), "random;");
  EXPECT_EQ(words("jsq(d=2)"), "random two least_conn;");
  EXPECT_EQ(words("jsq(d=all)"), "least_conn;");
  for (const auto* const other : {"central", "jsq(d=3)", "jsq(busyness=work)", "jiq", "sita",
                                  "least_work_left", "closed_loop", "peak_ewma", "maglev"})
    EXPECT_EQ(words(other), "none") << other;
}

TEST(HaproxySettings, AreABackendWithAQueue) {
  EXPECT_EQ(settings_block(balancer("haproxy"), sample_answer("central", 2)),
            "backend workers\n"
            "    mode http\n"
            "    balance leastconn\n"
            "    timeout queue 3s  # twice a run's longest wait\n"
            "    server worker1 10.0.0.1:8080 maxconn 1\n"
            "    server worker2 10.0.0.2:8080 maxconn 1\n");
}

TEST(HaproxySettings, SayThePoliciesThatItHas) {
  const auto words = [](std::string_view policy) {
    return policy_words(balancer("haproxy"), sample_answer(policy, 4));
  };
  EXPECT_EQ(words("weighted_round_robin"), "roundrobin");
  EXPECT_EQ(words("random"), "random(1)");
  EXPECT_EQ(words("jsq(d=3)"), "random(3)");
  EXPECT_EQ(words("jsq(d=all)"), "leastconn");
  for (const auto* const other : {"jsq(busyness=work)", "jiq", "sita", "rendezvous", "peak_ewma"})
    EXPECT_EQ(words(other), "none") << other;
  auto bounded = sample_answer("central", 4);
  bounded.common_bound = 10;
  EXPECT_EQ(policy_words(balancer("haproxy"), bounded), "none") << "its queue has no bound";
}

TEST(EnvoySettings, AreACluster) {
  auto answer = sample_answer("jsq(d=3)", 1);
  EXPECT_EQ(settings_block(balancer("envoy"), answer),
            "clusters:\n"
            "  - name: workers\n"
            "    type: STATIC\n"
            "    connect_timeout: 1s\n"
            "    load_balancing_policy:\n"
            "      policies:\n"
            "        - typed_extension_config:\n"
            "            name: envoy.load_balancing_policies.least_request\n"
            "            typed_config:\n"
            "              \"@type\": type.googleapis.com/"
            "envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest\n"
            "              choice_count: 3\n"
            "    circuit_breakers:  # the plan turns no task away; the defaults do beyond 1024\n"
            "      thresholds:\n"
            "        - max_connections: 1000000\n"
            "          max_pending_requests: 1000000\n"
            "          max_requests: 1000000\n"
            "    load_assignment:\n"
            "      cluster_name: workers\n"
            "      endpoints:\n"
            "        - lb_endpoints:\n"
            "            - endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: "
            "8080}}}\n");
}

TEST(EnvoySettings, SayThePoliciesThatItHas) {
  const auto words = [](std::string_view policy) {
    return policy_words(balancer("envoy"), sample_answer(policy, 4));
  };
  EXPECT_THAT(words("least_loaded"), HasSubstr("selection_method: FULL_SCAN\n"));
  EXPECT_THAT(words("random"), HasSubstr("random.v3.Random\n"));
  EXPECT_THAT(words("jsq(d=1)"), HasSubstr("random.v3.Random\n"));
  EXPECT_THAT(words("round_robin"), HasSubstr("round_robin.v3.RoundRobin\n"));
  EXPECT_THAT(words("maglev(places=211)"), HasSubstr("table_size: 211\n"));
  for (const auto* const other : {"central", "jiq", "sita", "rendezvous", "peak_ewma"})
    EXPECT_EQ(words(other), "none") << other;
  EXPECT_EQ(policy_words(balancer("envoy"), sample_answer("least_loaded", 4, 2)), "none");
  auto weighted = sample_answer("weighted_round_robin", 2);
  weighted.speeds = {1, 2};
  EXPECT_THAT(settings_block(balancer("envoy"), weighted),
              HasSubstr("load_balancing_weight: 50\n"));
}

TEST(EnvoySettings, GoByWeightAndTasksWhereWeightsDiffer) {
  auto answer = sample_answer("weighted_least_request(bias=0.5)", 2);
  EXPECT_EQ(policy_words(balancer("envoy"), answer), "none") << "it draws two then";
  answer.speeds = {1, 4};
  EXPECT_THAT(settings_block(balancer("envoy"), answer),
              AllOf(HasSubstr("least_request.v3.LeastRequest\n"
                              "              active_request_bias: {default_value: 0.5, "
                              "runtime_key: artel.active_request_bias}\n"),
                    HasSubstr("load_balancing_weight: 25\n")));
}

TEST(BalancerSettings, SayWhereDrawsDifferFromThePlan) {
  const auto note = [](std::string_view name, std::string_view policy) {
    return policy_note(balancer(name), sample_answer(policy, 4));
  };
  for (const auto* const twice : {"haproxy", "envoy"}) {
    EXPECT_EQ(note(twice, "jsq(d=2)"), "");
    EXPECT_THAT(note(twice, "jsq(d=2; draws=different)"), HasSubstr("may draw one worker twice"));
  }
  EXPECT_THAT(note("nginx", "jsq(d=2)"), HasSubstr("draws different workers"));
  EXPECT_EQ(note("nginx", "jsq(d=2; draws=different)"), "");
}

TEST(BalancerSettings, HaveAnAddressForEveryWorker) {
  EXPECT_EQ(example_address(249), "10.0.0.250");
  EXPECT_EQ(example_address(250), "10.0.1.1");
}

}  // namespace
}  // namespace artel::plan::detail
