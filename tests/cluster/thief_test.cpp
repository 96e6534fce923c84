// Somebody who has stolen what one role has, a password and maybe a key, and sends whatever the
// server lets that role send: no message ends a worker, a master or a look at the pool.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nats/nats.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <sstream>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "artel/cluster/cluster.hpp"
#include "artel/cluster/cluster_flags.hpp"
#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/dead_letters.hpp"
#include "artel/cluster/engine_handle.hpp"
#include "artel/cluster/engine_subscription.hpp"
#include "artel/cluster/local_server.hpp"
#include "artel/cluster/make_cluster_folder.hpp"
#include "artel/cluster/message_seal.hpp"
#include "artel/cluster/pool_status.hpp"
#include "artel/cluster/protocol/beacon_request.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/dead_letter.hpp"
#include "artel/cluster/protocol/queue_call.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/cluster/secret.hpp"
#include "artel/cluster/worker_node.hpp"
#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/parallel/map.hpp"
#include "tests/cluster/cut_proxy.hpp"
#include "tests/cluster/swarm_task.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::cluster {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

// More in a soak.
std::size_t rounds() {
  const char* const text = std::getenv("ARTEL_THIEF_ROUNDS");
  return text != nullptr ? std::stoul(text) : 300;
}

// A server with the users of a cluster's folder, and one who sees everything.
class StolenFolder {
 public:
  StolenFolder() {
    EXPECT_TRUE(make_cluster_folder(path(), {.pool = "films"}));
    std::stringstream text;
    text << std::ifstream(path() / "server/server.conf").rdbuf();
    std::string users = text.str();
    users = users.substr(users.find("authorization {"));
    const std::string_view begin = "users: [";
    users.insert(users.find(begin) + begin.size(), "\n  { user: all, password: p }");
    server_.emplace(LocalServer::start({.settings = users, .token = false}).value());
  }
  [[nodiscard]] fs::path path() const { return folder_.path() / "films"; }
  [[nodiscard]] ClusterOptions as(const std::string& role, bool with_keys) const {
    ClusterOptions options = cluster_options({.servers = (path() / role).string()}).value();
    options.servers = server_->cluster().servers;
    options.tls = {};
    if (!with_keys) options.sign_key = options.trusted_keys = options.master_keys = "";
    return options;
  }
  [[nodiscard]] ClusterOptions all() const {
    ClusterOptions options = server_->cluster();
    options.pool = "films";
    options.user = "all";
    options.password = Secret("p");
    return options;
  }

 private:
  TemporaryFolder folder_;
  std::optional<LocalServer> server_;
};

// Where masters want results and answers now.
class Inboxes {
 public:
  explicit Inboxes(const ClusterOptions& options)
      : connection_(Connection::connect(options).value()), orders_(connection_.new_subscription()) {
    EXPECT_EQ(natsConnection_Subscribe(orders_.out(), connection_.handle(),
                                       Subjects("films").tasks().c_str(), came, this),
              NATS_OK);
  }
  Inboxes(const Inboxes&) = delete;
  Inboxes& operator=(const Inboxes&) = delete;
  ~Inboxes() = default;
  [[nodiscard]] std::pair<std::string, std::string> last() const {
    const std::lock_guard guard(lock_);
    return {reply_, job_};
  }

 private:
  static void came(natsConnection*, natsSubscription*, natsMsg* message, void* self) {
    const EngineHandle<natsMsg> owned(message);
    const auto bytes = MessageSeal::content(
        {natsMsg_GetData(message), static_cast<std::size_t>(natsMsg_GetDataLength(message))});
    auto& inboxes = *static_cast<Inboxes*>(self);
    const std::lock_guard guard(inboxes.lock_);
    if (const auto order = decode_chunk_order(bytes)) {
      inboxes.reply_ = order->reply;
      inboxes.job_ = order->job;
    } else if (const auto beacon = decode_beacon_request(bytes)) {
      inboxes.reply_ = beacon->reply;
    }
  }

  mutable std::mutex lock_;
  std::string reply_ = "_M.master.x";
  std::string job_ = "job";
  Connection connection_;  // ends when nothing comes any more
  EngineSubscription orders_;
};

class Thief {
 public:
  Thief(const Inboxes& inboxes, std::uint64_t seed, std::string victim)
      : inboxes_(inboxes), dice_(seed), worker_(std::move(victim)) {}

