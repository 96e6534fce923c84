#include "artel/logs/load_log.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zconf.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <sstream>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/file/open_file.hpp"
#include "artel/logs/load_logs.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/logs/read_log.hpp"
#include "artel/trace/task_trace.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/trace/encode_trace.hpp"

namespace artel::logs {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string gzipped(const std::string& text) {
  z_stream state{};
  deflateInit2(&state, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&state, text.size()) + 64, '\0');
  auto plain = text;
  state.next_in = reinterpret_cast<Bytef*>(plain.data());
  state.avail_in = static_cast<uInt>(plain.size());
  state.next_out = reinterpret_cast<Bytef*>(packed.data());
  state.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&state, Z_FINISH), Z_STREAM_END);
  packed.resize(state.total_out);
  deflateEnd(&state);
  return packed;
}

std::string zstandard(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

class LoadLog : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& text) {
    std::ofstream(folder_.path() / "a.log", std::ios::binary) << text;
    return folder_.path() / "a.log";
  }

  // More than any buffer holds.
  static std::string lines(int count) {
    std::string text;
    for (int i = 0; i < count; ++i)
      text += fmt::format("{}.{:03} 200 0.{:03}\n", 1790000000 + i / 100, i % 100 * 10, i % 97);
    return text;
  }

  static constexpr int kMany = 20'000;
  TemporaryFolder folder_;
  LogOptions options_{.log_format = "$msec $status $request_time"};
};

TEST_F(LoadLog, PackedFilesAreReadLikePlainOnes) {
  const auto text = lines(kMany);
  const auto plain = load_log(write(text), options_);
  ASSERT_TRUE(plain);
  ASSERT_EQ(plain->trace.tasks.size(), std::size_t{kMany});
  const auto half = text.find('\n', text.size() / 2) + 1;
  for (const auto& packed :
       {gzipped(text), zstandard(text), gzipped(text.substr(0, half)) + gzipped(text.substr(half)),
        zstandard(text.substr(0, half)) + zstandard(text.substr(half))}) {
    const auto loaded = load_log(write(packed), options_);
    ASSERT_TRUE(loaded);
    EXPECT_TRUE(loaded->trace.damage.empty());
    EXPECT_EQ(loaded->trace.tasks, plain->trace.tasks);
  }
}

TEST_F(LoadLog, AByteOrderMarkIsNotOfTheText) {
  const std::string mark = "\xEF\xBB\xBF";
  const auto tasks = [&](const std::string& text, const LogOptions& options) {
    const auto loaded = load_log(write(text), options);
    EXPECT_TRUE(loaded) << to_string(loaded.error());
    if (!loaded) return trace::TaskTrace{}.tasks;
    EXPECT_EQ(loaded->reading.value_or(LogReading{}).bad, 0U);
    return loaded->trace.tasks;
  };
  const LogOptions json{.columns = {{"finished", "at"}, {"response", "took"}}};
  const std::string objects =
      "{\"at\": 1790000001, \"took\": 1}\n{\"at\": 1790000002, \"took\": 2}\n";
  const std::string csv = "submitted,response\n0,1\n1,2\n";
  for (const auto& [text, options] : {std::pair{lines(5), options_},
                                      {objects, json},
                                      {csv, LogOptions{.class_by = "response"}}}) {
    const auto plain = tasks(text, options);
    EXPECT_GT(plain.size(), 1U);
    EXPECT_EQ(tasks(mark + text, options), plain);
    EXPECT_EQ(tasks(gzipped(mark + text), options), plain);
  }
  EXPECT_FALSE(
      load_log(write(mark), options_).value_or(LoadedLog{}).reading.value_or(LogReading{}).tasks);
}

TEST_F(LoadLog, PackedFilesThatAreCutOffSaySo) {
  for (const auto& packed : {gzipped(lines(kMany)), zstandard(lines(kMany))}) {
    const auto loaded = load_log(write(packed.substr(0, packed.size() / 2)), options_);
    ASSERT_TRUE(loaded);
    ASSERT_EQ(loaded->trace.damage.size(), 1U);
    EXPECT_THAT(to_string(loaded->trace.damage[0]), HasSubstr("the packed file is cut off here"));
    EXPECT_GT(loaded->trace.tasks.size(), 0U);
  }
}

