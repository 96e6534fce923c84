#include "artel/cluster/connection.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nats/nats.h>
#include <nats/status.h>
#include <signal.h>

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/detail/nkey_bytes.hpp"
#include "artel/cluster/local_server.hpp"
#include "artel/cluster/secret.hpp"
#include "artel/core/error.hpp"
#include "artel/core/require.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::cluster {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

LocalServer server_with(std::string settings) {
  auto server = LocalServer::start({.settings = std::move(settings), .token = false});
  ARTEL_REQUIRE(server.has_value(), "the server starts", to_string(server.error()));
  return *std::move(server);
}

void accepted(const ClusterOptions& options) {
  const auto connection = Connection::connect(options);
  ASSERT_TRUE(connection) << to_string(connection.error());
  const auto jetstream = connection->require_jetstream();
  EXPECT_TRUE(jetstream) << to_string(jetstream.error());
}

std::string refusal(const ClusterOptions& options) {
  const auto connection = Connection::connect(options);
  EXPECT_FALSE(connection.has_value());
  return connection ? "" : to_string(connection.error());
}

TEST(Connection, UserGetsInWithThePasswordOnly) {
  const auto server = server_with("authorization { user: ann, password: sesame }");
  auto options = server.cluster();
  EXPECT_THAT(refusal(options), AllOf(HasSubstr("do not log in"), HasSubstr("127.0.0.1:")));
  options.user = "ann";
  options.password = Secret("barley");
  EXPECT_THAT(refusal(options), AllOf(HasSubstr("refuses this user and password"),
                                      Not(HasSubstr("barley")), Not(HasSubstr("sesame"))));
  options.password = Secret("sesame");
  accepted(options);
}

TEST(Connection, TokenGetsIn) {
  const auto server = server_with("authorization { token: sesame }");
  auto options = server.cluster();
  options.token = Secret("barley");
  EXPECT_THAT(refusal(options), AllOf(HasSubstr("refuses this token"), Not(HasSubstr("barley"))));
  options.token = Secret("sesame");
  accepted(options);
}

TEST(Connection, UserPartOfAnAddressGetsIn) {
  const auto server = server_with("authorization { user: ann, password: \"p@ss\" }");
  const auto address = server.cluster().servers.front().substr(7);
  accepted(parse_servers("nats://ann:p%40ss@" + address).value());
}

TEST(Connection, NkeyGetsIn) {
  // From the documentation of NATS, and a made-up one.
  const std::string seed = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY";
  const auto server = server_with(fmt::format("authorization {{ users: [ {{ nkey: {} }} ] }}",
                                              detail::nkey_of_seed(Secret(seed)).value()));
  const TemporaryFolder folder;
  auto options = server.cluster();
  options.nkey = folder.path() / "ann.nk";
  std::ofstream(options.nkey) << "SUASWYLNOVZXI2LDMVZHS43POJVWK3LFNZ2CA5DFON2CA43FMVS" << '\n';
  EXPECT_THAT(refusal(options), AllOf(HasSubstr("ann.nk"), HasSubstr("not the seed")));
  std::ofstream(options.nkey) << seed << '\n';
  accepted(options);
  for (int i = 0; i < 100; ++i) {  // whatever the server challenges it with
    const auto again = Connection::connect(options);
    ASSERT_TRUE(again) << i << ": " << to_string(again.error());
  }
}

// An authority, a server's certificate for 127.0.0.1, one for another host, and a client's.
class ConnectionTls : public testing::Test {
 protected:
  void SetUp() override {
    const auto made = std::system(  // NOLINT(*-mt-unsafe,*-command-processor): a test's own command
        fmt::format(R"(cd '{}' && exec >log 2>&1 && set -e
          key='-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
          for authority in ours theirs; do
            openssl req -x509 $key -subj /CN=$authority -keyout $authority.key -out $authority.pem -days 2
          done
          sign() {{
            openssl req $key -subj "/CN=$1" -addext "subjectAltName=$2" -keyout $1.key -out $1.csr
            openssl x509 -req -in $1.csr -CA ours.pem -CAkey ours.key -CAcreateserial -copy_extensions copy \
              -days 2 -out $1.pem
          }}
          sign server IP:127.0.0.1; sign elsewhere DNS:elsewhere.example; sign client DNS:client)",
                    folder_.path().string())
            .c_str());
    ASSERT_EQ(made, 0) << std::ifstream(folder_.path() / "log").rdbuf();
  }

  [[nodiscard]] std::filesystem::path file(std::string_view name) const {
    return folder_.path() / name;
  }
  [[nodiscard]] std::string settings(std::string_view name, std::string_view more = "") const {
    return fmt::format("tls {{ cert_file: \"{}\", key_file: \"{}\"\n {} }}",
                       file(fmt::format("{}.pem", name)).string(),
                       file(fmt::format("{}.key", name)).string(), more);
  }

  TemporaryFolder folder_;
};

