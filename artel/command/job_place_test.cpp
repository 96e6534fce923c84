#include "artel/command/job_place.hpp"

#include <gtest/gtest.h>
#include <stdio.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
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

// Takes two jobs, and ends them in the order in which it is told to.
class Place : public JobPlace {
 public:
  Place() { EXPECT_EQ(::pipe(news_.data()), 0); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() override {
    for (const int end : news_) ::close(end);
  }
  [[nodiscard]] int file() const override { return news_[0]; }
  [[nodiscard]] std::size_t room() override { return stopped_ ? 0 : 2 - there_.size(); }
  void start(PlacedJob job) override {
    there_.push_back(std::move(job));
    if (there_.size() == 2 && ends_jobs) tell();
  }
  [[nodiscard]] std::vector<PlacedEnd> take_ends() override {
    char one = 0;
    EXPECT_EQ(::read(news_[0], &one, 1), 1);
    std::vector<PlacedEnd> ends;
    for (; !there_.empty(); there_.pop_back()) {  // the later one first
      ends.push_back({.job = there_.back().job, .out = there_.back().command.back() + '\n'});
    }
    return ends;
  }
  [[nodiscard]] std::optional<Error> failure() override { return std::exchange(problem, {}); }
  void stop(bool now) override {
    stopped_ = true;
    stopped_now = stopped_now || now;
  }
  void tell() const { EXPECT_EQ(::write(news_[1], "x", 1), 1); }

  bool ends_jobs = true;
  bool stopped_now = false;
  std::optional<Error> problem;

 private:
  std::array<int, 2> news_{};
  std::vector<PlacedJob> there_;
  bool stopped_ = false;
};

// Runs four jobs at a place.
class JobPlaceTest : public testing::Test {
 protected:
  JobPlaceTest() : out_(std::tmpfile()) { options_.files = {.out = ::fileno(out_), .err = 2}; }
  ~JobPlaceTest() override { static_cast<void>(std::fclose(out_)); }

  RunSummary run(Place& place) {
    const std::vector<std::string> command{"echo"};
    ListedItems items({"1", "2", "3", "4"});
    return JobLoop(*CommandTemplate::parse(command, Reader::program), items, options_, &place)
        .run();
  }
  [[nodiscard]] std::string out() const {
    std::string all(100, ' ');
    const auto count = ::pread(::fileno(out_), all.data(), all.size(), 0);
    all.resize(static_cast<std::size_t>(count));
    return all;
  }

  std::FILE* out_;
  JobLoopOptions options_;
};

TEST_F(JobPlaceTest, JobsElsewherePrintInOrder) {
  Place place;
  const auto summary = run(place);
  EXPECT_EQ(summary.succeeded, 4);
  EXPECT_EQ(out(), "1\n2\n3\n4\n");
}

TEST_F(JobPlaceTest, LinesGetTheirTagHere) {
  Place place;
  options_.tag = [](std::uint64_t job, auto /*items*/) { return std::to_string(job) + ':'; };
  run(place);
  EXPECT_EQ(out(), "1:1\n2:2\n3:3\n4:4\n");
}

TEST_F(JobPlaceTest, NobodyWaitsForJobsElsewhereAfterAStop) {
  Place place;
  place.ends_jobs = false;
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ASSERT_EQ(::write(ends[1], "x", 1), 1);
  options_.control_file = ends[0];
  options_.control = [] { return StopRequest::now; };
  const auto summary = run(place);
  EXPECT_TRUE(summary.interrupted);
  EXPECT_TRUE(place.stopped_now);
  EXPECT_EQ(summary.cancelled, 2);
  for (const int end : ends) ::close(end);
}

TEST_F(JobPlaceTest, APlaceThatFailsEndsTheRun) {
  Place place;
  place.problem = Error{ErrorCode::io, "gone", ""};
  place.ends_jobs = false;
  place.tell();
  const auto summary = run(place);
  EXPECT_EQ(summary.failure.value_or(Error{}).what, "gone");
}

}  // namespace
}  // namespace artel::command
