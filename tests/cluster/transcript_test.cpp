// What the machines of the protocol do, event by event: tests/cluster/transcripts/*.txt. A line is
// a time in seconds and an event, or, after ">", an action that the event leads to. With
// ARTEL_TRANSCRIPTS=write the actions are written anew.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "artel/cluster/protocol/master_machine.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/worker_machine.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/custom.hpp"
#include "artel/dispatch/policy.hpp"
#include "tests/cluster/read_event.hpp"
#include "tests/cluster/transcript.hpp"

namespace artel::cluster {
namespace {

using namespace std::chrono_literals;

// Does what a line says, at a time: the actions, in words.
using Machine = std::function<std::vector<std::string>(const std::string&, Instant)>;

// With a policy: workers have queues of their own.
Machine master(const std::optional<dispatch::Policy>& policy) {
  const QueueOptions options{.lease = 1s, .dispatch = policy, .worker_timeout = 10s};
  auto machine = std::make_shared<MasterMachine>(
      MasterMachine::Options{.queue = check(options).value(), .reply = "master"});
  return [machine](const std::string& line, Instant now) {
    std::vector<std::string> words;
    for (const auto& action : machine->step(read_master_event(line), now)) {
      words.push_back(in_words(action));
    }
    return words;
  };
}

Machine worker() {
  auto machine = std::make_shared<WorkerMachine>(WorkerMachine::Options{.id = "w1",
                                                                        .threads = 1,
                                                                        .report_every = 1s,
                                                                        .retry_delay = 100ms,
                                                                        .tasks = {{"f", 1, 0}},
                                                                        .own_queue = "w_w1",
                                                                        .inbox = "inbox"},
                                                 Instant{});
  return [machine](const std::string& line, Instant now) {
    std::vector<std::string> words;
    for (const auto& action : machine->step(read_worker_event(line), now)) {
      words.push_back(in_words(action));
    }
    return words;
  };
}

const std::map<std::string, std::function<Machine()>> machines{
    {"# master", [] { return master({}); }},
    {"# master with own queues", [] { return master(dispatch::LeastLoaded{}); }},
    {"# master with a policy that throws",
     [] {
       return master(
           dispatch::Custom{.function = [](const auto&, const auto&) -> std::optional<WorkerId> {
             throw std::runtime_error("no idea");
           }});
     }},
    {"# worker", [] { return worker(); }}};

// The same with the actions that there are.
std::string played(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::string out;
  Machine machine;
  while (std::getline(lines, line)) {
    if (line.starts_with("> ")) continue;
    out += line + "\n";
    if (!machine) {
      machine = machines.at(line)();
      continue;
    }
    if (line.empty() || line.starts_with('#')) continue;
    std::size_t end = 0;
    const double time = std::stod(line, &end);
    for (const std::string& action :
         machine(line.substr(end + 1), Instant{} + from_seconds(time))) {
      out += "> " + action + "\n";
    }
  }
  return out;
}

TEST(Transcripts, AreWhatTheMachinesDo) {
  int files = 0;
  const std::filesystem::path folder(ARTEL_SOURCE_DIR "/tests/cluster/transcripts");
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    ++files;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    const std::string now = played(text.str());
    if (std::getenv("ARTEL_TRANSCRIPTS") != nullptr) {  // NOLINT(concurrency-mt-unsafe)
      std::ofstream(entry.path()) << now;
    } else {
      EXPECT_EQ(now, text.str()) << entry.path();
    }
  }
  EXPECT_GE(files, 6);
}

}  // namespace
}  // namespace artel::cluster
