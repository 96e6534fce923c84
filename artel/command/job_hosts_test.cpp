// Jobs whose processes hand them on: hosts that go, and jobs that go on elsewhere.
#include "artel/command/job_hosts.hpp"

#include <gtest/gtest.h>
#include <stdio.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "artel/command/command_template.hpp"
#include "artel/command/item_reader.hpp"
#include "artel/command/job_loop.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/core/error.hpp"

namespace artel::command {
namespace {

// A slot each, named by letters; those of `going` break the first job that they get.
class Hosts : public JobHosts {
 public:
  Hosts(std::size_t slots, const std::vector<std::size_t>& going) : going_(slots), lost_(slots) {
    for (const auto slot : going) going_[slot] = true;
  }
  [[nodiscard]] std::vector<std::string> via(
      std::size_t slot, const std::vector<std::string>& command) const override {
    if (going_[slot]) return {"sh", "-c", "echo lost; exit 255"};
    return command;
  }
  [[nodiscard]] std::string name(std::size_t slot) const override {
    return std::string(1, static_cast<char>('a' + slot));
  }
  [[nodiscard]] int input(std::size_t /*slot*/) const override { return -1; }
  [[nodiscard]] bool is_lost(std::size_t slot) override { return lost_[slot]; }
  [[nodiscard]] bool was_lost(std::size_t slot) override {
    if (going_[slot]) lost_[slot] = true;
    return lost_[slot];
  }

 private:
  std::vector<bool> going_;
  std::vector<bool> lost_;
};

struct Ran {
  RunSummary summary;
  std::string out;
  std::string hosts;  // of the jobs, in order of printing
};

Ran run(Hosts& hosts, std::size_t slots, const std::vector<std::string>& script,
        std::vector<std::string> items) {
  auto command = CommandTemplate::parse(script, {});
  EXPECT_TRUE(command);
  ListedItems input(std::move(items));
  FILE* const out = ::tmpfile();
  Ran ran;
  JobLoopOptions options{.slots = slots, .hosts = &hosts};
  options.files = {.out = ::fileno(out), .err = ::fileno(out)};
  options.finished = [&](const JobReport& report) -> Result<std::string> {
    if (!report.cancelled) ran.hosts += report.host;
    return std::string();
  };
  ran.summary = JobLoop(std::move(*command), input, std::move(options)).run();
  EXPECT_EQ(std::fseek(out, 0, SEEK_SET), 0);
  std::array<char, 4096> text{};
  ran.out.assign(text.data(), std::fread(text.data(), 1, text.size(), out));
  std::fclose(out);
  return ran;
}

TEST(JobHosts, AJobOfALostHostRunsAgainElsewhere) {
  Hosts hosts(3, {0, 2});
  const auto ran = run(hosts, 3, {"echo"}, {"1", "2", "3", "4"});
  EXPECT_EQ(ran.out, "1\n2\n3\n4\n");
  EXPECT_EQ(ran.summary.succeeded, 4);
  EXPECT_EQ(ran.summary.failed, 0);
  EXPECT_EQ(ran.hosts, "bbbb");
}

TEST(JobHosts, WithoutAnyLeftTheRunFails) {
  Hosts hosts(2, {0, 1});
  const auto ran = run(hosts, 2, {"echo"}, {"1", "2", "3"});
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.summary.succeeded, 0);
  EXPECT_EQ(ran.summary.failure.value_or(Error{}).what, "all hosts are lost");
  EXPECT_EQ(ran.hosts, "");
}

TEST(JobHosts, AJobThatEndsAsALostHostDoesHasFailed) {
  Hosts hosts(1, {});
  const auto ran = run(hosts, 1, {"sh", "-c", "echo once; exit 255", "x"}, {"1"});
  EXPECT_EQ(ran.out, "once\n");
  EXPECT_EQ(ran.summary.failed, 1);
  EXPECT_EQ(ran.hosts, "a");
}

}  // namespace
}  // namespace artel::command
