#include "artel/cluster/detail/subscription.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nats/nats.h>
#include <nats/status.h>

#include <condition_variable>
#include <cstddef>
#include <future>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "artel/cluster/connection.hpp"
#include "artel/cluster/local_server.hpp"

namespace artel::cluster::detail {
namespace {

using namespace std::chrono_literals;

class SubscriptionTest : public testing::Test {
 protected:
  static constexpr int kPatienceMs = 20'000;

  static void publish(natsConnection* way, const std::string& subject,
                      const std::string& bytes = "x") {
    ASSERT_EQ(
        natsConnection_Publish(way, subject.c_str(), bytes.data(), static_cast<int>(bytes.size())),
        NATS_OK);
  }
  // All that the server has for them now is here.
  static void flush(natsConnection* way) {
    ASSERT_EQ(natsConnection_FlushTimeout(way, kPatienceMs), NATS_OK);
  }
  Subscription listen(const std::string& subject) {
    auto made = Subscription::open(connection_, subject, [this](const Message& message) {
      const std::lock_guard guard(lock_);
      came_.emplace_back(subject_of(message));
      changed_.notify_all();
    });
    flush(connection_.handle());
    return std::move(made).value();
  }
  std::vector<std::string> wait_for(std::size_t messages) {
    std::unique_lock guard(lock_);
    changed_.wait_for(guard, 20s, [&] { return came_.size() >= messages; });
    return came_;
  }

  LocalServer server_ = LocalServer::start({.jetstream = false}).value();
  Connection connection_ = Connection::connect(server_.cluster()).value();
  Connection sender_ = Connection::connect(server_.cluster()).value();
  std::mutex lock_;
  std::condition_variable changed_;
  std::vector<std::string> came_;
};

// Else the server could think a chunk done whose result is lost with its worker.
TEST_F(SubscriptionTest, WhatLeavesTogetherIsThereBeforeItIsAcknowledged) {
  const Subscription listening = listen("here.>");
  std::vector<std::string> expected;
  for (int i = 0; i < 100; ++i) {
    const std::string result(static_cast<std::size_t>(100 * i), 'x');
    expected.push_back(fmt::format("here.result.{}", i));
    publish(sender_.way_together(result.size()), expected.back(), result);
    expected.push_back(fmt::format("here.ack.{}", i));
    tell_server(sender_, expected.back(), "+ACK");
  }
  EXPECT_EQ(wait_for(expected.size()), expected);
}

TEST_F(SubscriptionTest, IsCalmOnceAfterWhatComesTogether) {
  std::promise<void> first, go, calm;
  std::vector<std::string> story;  // of the thread that messages come on
  auto opened = Subscription::open(
      connection_, "here.>",
      [&](const Message& message) {
        story.emplace_back(payload_of(message));
        if (story.size() > 1) return;
        first.set_value();
        go.get_future().wait();
      },
      [&] {
        story.emplace_back("calm");
        if (story.size() == 5) calm.set_value();
      });
  ASSERT_TRUE(opened);
  flush(connection_.handle());
  publish(sender_.handle(), "here.1", "1");
  first.get_future().wait();
  for (const char* const more : {"2", "3", "4"}) publish(sender_.handle(), "here.more", more);
  flush(sender_.handle());
  flush(connection_.handle());
  go.set_value();
  EXPECT_EQ(calm.get_future().wait_for(20s), std::future_status::ready);
  EXPECT_EQ(story, (std::vector<std::string>{"1", "2", "3", "4", "calm"}));
}

}  // namespace
}  // namespace artel::cluster::detail
