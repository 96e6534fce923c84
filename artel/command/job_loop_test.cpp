#include "artel/command/job_loop.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "artel/command/command_template.hpp"
#include "artel/command/halt_rule.hpp"
#include "artel/command/item_reader.hpp"
#include "artel/command/job_loop_options.hpp"
#include "artel/core/error.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::command {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using Words = std::vector<std::string>;

// Runs jobs and keeps what they print.
class JobLoopTest : public testing::Test {
 protected:
  JobLoopTest() : out_(std::tmpfile()), err_(std::tmpfile()) {
    options_.files = {.out = ::fileno(out_), .err = ::fileno(err_)};
    options_.finished = [this](const JobReport& report) {
      reports_.push_back(report);
      return Result<std::string>(std::to_string(report.job));
    };
  }
  ~JobLoopTest() override {
    static_cast<void>(std::fclose(out_));
    static_cast<void>(std::fclose(err_));
  }

  RunSummary run(const Words& command, Words input, Reader reader = Reader::program) {
    ListedItems items(std::move(input));
    return JobLoop(*CommandTemplate::parse(command, reader), items, options_).run();
  }
  static Error failure_of(const RunSummary& summary) {
    EXPECT_TRUE(summary.failure);
    return summary.failure.value_or(Error{});
  }
  static std::string text(std::FILE* file) {
    std::string all;
    std::array<char, 4096> piece{};
    EXPECT_EQ(std::fseek(file, 0, SEEK_SET), 0);
    while (const auto count = std::fread(piece.data(), 1, piece.size(), file)) {
      all.append(piece.data(), count);
    }
    return all;
  }
  [[nodiscard]] std::string out() const { return text(out_); }
  [[nodiscard]] std::string err() const { return text(err_); }

  TemporaryFolder folder_;
  std::FILE* out_;
  std::FILE* err_;
  JobLoopOptions options_{.slots = 3};
  std::vector<JobReport> reports_;  // without the commands, which are gone
};

TEST_F(JobLoopTest, PrintsInOrderOfTheInput) {
  // Each job waits until the later ones are over.
  const auto summary = run({"n=$1; while [ $n -lt 3 -a ! -e " + folder_.path().string() +
                            "/$((n + 1)) ]; do sleep 0.01; done; echo $n; echo $n >&2; : > " +
                            folder_.path().string() + "/$n"},
                           {"1", "2", "3"}, Reader::shell);
  EXPECT_EQ(summary.succeeded, 3);
  EXPECT_EQ(out(), "1\n2\n3\n");
  EXPECT_EQ(err(), "1\n2\n3\n");
  ASSERT_EQ(reports_.size(), 3);
  EXPECT_EQ(reports_.front().output, 2);
}

TEST_F(JobLoopTest, BigOutputsGoToDiskAndComeBack) {
  options_.memory_max = 1000;
  options_.order = OutputOrder::completion;
  run({"head -c 3000000 /dev/zero | tr '\\0' {}"}, {"a", "b", "c", "d"}, Reader::shell);
  const auto text = out();
  ASSERT_EQ(text.size(), 12'000'000);
  std::set<char> letters;
  for (std::size_t at = 0; at < text.size(); at += 3'000'000) {
    letters.insert(text[at]);
    EXPECT_EQ(text.find_first_not_of(text[at], at),
              at + 3'000'000 < text.size() ? at + 3'000'000 : std::string::npos);
  }
  EXPECT_EQ(letters.size(), 4);
}

TEST_F(JobLoopTest, CutsItemsIntoJobs) {
  options_.items_per_job = 2;
  run({"echo", "{#}:", "{}"}, {"a", "b b", "c"});
  EXPECT_EQ(out(), "1: a b b\n2: c\n");
}

TEST_F(JobLoopTest, NoItemsNoJobs) {
  EXPECT_EQ(run({"echo"}, {}).succeeded, 0);
  EXPECT_EQ(out(), "");
}

TEST_F(JobLoopTest, HaltSoonStartsNoMore) {
  options_.slots = 1;
  options_.halt.halt = Halt::soon;
  const auto summary = run({"echo {}; exit {}"}, {"0", "3", "0"}, Reader::shell);
  EXPECT_TRUE(summary.halted);
  EXPECT_EQ(summary.succeeded, 1);
  EXPECT_EQ(summary.failed, 1);
  EXPECT_EQ(out(), "0\n3\n");
  EXPECT_EQ(reports_.back().ending.exit_status, 3);
}

TEST_F(JobLoopTest, HaltNowKillsAndPrintsWhatWasFinished) {
  options_.halt.halt = Halt::now;
  const auto summary =
      run({"[ {} = long ] && exec sleep 1000; echo {}; exit 1"}, {"long", "bad"}, Reader::shell);
  EXPECT_EQ(summary.failed, 1);
  EXPECT_EQ(summary.cancelled, 1);
  EXPECT_EQ(out(), "bad\n");
}

