#include "artel/scenario/load_workload_trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include "artel/core/error.hpp"
#include "artel/file/parse_timestamp.hpp"
#include "artel/scenario/workload_trace.hpp"

namespace artel::scenario {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TraceSpec at_and_size() { return {.time_column = "at", .service = "1ms * size"}; }

Result<WorkloadTrace> read(const std::string& text, const TraceSpec& spec = at_and_size()) {
  std::istringstream in(text);
  return read_workload_trace(in, "t.csv", spec);
}

std::string trace_error(const std::string& text, const TraceSpec& spec = at_and_size()) {
  const auto trace = read(text, spec);
  return trace ? "no error" : to_string(trace.error());
}

TEST(WorkloadTrace, ArrivalsCountFromTheFirstRow) {
  const auto trace = read("at,size\n100,5\n100.5,0\n103,2.5\n");
  ASSERT_TRUE(trace);
  EXPECT_THAT(trace->arrivals, ElementsAre(Instant{0ms}, Instant{500ms}, Instant{3s}));
  EXPECT_THAT(trace->services, ElementsAre(5ms, 0ms, 2500us));
}

TEST(WorkloadTrace, ReadsOnlyWhatIsAskedFor) {
  const auto arrivals = read("at,size\n1,x\n2,y\n", {.time_column = "at"});
  ASSERT_TRUE(arrivals);
  EXPECT_EQ(arrivals->arrivals.size(), 2U);
  EXPECT_THAT(arrivals->services, IsEmpty());
  const auto services = read("at,size\nx,1\ny,2\n", {.service = "size"});
  ASSERT_TRUE(services);
  EXPECT_THAT(services->arrivals, IsEmpty());
  EXPECT_THAT(services->services, ElementsAre(1s, 2s));
}

TEST(WorkloadTrace, HasASecondFormula) {
  const auto trace = read("at,size,read\n1,5,2\n2,7,3\n",
                          {.time_column = "at", .service = "size", .join = "10ms * read"});
  ASSERT_TRUE(trace);
  EXPECT_THAT(trace->services, ElementsAre(5s, 7s));
  EXPECT_THAT(trace->joins, ElementsAre(20ms, 30ms));
  EXPECT_EQ(trace_error("size,read\n1,-2\n", {.service = "size", .join = "read"}),
            "t.csv:2: read is -2 s; expected 0 to 1000000000 s");
}

TEST(WorkloadTrace, TrimsBlanksAndReadsQuotes) {
  const auto trace = read(" at , size\r\n \"x\" , 1\r\n", {.service = "size"});
  EXPECT_FALSE(trace) << "a quote after a blank belongs to an unquoted field";
  EXPECT_TRUE(read("\"at\" ,size\n", at_and_size()).error().where == "t.csv:1:5");
  EXPECT_TRUE(read(" at , size\r\n\"7\", 1 \r\n"));
}

TEST(WorkloadTrace, ReadsTheShippedTrace) {
  const auto trace =
      load_workload_trace(ARTEL_SOURCE_DIR "/scenarios/data/azure-llm-code-2023.csv",
                          {.time_column = "TIMESTAMP",
                           .service = "50ms + 0.12ms*ContextTokens + 12ms*GeneratedTokens"});
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_EQ(trace->arrivals.size(), 8819U);
  EXPECT_EQ(trace->arrivals[1], Instant{52ms});
  EXPECT_EQ(trace->arrivals.back(), Instant{3435s + 948'056'000ns});
  EXPECT_EQ(trace->services.front(), 746'960us);
  EXPECT_EQ(trace->services.back(), 50ms + 65'880us + 2076ms);
}

TEST(WorkloadTrace, MissingColumnIsNamedWithTheNearest) {
  EXPECT_EQ(trace_error("tim,Size\n1,2\n"), "t.csv:1: unknown column 'at'; allowed: tim, Size");
  EXPECT_EQ(trace_error("at,Size\n1,2\n"),
            "t.csv:1: unknown column 'size' (did you mean 'Size'?); allowed: at, Size");
  EXPECT_EQ(trace_error("at,size,at\n1,2,3\n"), "t.csv:1: column 'at' is there twice");
}

TEST(WorkloadTrace, TextInANumberHasItsPlace) {
  EXPECT_EQ(trace_error("at,size\n1,2\n2,big\n"),
            "t.csv:3:3: column 'size': found 'big'; expected a number");
  EXPECT_EQ(trace_error("at,size\n1,2\n2,\n"),
            "t.csv:3:3: column 'size': found nothing; expected a number");
  EXPECT_EQ(trace_error("at,size\n1,nan\n"),
            "t.csv:2:3: column 'size': found 'nan'; expected a number");
  EXPECT_EQ(trace_error("at,size\n1,1e999\n"),
            "t.csv:2:3: column 'size': found '1e999'; expected a number");
  EXPECT_EQ(trace_error("at,size\nsoon,2\n",
                        {.time_column = "at", .time_format = file::TimeFormat::seconds}),
            "t.csv:2:1: column 'at': found 'soon'; expected a number of seconds");
}

TEST(WorkloadTrace, TimeMustNotGoBackwards) {
  EXPECT_EQ(trace_error("at,size\n1,2\n3,2\n2.75,2\n"),
            "t.csv:4:1: column 'at': '2.75' is 250 ms before the row above; sort the rows by time");
  EXPECT_TRUE(read("at,size\n1,2\n1,2\n"));
  EXPECT_EQ(
      trace_error("at,size\n9000000000,2\n-9000000000,2\n"),
      "t.csv:3:1: column 'at': '-9000000000' is inf before the row above; sort the rows by time");
  EXPECT_EQ(trace_error("at,size\n-9000000000,2\n9000000000,2\n"),
            "t.csv:3:1: column 'at': the trace is longer than 292 years");
}

TEST(WorkloadTrace, ServiceMustBeATime) {
  EXPECT_EQ(trace_error("at,size\n1,2\n2,-3\n"),
            "t.csv:3: 1ms * size is -0.003 s; expected 0 to 1000000000 s");
  EXPECT_EQ(trace_error("at,size\n1,0\n", {.service = "1 / size"}),
            "t.csv:2: 1 / size is inf s; expected 0 to 1000000000 s");
  EXPECT_EQ(trace_error("at,size\n1,-1\n", {.service = "sqrt(size)"}),
            "t.csv:2: sqrt(size) is not a number; expected 0 to 1000000000 s");
}

TEST(WorkloadTrace, RowsMustFitTheHeader) {
  EXPECT_EQ(trace_error("at,size\n1,2,3\n"), "t.csv:2: found 3 fields; the header has 2");
  EXPECT_EQ(trace_error("at,size\n1\n"), "t.csv:2: found 1 fields; the header has 2");
}

TEST(WorkloadTrace, NeedsAHeaderAndARow) {
  EXPECT_EQ(trace_error(""), "t.csv: the trace is empty; expected a line with column names");
  EXPECT_EQ(trace_error("at,size\n"),
            "t.csv: the trace has a header and no rows; expected at least one");
}

class TraceFile : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(path_); }

  [[nodiscard]] std::string error() const {
    const auto trace = load_workload_trace(path_, at_and_size());
    return trace ? "no error" : to_string(trace.error());
  }

  std::filesystem::path path_ = std::filesystem::path(::testing::TempDir()) /
                                ::testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(TraceFile, MustExist) { EXPECT_EQ(error(), "'" + path_.string() + "' does not exist"); }

TEST_F(TraceFile, MustNotBeADirectory) {
  std::filesystem::create_directories(path_);
  EXPECT_EQ(error(), "'" + path_.string() + "' is a directory; expected a file");
}

TEST_F(TraceFile, MustNotBeADevice) {
  path_ = "/dev/zero";
  EXPECT_EQ(error(), "'/dev/zero' is a device, pipe or socket; expected a regular file");
  path_.clear();
}

TEST_F(TraceFile, AGigabyteIsRefusedUnread) {
  std::ofstream(path_).close();
  ASSERT_EQ(truncate(path_.c_str(), off_t{1} << 30), 0);  // sparse: takes no space
  EXPECT_EQ(error(), "'" + path_.string() + "' has 1073741824 bytes; at most 536870912 are read");
}

}  // namespace
}  // namespace artel::scenario
