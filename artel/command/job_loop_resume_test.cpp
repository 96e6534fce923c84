#include <fcntl.h>
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "artel/command/command_template.hpp"
#include "artel/command/halt_rule.hpp"
#include "artel/command/item_reader.hpp"
#include "artel/command/job_loop.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/command/output_journal.hpp"
#include "artel/core/error.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/file/open_file.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::command {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using Words = std::vector<std::string>;

// Runs that write to one file, log into another and can resume. Jobs are scripts in the folder.
class JobLoopResumeTest : public testing::Test {
 protected:
  JobLoopResumeTest() {
    std::filesystem::create_directory(folder_.path() / "jobs");
    std::ofstream(path("log"));
    options_.finished = [](const JobReport& report) {
      return Result<std::string>(report.cancelled ? "" : fmt::format("{}\n", report.job));
    };
    options_.printed = [this](const std::string& note) {
      std::ofstream(path("log"), std::ios::app) << note;
      return Result<void>();
    };
    options_.skip = [this](std::uint64_t job) { return done_.contains(job); };
  }

  RunSummary run(const std::string& script, Words input) {
    const file::OpenFile out(
        ::open(path("out").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    options_.files = {.out = out.get(), .err = out.get()};
    const auto journal =
        *OutputJournal::open(path("log"), options_.files, OutputJournal::Access::own);
    options_.journal = journal.get();
    std::ifstream log(path("log"));
    for (std::uint64_t job = 0; log >> job;) done_.insert(job);
    EXPECT_TRUE(journal->read_earlier([this](std::uint64_t job, const std::string& /*line*/) {
      return Result<bool>(done_.insert(job).second);
    }));
    ListedItems items(std::move(input));
    const std::string in_folder = fmt::format("cd {}; {}", folder_.path().string(), script);
    return JobLoop(*CommandTemplate::parse(Words{in_folder}, Reader::shell), items, options_).run();
  }
  // Asks for an end when the file is there.
  void stop_when(const std::string& name) {
    ASSERT_EQ(::pipe2(ends_.data(), O_CLOEXEC), 0);
    ASSERT_EQ(::write(ends_[1], "x", 1), 1);
    options_.control_file = ends_[0];
    options_.control = [this, name] {
      return std::filesystem::exists(path(name)) ? StopRequest::now : StopRequest::none;
    };
  }
  void stop_no_more() {
    options_.control_file = -1;
    for (const int file : ends_) ::close(file);
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    std::ifstream file(path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // Until it holds, for some seconds at most.
  template <class Holds>
  static void wait_until(Holds holds) {
    for (const auto end = steady_now() + 20s; !holds();) {
      ASSERT_LT(steady_now(), end);
      ::poll(nullptr, 0, 1);
    }
  }

  TemporaryFolder folder_;
  JobLoopOptions options_{.slots = 2};
  std::set<std::uint64_t> done_;
  std::array<int, 2> ends_{};
};

TEST_F(JobLoopResumeTest, WhatEndedBehindAJobThatWasKilledIsPrintedInItsPlaceAndNotRunAgain) {
  stop_when("ran.3");
  const std::string script =
      "[ {} = 1 ] && [ ! -e ran.3 ] && exec sleep 1000; echo {}; [ {} = 3 ] || : > ran.{}; "
      "[ {} != 3 ] || { exec > /dev/null; : > ran.{}; sleep 1000; }; echo {} >> runs";
  const auto stopped = run(script, {"1", "2", "3", "4"});
  EXPECT_EQ(text("out"), "");
  EXPECT_EQ(stopped.cancelled, 2);
  EXPECT_EQ(stopped.kept, 1);
  stop_no_more();
  const auto resumed = run("echo {}; echo {} >> runs", {"1", "2", "3", "4"});
  EXPECT_EQ(resumed.succeeded, 3);
  EXPECT_EQ(resumed.kept, 0);
  EXPECT_EQ(text("out"), "1\n2\n3\n4\n");
  EXPECT_EQ(text("log"), text("out"));
  EXPECT_EQ(std::string(text("runs")).find('2'), text("runs").rfind('2')) << "once";
}

TEST_F(JobLoopResumeTest, TheJobInTurnIsPrintedWhenItHasEnded) {
  run("echo {}; sleep 0.3; cat out > seen", {"1"});
  EXPECT_EQ(text("seen"), "");
  EXPECT_EQ(text("out"), "1\n");
}

TEST_F(JobLoopResumeTest, AnOutputThatIsTooBigToBeKeptIsPrintedAsItComes) {
  options_.disk_max = 100'000;
  run("head -c 300000 /dev/zero; while [ ! -s out ]; do sleep 0.01; done; echo end", {"1"});
  EXPECT_EQ(text("out").size(), 300'006);
  EXPECT_EQ(text("log"), "1\n");
}

TEST_F(JobLoopResumeTest, AHaltPrintsWhatHasEnded) {
  options_.halt.halt = Halt::now;
  const auto summary = run("[ {} = 1 ] && exec sleep 1000; echo {}; exit 1", {"1", "2"});
  EXPECT_TRUE(summary.halted);
  EXPECT_EQ(text("out"), "2\n");
}

TEST_F(JobLoopResumeTest, AFailureOfTheLogLosesNothing) {
  const auto printed = options_.printed;
  options_.printed = [](const std::string& /*note*/) -> Result<void> {
    return fail(ErrorCode::io, "the disk is full");
  };
  options_.slots = 1;
  EXPECT_TRUE(run("echo {}", {"1", "2", "3"}).failure);
  options_.printed = printed;
  done_.clear();
  EXPECT_FALSE(run("echo {}", {"1", "2", "3"}).failure);
  EXPECT_EQ(text("out"), "1\n2\n3\n") << "the first was printed, and is found in the file";
  EXPECT_EQ(text("log"), "1\n2\n3\n");
}

TEST_F(JobLoopResumeTest, OutputsMayBeInOrderOfTheEnds) {
  options_.order = OutputOrder::completion;
  stop_when("ran.2");
  const std::string script = "[ {} = 1 ] && exec sleep 1000; echo {}; : > ran.{}";
  run(script, {"1", "2", "3", "4"});
  stop_no_more();
  run("echo {}", {"1", "2", "3", "4"});
  EXPECT_EQ(text("out").size(), 8);
  EXPECT_EQ(text("log"), text("out"));
}

// The loop is kept from looking, as by SIGSTOP, until a job has ended and its time is over, too.
TEST_F(JobLoopResumeTest, AJobThatEndedInTimeHasNotTimedOut) {
  options_.timeout = 300ms;
  const Instant begun = steady_now();
  std::vector<bool> timed_out;
  options_.finished = [&](const JobReport& report) {
    if (report.job == 1) wait_until([&] { return steady_now() > later(begun, 1s); });
    timed_out.push_back(report.timed_out);
    return Result<std::string>("");
  };
  run("[ {} = 1 ] || sleep 0.1", {"1", "2"});
  EXPECT_THAT(timed_out, ElementsAre(false, false));
}

TEST_F(JobLoopResumeTest, AJobThatEndedBeforeTheStopIsDone) {
  options_.halt.halt = Halt::now;
  options_.finished = [&](const JobReport& report) {
    if (report.job == 1) {
      wait_until([&] { return std::filesystem::exists(path("pid")); });
      const int job = std::atoi(text("pid").c_str());
      wait_until([&] {
        std::ifstream status(fmt::format("/proc/{}/stat", job));
        const std::string all{std::istreambuf_iterator<char>(status), {}};
        return all.find(") Z") != std::string::npos;
      });
    }
    return Result<std::string>("");
  };
  const auto summary = run("[ {} = 2 ] || exit 1; echo $$ > new; mv new pid", {"1", "2"});
  EXPECT_EQ(summary.failed, 1);
  EXPECT_EQ(summary.succeeded, 1);
  EXPECT_EQ(summary.cancelled, 0);
}

}  // namespace
}  // namespace artel::command