TEST_F(LoadLog, APipeIsReadLikeAFile) {
  const auto plain = load_log(write(lines(kMany)), options_);
  const auto pipe = folder_.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const auto fed = [&](const auto& reads) {
    std::jthread feeds([&] { std::ofstream(pipe, std::ios::binary) << gzipped(lines(kMany)); });
    return reads();
  };
  const auto loaded = fed([&] { return load_log(pipe, options_); });
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->trace.tasks, plain->trace.tasks);
  const auto to = folder_.path() / "a.trace";
  ASSERT_TRUE(fed([&] { return convert_log(pipe, options_, to); }));
  EXPECT_EQ(load_log(to)->trace.tasks, plain->trace.tasks);
}

// A pipe that gives these bytes, for ever, to whoever reads it.
class EndlessPipe {
 public:
  EndlessPipe(const std::filesystem::path& path, std::string bytes) : bytes_(std::move(bytes)) {
    EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0);
    pipe_ = file::OpenFile(::open(path.c_str(), O_RDWR | O_NONBLOCK));  // so no write ends us
    feeder_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested())
        if (::write(pipe_.get(), bytes_.data(), bytes_.size()) <= 0) std::this_thread::yield();
    });
  }

 private:
  std::string bytes_;
  file::OpenFile pipe_;
  std::jthread feeder_;
};

TEST_F(LoadLog, StopEndsItWhateverAPipeGives) {
  const EndlessPipe much(folder_.path() / "much", lines(100));
  const EndlessPipe nothing(folder_.path() / "nothing", "");
  const auto nobody = folder_.path() / "nobody";
  ASSERT_EQ(::mkfifo(nobody.c_str(), 0600), 0);
  const auto to = folder_.path() / "a.trace";
  for (const char* const name : {"much", "nothing", "nobody"}) {
    const auto stopped = [&](const auto& reads) {
      std::stop_source stop;
      options_.stop = stop.get_token();
      const std::jthread stops([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        stop.request_stop();
      });
      const auto read = reads(folder_.path() / name);
      return !read && read.error().code == ErrorCode::cancelled;
    };
    EXPECT_TRUE(stopped([&](const auto& pipe) { return load_log(pipe, options_); })) << name;
    EXPECT_TRUE(stopped([&](const auto& pipe) { return convert_log(pipe, options_, to); })) << name;
    EXPECT_FALSE(std::filesystem::exists(to));
  }
}

TEST_F(LoadLog, StopEndsTheReadersOfFiles) {
  std::string csv = "submitted,service\n";
  for (int i = 0; i < kMany; ++i) csv += fmt::format("{},1\n", i);
  for (const auto& text : {lines(kMany), gzipped(lines(kMany)), csv}) {
    std::stop_source stop;
    auto options = text == csv ? LogOptions{} : options_;
    options.stop = stop.get_token();
    options.progress = [&](std::uint64_t, std::uint64_t) { stop.request_stop(); };
    const auto loaded = load_log(write(text), options);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(to_string(loaded.error()), (folder_.path() / "a.log").string() + ": stopped");
  }
}

TEST_F(LoadLog, StopEndsTheReaderOfAStream) {
  std::istringstream in(lines(kMany));
  std::stop_source stop;
  options_.stop = stop.get_token();
  std::size_t tasks = 0;
  const auto reading = read_log(in, "a.log", options_, [&](const trace::TaskRecord&) {
    ++tasks;
    stop.request_stop();
  });
  ASSERT_FALSE(reading);
  EXPECT_EQ(reading.error().code, ErrorCode::cancelled);
  EXPECT_LT(tasks, std::size_t{kMany});
}

TEST_F(LoadLog, ProgressIsInBytesOfAllFiles) {
  std::vector<std::filesystem::path> files;
  std::uint64_t bytes = 0;
  for (const auto& text : {lines(kMany), gzipped(lines(kMany))}) {
    files.push_back(folder_.path() / fmt::format("{}.log", files.size()));
    std::ofstream(files.back(), std::ios::binary) << text;
    bytes += text.size();
  }
  std::vector<std::uint64_t> seen;
  options_.progress = [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_EQ(total, bytes);
    seen.push_back(done);
  };
  ASSERT_TRUE(load_logs(files, options_));
  EXPECT_GT(seen.size(), 3U);
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  EXPECT_EQ(seen.back(), bytes);
}

