#include "artel/cluster/local_server.hpp"

#include <asm-generic/socket.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/secret.hpp"
#include "artel/command/child.hpp"
#include "artel/command/scratch_folder.hpp"
#include "artel/core/error.hpp"
#include "artel/core/require.hpp"
#include "artel/file/open_file.hpp"
#include "artel/file/system_failure.hpp"

namespace artel::cluster {
namespace {

using file::OpenFile;
using std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kStartTime = 20s;
constexpr auto kStopTime = 5s;
constexpr auto kPollTime = 5ms;

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// A port that nobody else gets while we hold it: bound, but not listening. The server may listen
// on it all the same, since both of us allow the address to be used again.
struct Port {
  OpenFile socket;
  std::uint16_t number = 0;
};

Result<Port> reserve_port() {
  Port port{.socket = OpenFile(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))};
  const int yes = 1;
  auto address = loopback(0);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);  // NOLINT(*-reinterpret-cast): its type
  if (port.socket.get() < 0 ||
      ::setsockopt(port.socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
      ::bind(port.socket.get(), any, size) != 0 ||
      ::getsockname(port.socket.get(), any, &size) != 0) {
    return file::system_failure("reserve a port");
  }
  port.number = ntohs(address.sin_port);
  return port;
}

// Whether the server says that it and its JetStream are ready.
bool healthy(std::uint16_t port) {
  const OpenFile socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const timeval patience{.tv_sec = 1, .tv_usec = 0};
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const auto address = loopback(port);
  // NOLINTNEXTLINE(*-reinterpret-cast): the call's type
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return false;
  }
  constexpr std::string_view kRequest = "GET /healthz HTTP/1.0\r\n\r\n";
  constexpr std::string_view kOk = "HTTP/1.0 200";
  if (::send(socket.get(), kRequest.data(), kRequest.size(), MSG_NOSIGNAL) !=
      static_cast<ssize_t>(kRequest.size())) {
    return false;
  }
  std::array<char, kOk.size()> answer{};
  return ::recv(socket.get(), answer.data(), answer.size(), MSG_WAITALL) ==
             static_cast<ssize_t>(answer.size()) &&
         std::string_view(answer.data(), answer.size()) == kOk;
}

// The log's last line that tells of a failure.
std::string last_words(const std::filesystem::path& log) {
  std::ifstream in(log);
  std::string words = "it says nothing";
  for (std::string line; std::getline(in, line);) {
    const auto fatal = line.find("[FTL]");
    const auto error = line.find("[ERR]");
    if (fatal != std::string::npos) return line.substr(fatal + 6);
    if (error != std::string::npos) words = line.substr(error + 6);
    if (line.starts_with("nats-server: ")) words = line;
  }
  return words;
}

struct Node {
  Port client;
  Port monitor;
  Port route;
  std::unique_ptr<command::Child> process;  // none: it has ended
};

bool ends_within(const command::Child& child, std::chrono::milliseconds time) {
  pollfd ended{.fd = child.file(), .events = POLLIN, .revents = 0};
  return ::poll(&ended, 1, static_cast<int>(time.count())) > 0;
}

}  // namespace

Result<std::string> find_nats_server() {
  // Debian installs it where only root's PATH looks.
  for (const char* name : {"nats-server", "/usr/sbin/nats-server", "/usr/local/sbin/nats-server"}) {
    auto program = command::find_program(name);
    if (program && ::access(program->c_str(), X_OK) == 0) return *std::move(program);
  }
  return fail(ErrorCode::not_found,
              "nats-server is not installed: apt install nats-server, or give the address of a "
              "server that runs, nats://host:port");
}