TEST_F(JobLoopTest, RetriesShowTheLastAttemptOnly) {
  options_.retries = 2;
  const std::string count = folder_.path().string() + "/attempts";
  const auto summary =
      run({"echo x >> " + count + "; n=$(wc -l < " + count + "); echo $n {}; [ $n -eq 3 ]"},
          {"try"}, Reader::shell);
  EXPECT_EQ(summary.succeeded, 1);
  EXPECT_EQ(out(), "3 try\n");
  EXPECT_EQ(reports_.size(), 1);
  EXPECT_EQ(run({"false"}, {"x"}).failed, 1);
}

TEST_F(JobLoopTest, AFailingJobIsTriedAsOftenAsAsked) {
  options_.retries = 2;
  const auto attempts = folder_.path() / "attempts";
  EXPECT_EQ(run({"echo {} >> " + attempts.string() + "; false"}, {"x"}, Reader::shell).failed, 1);
  EXPECT_EQ(std::filesystem::file_size(attempts), 3 * std::string("x\n").size());
}

// That what the job started dies too is tested with the command, tests/command/map_test.sh.
TEST_F(JobLoopTest, AnAttemptThatTakesTooLongIsTerminated) {
  options_.timeout = 20ms;
  options_.grace = 100s;
  EXPECT_EQ(run({"sleep"}, {"1000"}).failed, 1);
  EXPECT_TRUE(reports_.front().timed_out);
  EXPECT_EQ(reports_.front().ending.signal, SIGTERM);
}

TEST_F(JobLoopTest, AnAttemptThatStaysAfterThatIsKilled) {
  options_.grace = 20ms;
  // On a busy machine the job may be told to end before it says that it will not.
  for (const auto timeout : {100ms, 1'000ms, 10'000ms}) {
    options_.timeout = timeout;
    EXPECT_EQ(run({"trap '' TERM; exec sleep $1"}, {"1000"}, Reader::shell).failed, 1);
    EXPECT_TRUE(reports_.back().timed_out);
    if (reports_.back().ending.signal == SIGKILL) return;
  }
  EXPECT_EQ(reports_.back().ending.signal, SIGKILL);
}

TEST_F(JobLoopTest, AMissingCommandEndsTheRun) {
  const auto summary = run({"no-such-program"}, {"a", "b"});
  EXPECT_EQ(summary.failed, 0);
  EXPECT_EQ(failure_of(summary).code, ErrorCode::not_found);
  EXPECT_EQ(failure_of(summary).what, "cannot run 'no-such-program': No such file or directory");
  EXPECT_EQ(failure_of(run({"/etc/passwd"}, {"a"})).code, ErrorCode::unsupported);
}

TEST_F(JobLoopTest, AMissingItemToRunIsAFailedJob) {
  const auto summary = run({"{}"}, {"/nonexistent", "true", "/etc/passwd"});
  EXPECT_FALSE(summary.failure);
  EXPECT_EQ(summary.failed, 2);
  EXPECT_EQ(summary.succeeded, 1);
  EXPECT_THAT(err(), HasSubstr("artel: cannot run '/nonexistent': No such file"));
  std::set<int> statuses;
  for (const auto& report : reports_) statuses.insert(report.ending.exit_status);
  EXPECT_THAT(statuses, ElementsAre(0, 126, 127));
}