// Of workers "b" or "c", one a second from then on.
std::string named(int second, const char* workers) {
  std::string text = "finished,response,worker\n";
  for (; *workers != '\0'; ++workers)
    text += fmt::format("{},0.5,{}\n", 1790000000 + second++, *workers);
  return text;
}

TEST_F(LoadLog, SeveralLogsAreOneByTimeAndWorkersOfOneNameAreOne) {
  const auto put = [&](const char* name, const std::string& text) {
    std::ofstream(folder_.path() / name, std::ios::binary) << text;
    return folder_.path() / name;
  };
  const std::vector files{put("a.log", named(10, "bcb")), put("a.log.1", gzipped(named(0, "cd")))};
  options_ = {
      .columns = {{"finished", "finished"}, {"response", "response"}, {"worker", "worker"}}};
  const auto loaded = load_logs(files, options_);
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  std::vector<std::size_t> workers;
  for (const auto& task : loaded->trace.tasks) workers.push_back(index(task.worker));
  EXPECT_THAT(workers, ElementsAre(1, 2, 0, 1, 0));  // numbered as they are read: b, c, d
  EXPECT_TRUE(loaded->reading.value_or(LogReading{}).overlaps.empty());
  EXPECT_THAT(loaded->reading.value_or(LogReading{}).summary(),
              HasSubstr("CSV in 2 files, 5 tasks"));
  const auto to = folder_.path() / "a.trace";
  ASSERT_TRUE(convert_log(files, options_, to));
  EXPECT_EQ(load_log(to)->trace.tasks, loaded->trace.tasks);

  put("a.log.1", named(11, "dd"));
  const auto both = load_logs(files, options_);
  EXPECT_EQ(both->reading.value_or(LogReading{}).overlaps.size(), 1U);
  EXPECT_THAT(both->reading.value_or(LogReading{}).notes(),
              Contains(HasSubstr("how far these differ is not known")));
  EXPECT_THAT(to_string(load_logs(std::vector{files[0], to}, options_).error()),
              HasSubstr("several files are read together if all of them are logs"));
}

TEST_F(LoadLog, ATraceHasNoFieldsToAskFor) {
  const auto to = folder_.path() / "a.trace";
  ASSERT_TRUE(convert_log(write(lines(9)), options_, to));
  const auto loaded = load_log(to, {.where = {{"a", "b"}}});
  ASSERT_FALSE(loaded);
  EXPECT_THAT(to_string(loaded.error()), HasSubstr("--where: goes with a log"));
}