TEST_F(ConnectionTls, AuthorityIsChecked) {
  const auto server = server_with(settings("server"));
  auto options = server.cluster();
  EXPECT_THAT(refusal(options), HasSubstr("TLS failed: SSL handshake error"));
  options.tls.authority = file("theirs.pem");
  EXPECT_THAT(refusal(options), AllOf(HasSubstr("TLS failed"), HasSubstr("issuer")));
  options.tls.authority = file("ours.pem");
  accepted(options);
}

TEST_F(ConnectionTls, SchemeAsksForTlsAndTheSystemsAuthorities) {
  const auto server = server_with(settings("server"));
  auto options = server.cluster();
  options.servers.front().replace(0, 4, "tls");
  EXPECT_THAT(refusal(options), HasSubstr("TLS failed"));
  const auto plain = server_with("");
  auto unencrypted = plain.cluster();
  unencrypted.servers.front().replace(0, 4, "tls");
  EXPECT_THAT(refusal(unencrypted), HasSubstr("no TLS"));
}

TEST_F(ConnectionTls, CertificateOfAnotherHostIsRefused) {
  const auto server = server_with(settings("elsewhere"));
  auto options = server.cluster();
  options.tls.authority = file("ours.pem");
  EXPECT_THAT(refusal(options), AllOf(HasSubstr("TLS failed"), HasSubstr("mismatch")));
}

TEST_F(ConnectionTls, ServerMayAskForOurCertificate) {
  const auto server = server_with(
      settings("server", fmt::format("ca_file: \"{}\"\n verify: true", file("ours.pem").string())));
  auto options = server.cluster();
  options.tls.authority = file("ours.pem");
  EXPECT_NE(refusal(options), "");
  options.tls.certificate = file("client.pem");
  options.tls.key = file("client.key");
  accepted(options);
}

TEST(Connection, NobodyThereIsSaid) {
  auto server = LocalServer::start().value();
  server.stop(0, SIGKILL);  // its port stays ours
  EXPECT_THAT(refusal(server.cluster()),
              AllOf(HasSubstr("no server answers"), HasSubstr("nats://127.0.0.1:")));
}

TEST(Connection, ServerWithoutJetStreamIsSaid) {
  const auto server = LocalServer::start({.jetstream = false}).value();
  const auto connection = Connection::connect(server.cluster()).value();
  EXPECT_THAT(to_string(connection.require_jetstream().error()), HasSubstr("without JetStream"));
}

// Counts events and waits for them.
class Events {
 public:
  ConnectionEvents hooks() {
    return {.lost = [this] { add(lost); },
            .restored = [this] { add(restored); },
            .problem =
                [this](const Error& error) {
                  const std::scoped_lock lock(mutex_);
                  problem = to_string(error);
                  changed_.notify_all();
                }};
  }
  template <class Condition>
  bool wait(Condition condition) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 20s, [&] { return condition(*this); });
  }

  int lost = 0;
  int restored = 0;
  std::string problem;

 private:
  void add(int& count) {
    const std::scoped_lock lock(mutex_);
    ++count;
    changed_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable changed_;
};

TEST(Connection, ComesBackWhenTheServerDoes) {
  auto server = LocalServer::start().value();
  Events events;
  const auto connection = Connection::connect(server.cluster(), events.hooks()).value();
  server.stop(0, SIGKILL);
  EXPECT_TRUE(events.wait([](const Events& e) { return e.lost == 1; }));
  ASSERT_TRUE(server.start_again(0));
  EXPECT_TRUE(events.wait([](const Events& e) { return e.restored == 1; }));
  EXPECT_TRUE(connection.is_connected());
  EXPECT_TRUE(connection.flush(5s));
}