struct LocalServer::State {
  LocalServerOptions options;
  std::string program;
  std::unique_ptr<command::ScratchFolder> folder;  // from prepare() on
  Secret token;
  std::vector<Node> nodes;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    for (std::size_t node = 0; node < nodes.size(); ++node) stop(node, SIGTERM);
  }

  [[nodiscard]] std::filesystem::path path(std::size_t node, std::string_view what) const {
    return folder->path() / fmt::format("node{}{}", node + 1, what);
  }

  [[nodiscard]] std::string configuration(std::size_t node) const {
    const auto& here = nodes[node];
    std::string text = fmt::format(
        "server_name: node{}\nlisten: 127.0.0.1:{}\nhttp: 127.0.0.1:{}\nmax_payload: 8MB\n",
        node + 1, here.client.number, here.monitor.number);
    if (options.token) text += fmt::format("authorization {{ token: \"{}\" }}\n", token.reveal());
    if (options.jetstream) {
      text += fmt::format("jetstream {{ store_dir: \"{}\", max_mem: 1GB, max_file: 10GB }}\n",
                          path(node, ".store").string());
    }
    if (nodes.size() > 1) {
      text +=
          fmt::format("cluster {{ name: local, listen: 127.0.0.1:{}, routes: [", here.route.number);
      for (const auto& other : nodes) {
        text += fmt::format("nats://127.0.0.1:{}, ", other.route.number);
      }
      text += "] }\n";
    }
    return text + options.settings;
  }

  Result<void> prepare() {
    auto made_token = Secret::random();
    if (!made_token) return fail(made_token);
    token = *std::move(made_token);
    auto made_folder =
        command::ScratchFolder::make("artel-nats-");  // its owner's, as the token in it
    if (!made_folder) return fail(made_folder);
    folder = std::make_unique<command::ScratchFolder>(*std::move(made_folder));
    for (std::size_t node = 0; node < options.nodes; ++node) {
      auto client = reserve_port();
      auto monitor = reserve_port();
      auto route = reserve_port();
      if (!client) return fail(client);
      if (!monitor) return fail(monitor);
      if (!route) return fail(route);
      nodes.push_back({*std::move(client), *std::move(monitor), *std::move(route), nullptr});
    }
    for (std::size_t node = 0; node < options.nodes; ++node) {
      std::ofstream file(path(node, ".conf"));
      if (!(file << configuration(node) << std::flush)) {
        return file::system_failure("write", path(node, ".conf").string());
      }
    }
    return {};
  }

  Result<void> launch(std::size_t node) {
    const OpenFile null(::open("/dev/null", O_RDWR | O_CLOEXEC));
    const auto log_path = path(node, ".log");
    const OpenFile log(::open(log_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (null.get() < 0 || log.get() < 0) return file::system_failure("write", log_path.string());
    const std::vector<std::string> arguments{"nats-server", "-c", path(node, ".conf").string()};
    auto child = command::Child::start(
        program, arguments,
        {.in = null.get(), .out = log.get(), .err = log.get(), .inherit = false});
    if (!child) {
      return fail(ErrorCode::io, fmt::format("cannot run: {}", child.error().message()), program);
    }
    nodes[node].process = std::make_unique<command::Child>(*std::move(child));
    return {};
  }

  Result<void> await(std::size_t node) {
    const auto deadline = steady_clock::now() + kStartTime;
    while (!healthy(nodes[node].monitor.number)) {
      if (ends_within(*nodes[node].process, kPollTime)) {
        nodes[node].process->wait();
        nodes[node].process.reset();
        return fail(ErrorCode::io,
                    fmt::format("it ended at once: {}", last_words(path(node, ".log"))), program);
      }
      if (steady_clock::now() > deadline) {
        return fail(ErrorCode::timeout,
                    fmt::format("it was not ready within {} s: {}", kStartTime.count(),
                                last_words(path(node, ".log"))),
                    program);
      }
    }
    return {};
  }

  void stop(std::size_t node, int signal) {
    auto& child = nodes[node].process;
    if (!child) return;
    child->signal(signal);
    if (!ends_within(*child, kStopTime)) child->signal(SIGKILL);
    child->wait();
    child.reset();
  }
};

Result<LocalServer> LocalServer::start(LocalServerOptions options) {
  ARTEL_REQUIRE(options.nodes == 1 || options.nodes == 3, "one server, or three", options.nodes);
  auto program =
      options.program.empty() ? find_nats_server() : Result<std::string>(options.program);
  if (!program) return fail(program);
  auto state = std::make_unique<State>();
  state->options = std::move(options);
  state->program = *std::move(program);
  if (auto prepared = state->prepare(); !prepared) return fail(prepared);
  for (std::size_t node = 0; node < state->nodes.size(); ++node) {
    if (auto launched = state->launch(node); !launched) return fail(launched);
  }
  for (std::size_t node = 0; node < state->nodes.size(); ++node) {
    if (auto ready = state->await(node); !ready) return fail(ready);
  }
  return LocalServer(std::move(state));
}

LocalServer::LocalServer(std::unique_ptr<State> state) : state_(std::move(state)) {}
LocalServer::LocalServer(LocalServer&&) noexcept = default;
LocalServer& LocalServer::operator=(LocalServer&&) noexcept = default;
LocalServer::~LocalServer() = default;

ClusterOptions LocalServer::cluster() const {
  ClusterOptions options;
  for (const auto& node : state_->nodes) {
    options.servers.push_back(fmt::format("nats://127.0.0.1:{}", node.client.number));
  }
  if (state_->options.token) options.token = state_->token;
  return options;
}

const std::filesystem::path& LocalServer::folder() const { return state_->folder->path(); }
std::size_t LocalServer::nodes() const { return state_->nodes.size(); }
bool LocalServer::runs(std::size_t node) const { return state_->nodes.at(node).process != nullptr; }

void LocalServer::signal(std::size_t node, int signal) const {
  ARTEL_REQUIRE(runs(node), "this server runs", node);
  state_->nodes[node].process->signal(signal);
}

void LocalServer::stop(std::size_t node, int signal) {
  ARTEL_REQUIRE(runs(node), "this server runs", node);
  state_->stop(node, signal);
}

Result<void> LocalServer::start_again(std::size_t node) {
  ARTEL_REQUIRE(!runs(node), "this server has ended", node);
  if (auto launched = state_->launch(node); !launched) return launched;
  return state_->await(node);
}

}  // namespace artel::cluster