TEST_F(LoadLog, ATraceMadeOfALogHoldsWhatTheLogDoes) {
  const auto path = write(gzipped(lines(kMany)));
  const auto trace = folder_.path() / "a.trace";
  const auto converted = convert_log(path, options_, trace);
  ASSERT_TRUE(converted);
  ASSERT_TRUE(converted->has_value());
  EXPECT_EQ(converted->value_or(LogReading{}).tasks, std::uint64_t{kMany});
  const auto direct = load_log(path, options_);
  const auto again = load_log(trace);
  ASSERT_TRUE(direct);
  ASSERT_TRUE(again);
  EXPECT_FALSE(again->reading);
  EXPECT_TRUE(again->trace.complete);
  EXPECT_EQ(again->trace.tasks, direct->trace.tasks);
  EXPECT_EQ(again->trace.header.settings, direct->trace.header.settings);
  EXPECT_FALSE(again->trace.header.starts_known());
  EXPECT_TRUE(again->trace.header.responses_known());
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_F(LoadLog, ATraceOfATraceHoldsAllThatItDid) {
  trace::TaskTrace whole;
  for (int i = 0; i < 3000; ++i) {
    const Instant at{Duration{i * 1000}};
    whole.tasks.push_back(
        {.submitted = at, .bound = at, .started = at, .finished = at + Duration{7}});
    if (i % 2 == 0) whole.tasks.back().patience = Duration{500 + i};
  }
  whole.sizes = {{Instant{Duration{0}}, 2}, {Instant{Duration{9000}}, 5}};
  const auto bytes = trace::encode_trace(whole);
  const auto from = write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const auto to = folder_.path() / "copy.trace";
  ASSERT_TRUE(convert_log(from, {}, to));
  const auto copied = load_log(to);
  ASSERT_TRUE(copied);
  EXPECT_EQ(copied->trace.tasks, whole.tasks);
  EXPECT_EQ(copied->trace.sizes, whole.sizes);
}

TEST_F(LoadLog, AConversionThatFailsLeavesWhatWasThere) {
  const auto trace = folder_.path() / "a.trace";
  std::ofstream(trace) << "of yesterday";
  const auto packed = gzipped(lines(kMany));
  EXPECT_FALSE(convert_log(write(packed.substr(0, packed.size() / 2)), options_, trace));
  EXPECT_TRUE(bytes_of(trace) == "of yesterday");
  ASSERT_TRUE(convert_log(write(packed), options_, trace));
  const auto whole = bytes_of(trace);
  auto damaged = whole;
  damaged[whole.size() / 2] = static_cast<char>(~damaged[whole.size() / 2]);
  EXPECT_FALSE(convert_log(write(damaged), {}, trace)) << "what a trace lost is not hidden";
  EXPECT_TRUE(bytes_of(trace) == whole);
  using std::filesystem::directory_iterator;
  EXPECT_EQ(std::distance(directory_iterator(folder_.path()), directory_iterator{}), 2);
}

TEST_F(LoadLog, ALogIsNotReplacedByItsOwnTrace) {
  const auto text = lines(100);
  const auto path = write(text);
  const auto other_name = folder_.path() / "link";
  std::filesystem::create_symlink(path, other_name);
  for (const auto& to : {path, other_name}) {
    const auto converted = convert_log(path, options_, to);
    ASSERT_FALSE(converted);
    EXPECT_THAT(to_string(converted.error()), HasSubstr("this is the log itself"));
    EXPECT_TRUE(bytes_of(path) == text);
  }
}

TEST_F(LoadLog, ReadsWhatWasReadBefore) {
  const auto csv = load_log(write("submitted,service\n0,1.5\n0.5,2\n"));
  ASSERT_TRUE(csv);
  EXPECT_EQ(csv->trace.tasks.size(), 2U);
  EXPECT_EQ(csv->trace.header.setting("source"), "csv");
  const auto job_log =
      load_log(write("Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand\n"
                     "1\t:\t1700000000.000\t     1.000\t0\t6\t0\t0\techo\n"));
  ASSERT_TRUE(job_log);
  EXPECT_EQ(job_log->trace.header.setting("source"), "job log");
  EXPECT_THAT(to_string(load_log(write("arrival,service\n0,1\n")).error()),
              HasSubstr("unknown column 'submitted'"));
}

TEST_F(LoadLog, CsvInOwnColumnsNeedsNoNamesToBeFollowed) {
  const auto options = with_own_columns({}, "id,finished,response,region\n1,3,0.5,west\n");
  EXPECT_EQ(options.format, "columns");
  EXPECT_EQ(options.columns.size(), 2U);
  EXPECT_EQ(options.columns.count("response"), 1U);
  std::istringstream in("id,finished,response,region\n1,3,0.5,west\n");
  std::size_t tasks = 0;
  EXPECT_TRUE(read_log(in, "a.csv", options, [&](const auto& task) {
    ++tasks;
    EXPECT_EQ(task.response(), std::chrono::milliseconds(500));
  }));
  EXPECT_EQ(tasks, 1U);
  EXPECT_EQ(with_own_columns({.format = "columns"}, "finished,response\n").columns.size(), 2U);
  // What says otherwise, or does not say when, stays as it is.
  EXPECT_EQ(with_own_columns({.format = "json"}, "finished,response\n").format, "json");
  EXPECT_TRUE(with_own_columns({}, "response,service\n1,2\n").format.empty());
  EXPECT_TRUE(with_own_columns({}, "{\"finished\": 3}\n").columns.empty());
}

TEST_F(LoadLog, MoreTasksThanAllowedAreRefused) {
  EXPECT_THAT(to_string(load_log(write(lines(100)), options_, {.tasks = 99}).error()),
              HasSubstr("more than 99 tasks"));
}

}  // namespace
}  // namespace artel::logs