TEST(Connection, RefusedSubjectIsReported) {
  const auto server = server_with(
      "authorization { users: [ { user: ann, password: sesame, permissions: { publish: \"ok\" } } "
      "] }");
  auto options = server.cluster();
  options.user = "ann";
  options.password = Secret("sesame");
  Events events;
  const auto connection = Connection::connect(options, events.hooks()).value();
  ASSERT_EQ(natsConnection_PublishString(connection.handle(), "secret.plans", "x"), NATS_OK);
  EXPECT_TRUE(events.wait([](const Events& e) { return !e.problem.empty(); }));
  EXPECT_THAT(events.problem, AllOf(HasSubstr("secret.plans"), HasSubstr("127.0.0.1")));
}

// Half of what the engine buffers: what is as large would be copied there, and wait with the
// others.
constexpr std::size_t kLarge = 16'384;

TEST(Connection, WhatIsLargeLeavesAtOnceAndWhatIsSmallTogether) {
  const auto server = server_with("");
  const auto connection = Connection::connect(server.cluster()).value();
  EXPECT_EQ(connection.way_together(0), connection.bulk());
  EXPECT_EQ(connection.way_together(kLarge - 1), connection.bulk());
  EXPECT_EQ(connection.way_together(kLarge), connection.handle());
  for (const std::size_t size : {kLarge, kLarge + 1, 3 * kLarge, 40 * kLarge}) {
    natsConnection* const way = connection.way_together(size);
    const std::string large(size, 'x');
    for (int i = 0; i < 10; ++i) {
      ASSERT_EQ(natsConnection_PublishString(way, "news", large.c_str()), NATS_OK);
      EXPECT_EQ(natsConnection_Buffered(way), 0) << "of " << size;
    }
  }
}

// Small and large ones overtake one another: they have two connections.
TEST(Connection, WhatIsSmallKeepsItsOrderAndSoDoesWhatIsLarge) {
  const auto server = server_with("");
  const auto connection = Connection::connect(server.cluster()).value();
  const auto reader = Connection::connect(server.cluster()).value();
  auto subscription = reader.new_subscription();
  ASSERT_EQ(natsConnection_SubscribeSync(subscription.out(), reader.handle(), "news"), NATS_OK);
  ASSERT_TRUE(reader.flush(5s));
  constexpr int kMessages = 300;
  for (int i = 0; i < kMessages; ++i) {
    std::string text = fmt::format("{} ", i);
    text.resize(i % 3 == 0 ? kLarge + static_cast<std::size_t>(i) : 100, 'x');
    natsConnection* const way = connection.way_together(text.size());
    ASSERT_EQ(natsConnection_PublishString(way, "news", text.c_str()), NATS_OK);
  }
  std::vector<int> small, large;
  for (int i = 0; i < kMessages; ++i) {
    natsMsg* message = nullptr;
    ASSERT_EQ(natsSubscription_NextMsg(&message, subscription.get(), 20'000), NATS_OK) << i;
    const bool is_large = static_cast<std::size_t>(natsMsg_GetDataLength(message)) >= kLarge;
    (is_large ? large : small).push_back(std::stoi(natsMsg_GetData(message)));
    natsMsg_Destroy(message);
  }
  EXPECT_EQ(small.size(), 200);
  EXPECT_EQ(large.size(), 100);
  EXPECT_TRUE(std::ranges::is_sorted(small));
  EXPECT_TRUE(std::ranges::is_sorted(large));
}

// nats.c 3.4 frees a subscription that the reading thread is about to use, one of some thousand.
TEST(Connection, SubscriptionsEndWhileMessagesCome) {
  const auto server = server_with("");
  const auto connection = Connection::connect(server.cluster());
  const auto sender = Connection::connect(server.cluster());
  ASSERT_TRUE(connection);
  ASSERT_TRUE(sender);
  // Large ones: between finding the subscription and giving it the message, they are copied.
  const std::string large(100'000, 'x');
  std::jthread messages([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      for (int i = 0; i < 10; ++i)
        EXPECT_EQ(natsConnection_PublishString(sender->handle(), "news", large.c_str()), NATS_OK);
      EXPECT_TRUE(sender->flush(5s));
    }
  });
  for (int i = 0; i < 1000; ++i) {
    auto subscription = connection->new_subscription();
    ASSERT_EQ(natsConnection_SubscribeSync(subscription.out(), connection->handle(), "news"),
              NATS_OK);
    natsMsg* message = nullptr;
    ASSERT_EQ(natsSubscription_NextMsg(&message, subscription.get(), 5000), NATS_OK);
    natsMsg_Destroy(message);
  }
}

}  // namespace
}  // namespace artel::cluster