TEST_F(JobLoopTest, AnItemTooLongForTheSystemIsAFailedJob) {
  const auto summary = run({"true"}, {std::string(200'000, 'x'), "a"});
  EXPECT_EQ(summary.failed, 1);
  EXPECT_EQ(summary.succeeded, 1);
}

TEST_F(JobLoopTest, SkipsJobsThatAreDone) {
  options_.skip = [](std::uint64_t job) { return job != 2; };
  EXPECT_EQ(run({"echo", "{#}", "{}"}, {"a", "b", "c"}).skipped, 2);
  EXPECT_EQ(out(), "2 b\n");
}

TEST_F(JobLoopTest, ALogThatFailsStopsTheRun) {
  options_.slots = 1;
  options_.printed = [](const std::string& /*note*/) -> Result<void> {
    return fail(ErrorCode::io, "full");
  };
  const auto summary = run({"echo"}, {"a", "b"});
  EXPECT_EQ(failure_of(summary).what, "full");
  EXPECT_EQ(out(), "a\n");
}

TEST_F(JobLoopTest, AJobIsNotedWhenItsOutputIsOut) {
  std::vector<std::string> notes;
  options_.printed = [&](const std::string& note) -> Result<void> {
    notes.push_back(note + " after " + out());
    return {};
  };
  const std::string go = folder_.path().string() + "/go";
  run({"[ {} = 1 ] && while [ ! -e " + go + " ]; do sleep 0.01; done; : > " + go + "; echo {}"},
      {"1", "2"}, Reader::shell);
  EXPECT_THAT(notes, ElementsAre("1 after 1\n", "2 after 1\n2\n"));
}

TEST_F(JobLoopTest, WhatAReaderDoesNotTakeIsNotNoted) {
  std::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  options_.files.out = ends[1];
  options_.slots = 1;
  std::vector<std::string> notes;
  options_.printed = [&](const std::string& note) -> Result<void> {
    notes.push_back(note);
    return {};
  };
  options_.finished = [&](const JobReport& report) {
    std::array<char, 2> taken{};  // "1\n", and then nobody reads
    if (report.job == 2) {
      EXPECT_EQ(::read(ends[0], taken.data(), taken.size()), 2);
    }
    if (report.job == 3) ::close(ends[0]);
    return Result<std::string>(std::to_string(report.job));
  };
  EXPECT_EQ(failure_of(run({"echo"}, Words{"1", "2", "3", "4"})).code, ErrorCode::closed);
  EXPECT_THAT(notes, ElementsAre("1"));
  ::close(ends[1]);
}

TEST_F(JobLoopTest, TheJobInTurnPrintsAsItGoes) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  options_.files.out = ends[1];
  options_.disk_max = 0;
  const std::string got = folder_.path().string() + "/got";
  std::thread reader([&] {
    std::array<char, 6> word{};
    EXPECT_EQ(::read(ends[0], word.data(), word.size()), 6);
    EXPECT_EQ(std::string(word.data(), word.size()), "first\n");
    std::ofstream{got};
  });
  EXPECT_EQ(run({"echo first; while [ ! -e " + got + " ]; do sleep 0.01; done; : {}"}, {"x"},
                Reader::shell)
                .succeeded,
            1);
  reader.join();
  for (const int end : ends) ::close(end);
}

TEST_F(JobLoopTest, DryRunPrintsCommandsThatAShellReads) {
  options_.dry_run = true;
  options_.slots = 1;
  run({"rm", "-rf"}, {"a b", "it's"});
  EXPECT_EQ(out(), "rm -rf 'a b'\nrm -rf 'it'\\''s'\n");
}

TEST_F(JobLoopTest, AFullDiskBehindStdoutEndsTheRun) {
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  options_.files.out = full;
  options_.slots = 1;  // or many later jobs end before the first, on a busy machine
  const auto summary = run({"echo"}, Words(1000, "x"));
  ::close(full);
  EXPECT_EQ(failure_of(summary).what, "cannot write to standard output: No space left on device");
  EXPECT_LT(summary.succeeded, 10);
}

TEST_F(JobLoopTest, StopsWhenNobodyReads) {
  std::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ::close(ends[0]);
  options_.files.out = ends[1];
  EXPECT_EQ(failure_of(run({"echo"}, Words(1000, "x"))).code, ErrorCode::closed);
  ::close(ends[1]);
}

// A child between clone() and exec() on a busy machine still holds what we have open, and so keeps
// the process file of a job that is over alive in the kernel's list of events.
TEST_F(JobLoopTest, AJobThatIsOverIsNotTakenForTheNextOneInItsSlot) {
  ::alarm(100);  // if it hangs
  std::array<int, 2> end{};
  ASSERT_EQ(::pipe(end.data()), 0);
  options_.slots = 2;
  options_.skip = [&](std::uint64_t job) {
    if (job % 10 != 5) return false;
    if (::fork() == 0) {  // holds a running job's process file, until the test ends
      char last = 0;
      ::close(end[1]);
      ::_exit(static_cast<int>(::read(end[0], &last, 1)));
    }
    return false;
  };
  // More than a pipe holds: such a job ends only if it is read from.
  const auto summary = run({"head -c 150000 /dev/zero; :"}, Words(100, ""), Reader::shell);
  EXPECT_EQ(summary.succeeded, 100);
  EXPECT_EQ(out().size(), 100 * 150'000);
  for (const int file : end) ::close(file);
  while (::wait(nullptr) > 0) {
  }
  ::alarm(0);
}

TEST_F(JobLoopTest, AskedToStopSoonItWaitsAskedAgainItKills) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ASSERT_EQ(::write(ends[1], "x", 1), 1);
  options_.control_file = ends[0];
  int asked = 0;  // the file remains readable, so it is asked again
  options_.control = [&] { return ++asked == 1 ? StopRequest::soon : StopRequest::now; };
  const auto summary = run({"sleep"}, {"1000", "1000", "1000", "1000", "1000"});
  EXPECT_TRUE(summary.interrupted);
  EXPECT_EQ(summary.cancelled, 3);
  EXPECT_TRUE(reports_.front().cancelled);
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace artel::command
