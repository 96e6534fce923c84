#include "artel/cluster/run_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <csignal>
#include <cstdint>
#include <string>

#include "artel/cluster/protocol/decoder.hpp"
#include "artel/core/instant.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::cluster {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

CommandOrder shell(const std::string& script) { return {.words = {"sh", "-c", script}}; }

TEST(CommandRun, HasBothOutputsAndTheExitStatus) {
  const auto outcome = run_command(shell("echo one; echo two >&2; exit 3"));
  EXPECT_EQ(outcome.out, "one\n");
  EXPECT_EQ(outcome.err, "two\n");
  EXPECT_EQ(outcome.exit_status, 3);
  EXPECT_TRUE(outcome.failed());
  EXPECT_EQ(outcome.attempts, 1U);
  EXPECT_FALSE(outcome.host.empty());
  EXPECT_GT(outcome.runtime_ns, 0);
}

TEST(CommandRun, OutputMayBeLargerThanAPipe) {
  const auto outcome =
      run_command(shell("head -c 3000000 /dev/zero; head -c 2000000 /dev/zero >&2"));
  EXPECT_EQ(outcome.out.size(), 3'000'000U);
  EXPECT_EQ(outcome.err.size(), 2'000'000U);
  EXPECT_FALSE(outcome.failed());
}

TEST(CommandRun, SignalThatEndedItIsTold) {
  EXPECT_EQ(run_command(shell("kill -9 $$")).signal, SIGKILL);
}

TEST(CommandRun, ReadsNothing) { EXPECT_EQ(run_command({.words = {"cat"}}).exit_status, 0); }

TEST(CommandRun, FailedOnesAreTriedAgain) {
  const TemporaryFolder folder;
  auto order = shell("echo x >>'" + (folder.path() / "tries").string() + "'; test \"$(wc -l <'" +
                     (folder.path() / "tries").string() + "')\" -eq 3");
  order.retries = 5;
  const auto outcome = run_command(order);
  EXPECT_FALSE(outcome.failed());
  EXPECT_EQ(outcome.attempts, 3U);
}

TEST(CommandRun, TooLongIsEndedWithAllItStarted) {
  auto order = shell("sleep 1000 & sleep 1000; wait");
  order.timeout_ns = Duration(20ms).count();
  const auto outcome = run_command(order);
  EXPECT_TRUE(outcome.timed_out);
  EXPECT_EQ(outcome.signal, SIGTERM);
}

TEST(CommandRun, TooMuchOutputIsANamedProblem) {
  auto order = shell("yes");
  order.output_max = 100'000;
  const auto outcome = run_command(order);
  EXPECT_TRUE(outcome.failed());
  EXPECT_THAT(outcome.problem, HasSubstr("more than 100000 bytes"));
  EXPECT_EQ(outcome.out.size(), 100'000U);
}

TEST(CommandRun, WhatCannotBeRunIsNamed) {
  const auto missing = run_command({.words = {"no-such-program"}});
  EXPECT_EQ(missing.exit_status, 127);
  EXPECT_THAT(missing.problem, HasSubstr("cannot run 'no-such-program'"));
  EXPECT_EQ(run_command({.words = {"/dev/null"}}).exit_status, 126);
  EXPECT_TRUE(run_command({}).failed());
}

TEST(CommandRun, DoesNotWaitForWhatWasLeftBehind) {
  const auto outcome = run_command(shell("sleep 1000 & echo $!"));
  EXPECT_FALSE(outcome.failed());
  EXPECT_EQ(::kill(std::stoi(outcome.out), SIGKILL), 0);
}

TEST(CommandRun, OrdersAndOutcomesTravel) {
  std::string bytes;
  encode_to(bytes, shell("echo"));
  EXPECT_EQ(decode<CommandOrder>(bytes)->words, shell("echo").words);
  bytes.clear();
  encode_to(bytes, CommandOutcome{.exit_status = -1, .out = std::string("a\0b", 3), .host = "h"});
  const auto outcome = decode<CommandOutcome>(bytes).value();
  EXPECT_EQ(outcome.exit_status, -1);
  EXPECT_EQ(outcome.out, std::string("a\0b", 3));
  EXPECT_EQ(outcome.host, "h");
}

TEST(CommandRun, NumbersOutOfRangeAreNamedAndNothingRuns) {
  const auto problem = [](auto member, auto value) {
    CommandOrder order{.words = {"true"}};
    order.*member = value;
    const auto outcome = run_command(order);
    EXPECT_EQ(outcome.exit_status, 126);
    EXPECT_EQ(outcome.attempts, 0U);
    return outcome.problem;
  };
  EXPECT_EQ(problem(&CommandOrder::retries, ~std::uint32_t{0}),
            "retries is 4294967295; at most 10000");
  EXPECT_EQ(problem(&CommandOrder::timeout_ns, -1), "timeout is -1 ns; more than 0");
  EXPECT_THAT(problem(&CommandOrder::output_max, ~std::uint64_t{0}), HasSubstr("at most 26843"));
  EXPECT_TRUE(check(CommandOrder{.words = {"true"}}));
}

// They end up on the terminal of whoever sent the order, and in its log.
TEST(CommandRun, WhatAWorkerSaysOfItselfIsMadePrintable) {
  std::string bytes;
  encode_to(bytes, CommandOutcome{
                       .out = "\x1b[1mbold", .problem = "\x1b]0;x\a\nartel:", .host = "a\tb\x9b"});
  const auto outcome = decode<CommandOutcome>(bytes).value();
  EXPECT_EQ(outcome.problem, "?]0;x??artel:");
  EXPECT_EQ(outcome.host, "a?b?");
  EXPECT_EQ(outcome.out, "\x1b[1mbold");  // the command's own
  bytes.clear();
  encode_to(bytes, CommandOutcome{.runtime_ns = -1});
  EXPECT_FALSE(decode<CommandOutcome>(bytes));
}

}  // namespace
}  // namespace artel::cluster