  void send_something(const Connection& connection) {
    const auto [inbox, job] = inboxes_.last();
    const Subjects subjects("films");
    const std::string queue = Subjects::queue_of(swarm_work.key(), {});
    const std::vector<std::string> to{
        subjects.heartbeat("evil"),
        subjects.heartbeat(worker_),
        subjects.dead_letter({job, 0}),
        subjects.dead_letter({"evil", roll(5)}),
        "mr.films.d.x",
        inbox,
        inbox + ".x",
        subjects.discovery(),
        subjects.task(queue, {job, roll(3)}),
        subjects.task(queue, {std::string(roll(2) == 0 ? 10 : 3000, 'j'), roll(9)}),
        subjects.own_task(worker_, {job, roll(3)}),
        subjects.beacon(worker_),
        "$JS.ACK.MR_films." + queue + ".1.1.1.1.1",
        "$JS.API.CONSUMER.MSG.NEXT.MR_films." + queue,
        "$JS.API.CONSUMER.INFO.MR_films." + queue};
    const std::string& subject = to[roll(to.size())];
    std::string reply = roll(2) == 0 ? "" : name();
    // nats-server 2.9.10 follows a reply like this without end, until its memory is gone
    // (Account.checkForReverseEntry): docs/cluster-security.md says so.
    if (subject.starts_with("$JS.") && reply.find_first_of(">*") != std::string::npos) reply = "";
    const std::string bytes = payload(connection, job);
    static_cast<void>(natsConnection_PublishRequest(connection.handle(), subject.c_str(),
                                                    reply.empty() ? nullptr : reply.c_str(),
                                                    bytes.data(), static_cast<int>(bytes.size())));
  }

 private:
  std::uint64_t roll(std::uint64_t sides) { return dice_() % sides; }
  std::uint64_t number() {
    constexpr std::uint64_t kAll = ~std::uint64_t{0};
    const std::uint64_t some[] = {0, 1, 2, kAll, kAll >> 1U, kAll >> 2U, dice_()};  // NOLINT
    return some[roll(7)];
  }
  std::uint32_t small() { return static_cast<std::uint32_t>(number()); }
  Duration time() { return Duration(static_cast<std::int64_t>(number())); }
  std::string name() {
    const auto [inbox, job] = inboxes_.last();
    const std::vector<std::string> some{inbox,
                                        job,
                                        worker_,
                                        "",
                                        ">",
                                        "*",
                                        "a.b",
                                        "_W.worker.x",
                                        "_M.master.>",
                                        "mr.films.t.s.S_1.evil.0",
                                        "$JS.API.STREAM.DELETE.MR_films",
                                        "S_000000000000",
                                        std::string(900, 'x'),
                                        "x y\r\nPUB z 0\r\n"};
    return some[roll(some.size())];
  }
  std::string message(const std::string& job) {
    ChunkOrder order{.job = roll(3) == 0 ? name() : job,
                     .index = roll(2) == 0 ? number() : roll(4),
                     .epoch = small(),
                     .reply = name(),
                     .lease = time(),
                     .tries = small(),
                     .kind = static_cast<ChunkKind>(roll(5)),
                     .map = swarm_work.key(),
                     .needs = {},
                     .retries = small(),
                     .first = number(),
                     .count = small(),
                     .sent_s = number(),
                     .items_from = roll(2) == 0 ? "" : name(),
                     .items = std::string(roll(20), 'i')};
    switch (roll(8)) {
      case 0:
        return encode(order);
      case 1:
        return encode(ChunkResult{.job = order.job,
                                  .index = order.index,
                                  .epoch = small(),
                                  .delivery = small(),
                                  .worker = name(),
                                  .outcome = static_cast<ChunkOutcome>(roll(4)),
                                  .worked = time(),
                                  .count = small(),
                                  .output = std::string(roll(99), 'o'),
                                  .problems = {}});
      case 2:
        return encode(WorkerReport{.worker = name(),
                                   .host = name(),
                                   .draining = roll(2) == 0,
                                   .leaving = roll(2) == 0,
                                   .every = time(),
                                   .uptime = time(),
                                   .threads = small(),
                                   .credit = small(),
                                   .done = number(),
                                   .busy = time(),
                                   .held = {{job, number(), small(), time()}},
                                   .tasks = {swarm_work.key()},
                                   .queues = {name()}});
      case 3:
        return encode(QueueCall{name(), {swarm_work.key()}});
      case 4:
        return encode(BeaconRequest{number(), name()});
      case 5:
        return encode(BeaconAnswer{name(), number(), small(), number()});
      case 6: {
        DeadLetter letter{"evil", name(), {}};
        letter.order.sealed = encode(order);
        return encode(letter);
      }
      default:
        return std::string(roll(60), static_cast<char>(dice_()));
    }
  }
  std::string payload(const Connection& connection, const std::string& job) {
    std::string bytes = roll(10) == 0 ? "" : message(job);
    if (roll(3) == 0)
      bytes = connection.seal().close(static_cast<SealedKind>(roll(8)), std::move(bytes));
    if (roll(3) == 0 && !bytes.empty()) bytes[roll(bytes.size())] = static_cast<char>(dice_());
    if (roll(9) == 0) bytes.resize(roll(bytes.size() + 1));
    return bytes;
  }

  const Inboxes& inboxes_;
  std::mt19937_64 dice_;
  const std::string worker_;
};

