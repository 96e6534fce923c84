#include "artel/plan/detail/queue_settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string_view>

#include "artel/plan/detail/sample_answer.hpp"
#include "artel/plan/detail/settings_system.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/scaling/hpa.hpp"
#include "artel/scaling/keda.hpp"
#include "artel/scaling/scaling_policy.hpp"
#include "artel/scenario/pool_settings.hpp"

namespace artel::plan::detail {
namespace {

using ::testing::HasSubstr;

const SettingsSystem& queue_system(std::string_view name) {
  return settings_system(queue_settings(), name);
}

TEST(CelerySettings, AreOneQueue) {
  EXPECT_EQ(settings_block(queue_system("celery"), sample_answer("central", 19)),
            "worker_concurrency = 19\n"
            "worker_prefetch_multiplier = 1\n"
            "task_acks_late = True  # or each process holds a task besides the one it works on\n");
}

TEST(CelerySettings, OfWorkersWithSlotsAreOfEachProgram) {
  auto answer = sample_answer("least_loaded", 3, 8);
  answer.slots = 8;
  EXPECT_THAT(settings_block(queue_system("celery"), answer),
              HasSubstr("worker_concurrency = 8\n"));
  EXPECT_THAT(policy_note(queue_system("celery"), answer), HasSubstr("Of each of 3 programs."));
}

TEST(TemporalSettings, AreOneQueue) {
  EXPECT_EQ(settings_block(queue_system("temporal"), sample_answer("central", 19)),
            "worker.Options{\n"
            "\tMaxConcurrentActivityExecutionSize: 19,\n"
            "}\n");
}

TEST(QueueSettings, HaveNoOtherPolicyAndNoBound) {
  auto bounded = sample_answer("central", 4);
  bounded.common_bound = 7;
  for (const auto* const name : {"celery", "temporal"}) {
    EXPECT_EQ(policy_words(queue_system(name), sample_answer("least_loaded", 4)), "none");
    EXPECT_EQ(policy_words(queue_system(name), sample_answer("jsq(d=2)", 4)), "none");
    EXPECT_EQ(policy_words(queue_system(name), bounded), "none");
    EXPECT_EQ(policy_words(queue_system(name), sample_answer("least_loaded", 4, 1)), "")
        << "which is central";
  }
}

TEST(RaySettings, AreADeploymentOfTwoChoices) {
  auto answer = sample_answer("jsq(d=2)", 12, 3);
  EXPECT_EQ(settings_block(queue_system("ray-serve"), answer),
            "deployments:\n"
            "  - name: workers\n"
            "    num_replicas: 12\n"
            "    max_ongoing_requests: 3\n"
            "    max_queued_requests: -1\n");
  answer.common_bound = 100;
  EXPECT_THAT(settings_block(queue_system("ray-serve"), answer),
              HasSubstr("max_queued_requests: 100\n"));
  for (const auto* const other : {"central", "least_loaded", "jsq(d=3)", "jsq(d=2)", "random"})
    EXPECT_EQ(policy_words(queue_system("ray-serve"), sample_answer(other, 4)), "none") << other;
}

TEST(RaySettings, AreAnAutoscalingConfigWhereItScalesByTheSame) {
  auto answer = sample_answer("jsq(d=2)", 12, 3);
  answer.scaling = scenario::ScalingSettings{
      .policy = scaling::Hpa{.metric = scaling::ScalingMetric::in_system,
                             .target = 2.5,
                             .stabilisation_up = std::chrono::seconds(30),
                             .stabilisation_down = std::chrono::minutes(10)},
      .limits = {.min = 4, .max = 40}};
  EXPECT_EQ(settings_block(queue_system("ray-serve"), answer),
            "deployments:\n"
            "  - name: workers\n"
            "    autoscaling_config:\n"
            "      min_replicas: 4\n"
            "      max_replicas: 40\n"
            "      target_ongoing_requests: 2.5\n"
            "      upscale_delay_s: 30\n"
            "      downscale_delay_s: 600\n"
            "    max_ongoing_requests: 3\n"
            "    max_queued_requests: -1\n");
  EXPECT_THAT(policy_note(queue_system("ray-serve"), answer), HasSubstr("no bounds on steps"));
  answer.scaling->policy = scaling::Hpa{};  // by how busy they are
  EXPECT_EQ(policy_words(queue_system("ray-serve"), answer), "none");
  answer.scaling->policy = scaling::Keda{};
  EXPECT_EQ(policy_words(queue_system("ray-serve"), answer), "none");
}

TEST(PoolSettingsToPaste, AreItsCode) {
  auto answer = sample_answer("jiq", 4);
  EXPECT_EQ(policy_words(queue_system("pool"), answer), "none")
      << "no pool of threads is like that";
  answer.pool = pool::PoolOptions{.workers = 4};
  EXPECT_THAT(settings_block(queue_system("pool"), answer), HasSubstr("    .workers = 4,\n"));
}

}  // namespace
}  // namespace artel::plan::detail
