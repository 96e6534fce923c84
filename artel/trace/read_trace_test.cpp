#include "artel/trace/read_trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/trace/detail/put_varint.hpp"
#include "artel/trace/task_block.hpp"
#include "artel/trace/task_trace.hpp"
#include "tests/trace/encode_trace.hpp"

namespace artel::trace {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Instant at(std::int64_t ns) { return Instant{Duration{ns}}; }

TaskTrace small_trace() {
  TaskTrace trace;
  trace.header = {.started = at(1'000),
                  .wall = Duration{1'700'000'000'000'000'000},
                  .loop = Loop::open,
                  .settings = {{"policy", "jsq(d=2; busyness=queued)"}, {"pool.workers", "2"}}};
  trace.tasks = {
      {.submitted = at(1'100),
       .bound = at(1'100),
       .started = at(1'300),
       .finished = at(2'300),
       .worker = WorkerId{0},
       .queued_worker = 3},
      {.submitted = at(1'150),
       .bound = at(1'400),
       .started = at(1'500),
       .finished = at(9'500),
       .size = Duration{8'000},
       .worker = WorkerId{1},
       .outcome = TaskOutcome::failed,
       .priority = 0,
       .queued_common = 200},
      {.submitted = at(1'160),
       .bound = at(1'160),
       .started = at(1'160),
       .finished = at(1'160),
       .outcome = TaskOutcome::rejected},
  };
  trace.dropped = 5;
  return trace;
}

// `blocks` full blocks and a bit.
TaskTrace long_trace(std::size_t blocks) {
  TaskTrace trace = small_trace();
  trace.tasks.clear();
  std::size_t bytes = 0;
  for (std::int64_t i = 0; bytes < blocks * TaskBlock::kBytes; ++i) {
    trace.tasks.push_back({.submitted = at(2'000 + i * 1'000),
                           .bound = at(2'000 + i * 1'000),
                           .started = at(2'500 + i * 1'000),
                           .finished = at(3'500 + i * 1'000),
                           .worker = WorkerId{0}});
    bytes += 8;
  }
  return trace;
}

std::string hex(std::span<const std::byte> bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : bytes) {
    text += kDigits[std::to_integer<unsigned>(byte) >> 4U];
    text += kDigits[std::to_integer<unsigned>(byte) & 15U];
  }
  return text;
}

TEST(Varint, TakesWhatItPut) {
  for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128},
                                    std::uint64_t{1} << 63U, ~std::uint64_t{0}}) {
    std::array<std::byte, detail::kVarintBytesMax> bytes{};
    const auto* const end = detail::put_varint(bytes.data(), value);
    std::span<const std::byte> rest(std::as_const(bytes).data(), end);
    EXPECT_EQ(detail::take_varint(rest), value);
    EXPECT_TRUE(rest.empty());
    std::span<const std::byte> cut(std::as_const(bytes).data(), end - 1);
    EXPECT_EQ(detail::take_varint(cut), std::nullopt);
  }
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1},
        std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    EXPECT_EQ(detail::unfolded(detail::folded(value)), value);
  }
  EXPECT_EQ(detail::folded(-1), 1U);
}

TEST(Varint, RefusesMoreThan64Bits) {
  std::vector<std::byte> bytes(9, std::byte{0xFF});
  bytes.push_back(std::byte{2});
  std::span<const std::byte> rest(bytes);
  EXPECT_EQ(detail::take_varint(rest), std::nullopt);
}

// If this test fails, files that were recorded with version 1 cannot be read any more: make
// another version instead.
TEST(TraceFormat, VersionOneIsPinnedByteByByte) {
  EXPECT_EQ(hex(encode_trace(small_trace())),
            "89617274656c0d0a0100000000000000a7626c6b010000005600000004000000e803000000000000"
            "0000000000000000a4857fb5ca0750f0046c6f6f70046f70656e06706f6c696379196a737128643d"
            "323b20627573796e6573733d717565756564290c706f6f6c2e776f726b65727301320777616c6c5f"
            "6e731331373030303030303030303030303030303030a7626c6b020000001b000000030000004c04"
            "00000000000005000000000000006b3ed927450e5dde0000c801e80703f96402fa0164c03ec03e00"
            "00c8010c1400000000a7626c6b0300000000000000000000001c2500000000000005000000000000"
            "0000000000da1fc0e9");
}

TEST(TraceReader, GivesBackWhatWasWritten) {
  const TaskTrace written = small_trace();
  const auto read = read_trace(encode_trace(written), "x.trace");
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(read->header, written.header);
  EXPECT_EQ(read->tasks, written.tasks);
  EXPECT_EQ(read->dropped, 5U);
  EXPECT_TRUE(read->complete);
  EXPECT_TRUE(read->damage.empty());
}

TEST(TraceReader, ReadsBlocksInAnyOrderOfTasks) {
  TaskTrace written = long_trace(3);
  std::swap(written.tasks.front(), written.tasks.back());
  const auto read = read_trace(encode_trace(written), "x.trace");
  ASSERT_TRUE(read);
  std::swap(written.tasks.front(), written.tasks.back());
  EXPECT_EQ(read->tasks, written.tasks);
}

TEST(TraceReader, UsesWhatATruncatedFileHasAndSaysWhereItEnds) {
  const TaskTrace written = long_trace(2);
  const auto bytes = encode_trace(written);
  const auto cut = std::span<const std::byte>(bytes).first(bytes.size() - 60);
  const auto read = read_trace(cut, "x.trace");
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->complete);
  EXPECT_GT(read->tasks.size(), written.tasks.size() / 2);
  EXPECT_LT(read->tasks.size(), written.tasks.size());
  ASSERT_EQ(read->damage.size(), 1U);
  EXPECT_THAT(read->damage[0].where, HasSubstr("x.trace:byte "));
  EXPECT_THAT(read->damage[0].what, HasSubstr("the file is cut off in a block of "));
}

TEST(TraceReader, AFileWithoutAnEndIsIncompleteButSound) {
  TaskTrace written = small_trace();
  written.complete = false;
  const auto read = read_trace(encode_trace(written), "x.trace");
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->complete);
  EXPECT_TRUE(read->damage.empty());
  EXPECT_EQ(read->tasks, written.tasks);
}

TEST(TraceReader, SkipsABrokenBlockAndReadsOnBehindIt) {
  const TaskTrace written = long_trace(3);
  auto bytes = encode_trace(written);
  bytes[bytes.size() / 2] ^= std::byte{0x10};
  const auto read = read_trace(bytes, "x.trace");
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->complete);
  EXPECT_EQ(read->tasks.front(), written.tasks.front());
  EXPECT_EQ(read->tasks.back(), written.tasks.back());
  EXPECT_LT(read->tasks.size(), written.tasks.size());
  ASSERT_EQ(read->damage.size(), 1U);
  EXPECT_THAT(read->damage[0].what, HasSubstr("tasks is broken; "));
}

RC_GTEST_PROP(TraceReader, NeverReadsAChangedByteAsIfNothingWere, (std::uint8_t flip)) {
  static const std::vector<std::byte> whole = encode_trace(small_trace());
  RC_PRE(flip != 0);
  auto bytes = whole;
  bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] ^= static_cast<std::byte>(flip);
  const auto read = read_trace(bytes, "x.trace");
  RC_ASSERT(!read || !read->damage.empty());
}

TaskTrace trace_of_classes() {
  auto trace = small_trace();
  trace.header.classes = {"GET /", "POST /pay, \"now\"", "(other)"};
  trace.tasks[0].task_class = 2;
  trace.tasks[2].task_class = 1;
  return trace;
}

TEST(TraceReader, ClassesOfTasksComeBack) {
  const auto written = trace_of_classes();
  const auto read = read_trace(encode_trace(written), "x.trace");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->tasks, written.tasks);
  EXPECT_EQ(read->header, written.header);
}

TEST(TraceReader, ATraceWithoutClassesIsWrittenAsBefore) {
  auto trace = small_trace();
  const auto before = encode_trace(trace);
  trace.tasks[0].task_class = 2;  // of what the header does not know
  EXPECT_TRUE(encode_trace(trace) == before);
}

TEST(TraceReader, WithoutTheirBlockTasksAreOfTheFirstClass) {
  const auto written = trace_of_classes();
  auto bytes = encode_trace(written);
  // Behind the tasks; an unknown kind is what a reader without classes sees.
  for (std::size_t at = kPrologueBytes; at < bytes.size();) {
    const auto found = read_head(std::span(bytes).subspan(at));
    ASSERT_TRUE(found);
    auto head = found.value_or(BlockHead{});
    if (head.kind == BlockKind::classes) {
      head.kind = static_cast<BlockKind>(77);
      put_head(std::span(bytes).subspan(at).first<kBlockHeadBytes>(), head);
    }
    at += kBlockHeadBytes + head.bytes;
  }
  const auto read = read_trace(bytes, "x.trace");
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->damage.empty());
  for (const auto& task : read->tasks) EXPECT_EQ(task.task_class, 0);
}

TEST(TraceReader, AClassThatHasNoNameIsNoClass) {
  auto trace = trace_of_classes();
  trace.tasks[1].task_class = 3;
  const auto read = read_trace(encode_trace(trace), "x.trace");
  ASSERT_TRUE(read);
  for (const auto& task : read->tasks) EXPECT_LT(task.task_class, 3);
}

TEST(TraceReader, NamesOfClassesArePrintableWhoeverWroteThem) {
  auto trace = trace_of_classes();
  trace.header.classes[0] = "a\x1b[31m\nb";
  const auto read = read_trace(encode_trace(trace), "x.trace");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->header.classes[0], "a\\x1B[31m\\x0Ab");
}

TEST(TaskTrace, NamesOfClassesArePrintable) {
  EXPECT_EQ(class_name(" GET /käse?x=1 "), "GET /käse?x=1");
  EXPECT_EQ(class_name("a\tb\x7F"), "a\\x09b\\x7F");
  EXPECT_EQ(class_name("\xFF\xC3"), "\\xFF\\xC3");
  EXPECT_EQ(class_name("\xE2\x80\xAE"), "\\xE2\\x80\\xAE") << "what turns the line around";
  EXPECT_EQ(class_name("\xC0\x8A"), "\\xC0\\x8A") << "a line feed in two bytes";
  EXPECT_EQ(class_name("\xC2\x9B"), "\\xC2\\x9B") << "a terminal's control sequence";
  const auto cut = class_name(std::string(500, 'x'));
  EXPECT_EQ(cut, std::string(80, 'x') + "…");
  for (const auto& name : {cut, class_name("a\x01"), class_name(std::string(79, 'x') + "äö")})
    EXPECT_EQ(class_name(name), name);
}

TEST(TraceReader, RefusesWhatIsNoTrace) {
  const auto refusal = [](std::vector<std::byte> bytes, const TraceLimits& limits = {}) {
    const auto read = read_trace(bytes, "x.trace", limits);
    return read ? "none" : to_string(read.error());
  };
  EXPECT_EQ(refusal({}), "x.trace:byte 0: this is not a trace recorded by artel");
  auto bytes = encode_trace(small_trace());
  bytes[8] = std::byte{2};
  EXPECT_EQ(refusal(bytes),
            "x.trace:byte 8: found another version of the format; this program reads version 1");
  bytes = encode_trace(small_trace());
  bytes[60] ^= std::byte{1};
  EXPECT_EQ(refusal(bytes), "x.trace:byte 16: the header of the trace is broken or cut off");
  bytes = encode_trace(small_trace());
  EXPECT_EQ(refusal({bytes.begin(), bytes.begin() + 12}),
            "x.trace:byte 12: the file is cut off in its first bytes");
  EXPECT_EQ(refusal(bytes, {.bytes = 100}),
            "x.trace: has " + std::to_string(bytes.size()) + " bytes; at most 100 are read");
  EXPECT_EQ(refusal(bytes, {.tasks = 2}), "x.trace: more than 2 tasks");
}

TEST(TraceReader, GivesUpOnAFileThatIsAllBroken) {
  auto bytes = encode_trace(long_trace(8));
  for (std::size_t i = 5'000; i < bytes.size(); i += TaskBlock::kBytes) bytes[i] ^= std::byte{1};
  EXPECT_TRUE(read_trace(bytes, "x.trace"));
  EXPECT_FALSE(read_trace(bytes, "x.trace", {.damages = 3}));
}

TEST(TaskTrace, TasksMustAscendInTime) {
  EXPECT_TRUE(plausible({}));
  EXPECT_FALSE(plausible({.submitted = at(1)}));
  EXPECT_FALSE(plausible({.submitted = Instant::max(),
                          .bound = Instant::max(),
                          .started = Instant::max(),
                          .finished = Instant::max()}));
  EXPECT_FALSE(plausible({.finished = at(0) + TaskRecord::kStepMax + Duration{1}}));
}

TEST(TaskTrace, NamesReadBack) {
  for (const auto outcome : {TaskOutcome::done, TaskOutcome::rejected}) {
    EXPECT_EQ(find_task_outcome(name(outcome)), outcome);
  }
  EXPECT_EQ(find_loop(name(Loop::closed)), Loop::closed);
  EXPECT_EQ(find_loop("ajar"), std::nullopt);
}

}  // namespace
}  // namespace artel::trace