// Who is robbed; and whether anything is signed in this pool.
class Theft : public testing::TestWithParam<std::tuple<std::string, bool>> {
 protected:
  static constexpr std::size_t kItems = 40;
  static std::vector<std::uint64_t> items() {
    std::vector<std::uint64_t> all(kItems);
    for (std::size_t i = 0; i < kItems; ++i) all[i] = i;
    return all;
  }
  static QueueOptions options(bool own) {
    QueueOptions options{.lease = 500ms, .worker_timeout = 10s};
    if (own) options.dispatch = dispatch::ClosedLoop{};
    return options;
  }
};

TEST_P(Theft, EndsNobody) {
  const auto& [role, is_signed] = GetParam();
  const StolenFolder folder;
  const Inboxes inboxes(folder.all());
  auto node = WorkerNode::connect({.cluster = folder.as("worker", is_signed), .threads = 2});
  ASSERT_TRUE(node) << to_string(node.error());
  const std::jthread working([&](const std::stop_token& stop) { (*node)->run(stop); });
  const Connection looking = Connection::connect(folder.as("operator", is_signed)).value();

  std::jthread caller([&](const std::stop_token& stop) {
    for (int i = 0; !stop.stop_requested(); ++i) {
      auto cluster = Cluster::connect(folder.as("master", is_signed), options(i % 2 != 0));
      if (!cluster) continue;
      try {
        static_cast<void>(parallel::map(*cluster, items(), swarm_work, {.chunk = 1}));
      } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch)
        // Whoever is believed may have a map fail, not end its master.
      }
    }
  });
  {
    // With its key, where there are any: the operator has none.
    auto stolen = Connection::connect(folder.as(role, true));
    ASSERT_TRUE(stolen) << to_string(stolen.error());
    std::random_device entropy;
    const std::uint64_t seed = entropy();
    SCOPED_TRACE("seed " + std::to_string(seed));
    Thief thief(inboxes, seed, (*node)->id());
    for (std::size_t round = 0; round < rounds(); ++round) {
      for (int i = 0; i < 10; ++i) thief.send_something(*stolen);
      // What it sends may end its own connection.
      if (!stolen->flush(1s)) {
        stolen = Connection::connect(folder.as(role, true));
        ASSERT_TRUE(stolen) << to_string(stolen.error());
      }
      if (round % 100 == 0) {
        const auto status = pool_status(looking, "films", 1ms);
        EXPECT_TRUE(status) << to_string(status.error());
        EXPECT_TRUE(dead_letters(looking, Subjects("films")));
      }
    }
  }
  caller.request_stop();
  caller.join();
  EXPECT_FALSE((*node)->shut());
  EXPECT_TRUE(looking.is_connected());
  const auto status = pool_status(looking, "films", 10ms);
  ASSERT_TRUE(status) << to_string(status.error());
  bool is_there = false;
  for (const auto& worker : status->workers) is_there |= worker.report.worker == (*node)->id();
  EXPECT_TRUE(is_there);
  auto cluster = Cluster::connect(folder.as("master", is_signed), options(false));
  ASSERT_TRUE(cluster) << to_string(cluster.error());
  EXPECT_EQ(parallel::map(*cluster, items(), swarm_work, {.chunk = 1}).size(), kItems);
}

INSTANTIATE_TEST_SUITE_P(
    All, Theft, testing::Combine(testing::Values("worker", "operator", "master"), testing::Bool()),
    [](const auto& test) {
      return std::get<0>(test.param) +
             (std::get<1>(test.param) ? "WithSignatures" : "WithoutSignatures");
    });

// As a server does of whom it takes for broken: "maximum control line exceeded".
TEST(Worker, ConnectsAgainWhenTheServerEndsItsConnection) {
  auto server = LocalServer::start().value();
  CutProxy proxy(port_of(server.cluster().servers.front()));
  ClusterOptions options = server.cluster();
  options.servers = {"nats://127.0.0.1:" + std::to_string(proxy.port())};
  auto node = WorkerNode::connect({.cluster = options, .threads = 1});
  ASSERT_TRUE(node) << to_string(node.error());
  const std::jthread working([&](const std::stop_token& stop) { (*node)->run(stop); });
  auto cluster = Cluster::connect(server.cluster());
  ASSERT_TRUE(cluster) << to_string(cluster.error());
  const std::vector<std::uint64_t> items{1, 2, 3};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(parallel::map(*cluster, items, swarm_work, {.chunk = 1}).size(), items.size());
    const auto before = proxy.connections();
    proxy.end_all("-ERR 'Maximum Control Line Exceeded'\r\n");
    const auto deadline = std::chrono::steady_clock::now() + 20s;
    while (proxy.connections() < before + 2) {
      ASSERT_LT(std::chrono::steady_clock::now(), deadline);
      std::this_thread::yield();
    }
  }
  EXPECT_EQ(parallel::map(*cluster, items, swarm_work, {.chunk = 1}).size(), items.size());
  EXPECT_FALSE((*node)->shut());
}

}  // namespace
}  // namespace artel::cluster
