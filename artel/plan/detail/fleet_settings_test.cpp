#include "artel/plan/detail/fleet_settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string_view>

#include "artel/plan/detail/sample_answer.hpp"
#include "artel/plan/detail/settings_system.hpp"
#include "artel/scaling/scaling_policy.hpp"
#include "artel/scenario/pool_settings.hpp"

namespace artel::plan::detail {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const SettingsSystem& fleet_system(std::string_view name) {
  return settings_system(fleet_settings(), name);
}

SettingsAnswer scaled(const scaling::ScalingPolicy& policy, std::uint32_t min = 2) {
  auto answer = sample_answer("least_loaded", 6);
  answer.scaling = scenario::ScalingSettings{.policy = policy, .limits = {.min = min, .max = 40}};
  return answer;
}

TEST(HpaSettings, AreThoseOfTheScenario) {
  scaling::Hpa hpa{.target = 0.65};
  hpa.up = {.percent = 50, .workers = 0, .within = std::chrono::minutes(1)};
  hpa.down = {.percent = 0, .workers = 0};
  EXPECT_EQ(settings_block(fleet_system("kubernetes-hpa"), scaled(hpa)),
            "apiVersion: autoscaling/v2\n"
            "kind: HorizontalPodAutoscaler\n"
            "metadata:\n"
            "  name: workers\n"
            "spec:\n"
            "  scaleTargetRef:\n"
            "    apiVersion: apps/v1\n"
            "    kind: Deployment\n"
            "    name: workers\n"
            "  minReplicas: 2\n"
            "  maxReplicas: 40\n"
            "  metrics:\n"
            "    - type: Resource\n"
            "      resource:\n"
            "        name: cpu  # what a pod requests is what a worker needs to be busy\n"
            "        target:\n"
            "          type: Utilization\n"
            "          averageUtilization: 65\n"
            "  behavior:\n"
            "    scaleUp:\n"
            "      stabilizationWindowSeconds: 0\n"
            "      policies:\n"
            "        - type: Percent\n"
            "          value: 50\n"
            "          periodSeconds: 60\n"
            "    scaleDown:\n"
            "      stabilizationWindowSeconds: 300\n"
            "      selectPolicy: Disabled\n");
}

TEST(HpaSettings, GoByOtherMetricsAndFlags) {
  const auto text = settings_block(fleet_system("kubernetes-hpa"),
                                   scaled(scaling::Hpa{.period = std::chrono::seconds(30),
                                                       .metric = scaling::ScalingMetric::waiting,
                                                       .target = 2.5}));
  EXPECT_THAT(text, HasSubstr("          name: tasks_waiting  # yours, of the whole fleet\n"));
  EXPECT_THAT(text, HasSubstr("          averageValue: \"2.5\"\n"));
  EXPECT_THAT(text, HasSubstr("--horizontal-pod-autoscaler-sync-period=30s "
                              "--horizontal-pod-autoscaler-tolerance=0.1\n"));
}

TEST(HpaSettings, OfAFleetOfOneSizeNeverGoBelowIt) {
  const auto answer = sample_answer("least_loaded", 6);
  const auto text = settings_block(fleet_system("kubernetes-hpa"), answer);
  EXPECT_THAT(text, HasSubstr("  minReplicas: 6\n  maxReplicas: 12\n"));
  EXPECT_THAT(text, HasSubstr("averageUtilization: 25\n"));
  EXPECT_THAT(policy_note(fleet_system("kubernetes-hpa"), answer), HasSubstr("was not simulated"));
}

TEST(HpaSettings, NeedAGateForNoWorkers) {
  EXPECT_THAT(settings_block(fleet_system("kubernetes-hpa"), scaled(scaling::Hpa{}, 0)),
              HasSubstr("minReplicas: 1  # 0, as planned, only with"));
}

TEST(KedaSettings, AreThoseOfTheScenario) {
  scaling::Keda keda{.activation = 1, .cooldown = std::chrono::minutes(2)};
  EXPECT_EQ(settings_block(fleet_system("keda"), scaled(keda)),
            "apiVersion: keda.sh/v1alpha1\n"
            "kind: ScaledObject\n"
            "metadata:\n"
            "  name: workers\n"
            "spec:\n"
            "  scaleTargetRef:\n"
            "    name: workers\n"
            "  pollingInterval: 15\n"
            "  cooldownPeriod: 120\n"
            "  minReplicaCount: 2\n"
            "  maxReplicaCount: 40\n"
            "  advanced:\n"
            "    horizontalPodAutoscalerConfig:\n"
            "      behavior:\n"
            "        scaleUp:\n"
            "          stabilizationWindowSeconds: 0\n"
            "          policies:\n"
            "            - type: Percent\n"
            "              value: 100\n"
            "              periodSeconds: 15\n"
            "            - type: Pods\n"
            "              value: 4\n"
            "              periodSeconds: 15\n"
            "        scaleDown:\n"
            "          stabilizationWindowSeconds: 300\n"
            "          policies:\n"
            "            - type: Percent\n"
            "              value: 100\n"
            "              periodSeconds: 15\n"
            "  triggers:\n"
            "    - type: prometheus\n"
            "      metricType: AverageValue\n"
            "      metadata:\n"
            "        serverAddress: http://prometheus:9090  # yours\n"
            "        query: sum(tasks_in_system)  # yours, of the whole fleet\n"
            "        threshold: \"5\"\n"
            "        activationThreshold: \"1\"\n");
}

TEST(KedaSettings, OfAFleetOfOneSizeNeverGoBelowIt) {
  const auto text = settings_block(fleet_system("keda"), sample_answer("least_loaded", 6));
  EXPECT_THAT(text, HasSubstr("  minReplicaCount: 6\n  maxReplicaCount: 12\n"));
  EXPECT_THAT(text, HasSubstr("        threshold: \"0.5\"\n"));
}

TEST(ScalingSettings, AreNoneOfAnotherSystemsPolicy) {
  EXPECT_EQ(policy_words(fleet_system("kubernetes-hpa"), scaled(scaling::Keda{})), "none");
  EXPECT_EQ(policy_words(fleet_system("keda"), scaled(scaling::Hpa{})), "none");
}

TEST(SystemdSettings, OfOneQueueAreASocketThatAllAccept) {
  EXPECT_EQ(settings_block(fleet_system("systemd"), sample_answer("central", 5)),
            "# /etc/systemd/system/worker.socket\n"
            "[Unit]\n"
            "Description=Tasks that wait for any worker\n\n"
            "[Socket]\n"
            "ListenStream=8080\n"
            "Service=worker@1.service\n\n"
            "[Install]\n"
            "WantedBy=sockets.target\n\n"
            "# /etc/systemd/system/worker@.service\n"
            "[Unit]\n"
            "Description=Worker %i\n"
            "PartOf=workers.target\n\n"
            "[Service]\n"
            "ExecStart=/usr/local/bin/worker\n"
            "Sockets=worker.socket\n"
            "Restart=on-failure\n\n"
            "# /etc/systemd/system/workers.target\n"
            "[Unit]\n"
            "Description=All workers\n"
            "Wants=worker@1.service worker@2.service worker@3.service worker@4.service\n"
            "Wants=worker@5.service\n\n"
            "[Install]\n"
            "WantedBy=multi-user.target\n");
}

TEST(SystemdSettings, OfOtherPoliciesOnlyStartTheWorkers) {
  const auto answer = sample_answer("least_loaded", 4);
  const auto text = settings_block(fleet_system("systemd"), answer);
  EXPECT_THAT(text, Not(HasSubstr("socket")));
  EXPECT_THAT(text, HasSubstr(" worker@4.service\n\n[Install]"));
  EXPECT_THAT(policy_note(fleet_system("systemd"), answer), HasSubstr("decided elsewhere"));
}

}  // namespace
}  // namespace artel::plan::detail
