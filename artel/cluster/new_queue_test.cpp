// A queue that is not there yet, and the workers who know its tasks.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <ranges>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "artel/cluster/cluster.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/detail/subscription.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/remote_task.hpp"
#include "artel/core/error.hpp"
#include "artel/parallel/map.hpp"
#include "tests/cluster/worker_fleet.hpp"

ARTEL_TASK(negated, int, int x) { return -x; }

namespace artel::cluster {
namespace {

// The subjects of what was sent to the server, in this order, until there is one that is wanted.
class Sent {
 public:
  void came(const detail::Message& message) {
    const std::lock_guard guard(lock_);
    const bool who = detail::subject_of(message) == Subjects("artel").discovery();
    if (who && detail::payload_of(message).empty()) return;  // who is there?
    subjects_.emplace_back(who ? "call" : detail::subject_of(message));
  }
  [[nodiscard]] std::vector<std::string> subjects() const {
    const std::lock_guard guard(lock_);
    return subjects_;
  }

 private:
  mutable std::mutex lock_;
  std::vector<std::string> subjects_;
};

// Who finds no queue asks again 100 ms later, in which a map of short tasks could have ended.
TEST(NewQueue, IsThereWhenWorkersAreCalledToIt) {
  Crew crew;
  crew.hire(1);
  const auto connection = Connection::connect(crew.server().cluster());
  ASSERT_TRUE(connection) << to_string(connection.error());
  Cluster cluster = crew.connect();
  Sent sent;
  const auto listener =
      detail::Subscription::open(*connection, ">", [&](const detail::Message& message) {
        const std::string_view subject = detail::subject_of(message);
        if (subject == Subjects("artel").discovery() || subject.starts_with("$JS.API.CONSUMER.")) {
          sent.came(message);
        }
      });
  ASSERT_TRUE(listener) << to_string(listener.error());
  ASSERT_TRUE(connection->flush(std::chrono::seconds(5)));

  EXPECT_EQ(parallel::map(cluster, std::views::iota(0, 3), negated), (std::vector{0, -1, -2}));

  std::vector<std::string> subjects = sent.subjects();
  for (; std::ranges::find(subjects, "call") == subjects.end(); subjects = sent.subjects())
    std::this_thread::yield();
  const auto made = std::ranges::find_if(subjects, [](const std::string& subject) {
    return subject.find(".CREATE.") != std::string::npos;
  });
  const auto called = std::ranges::find(subjects, "call");
  ASSERT_NE(made, subjects.end());
  EXPECT_LT(made - subjects.begin(), called - subjects.begin());
}

}  // namespace
}  // namespace artel::cluster
