#include "artel/logs/detail/class_names.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/logs/load_log.hpp"
#include "artel/logs/load_logs.hpp"
#include "artel/logs/log_format.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/logs/read_log.hpp"
#include "artel/trace/task_trace.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::logs::detail {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

std::string path_of(std::string_view value) {
  std::string room;
  return std::string(class_part(value, ClassPart::path, room));
}

TEST(ClassPart, PathsLoseTheirQueryAndWhatIsOfOneThingAlone) {
  EXPECT_EQ(path_of("GET /a/b?user=ada&token=1 HTTP/1.1"), "/a/b");
  EXPECT_EQ(path_of("/users/17/orders/3fa85f64-5717-4562-b3fc-2c963f66afa6;v=1"),
            "/users/*/orders/*");
  EXPECT_EQ(path_of("GET /v2/face/cafe HTTP/2.0"), "/v2/face/cafe");
  EXPECT_EQ(path_of("{|} \"POST /pay/ HTTP/1.1\""), "/pay/");
  EXPECT_EQ(path_of("/"), "/");
  EXPECT_EQ(path_of("-"), "-");
  EXPECT_EQ(path_of(""), "");
}

TEST(ClassPart, MethodsAreTheFirstWordOfTheRequest) {
  std::string room;
  EXPECT_EQ(class_part("GET /a HTTP/1.1", ClassPart::method, room), "GET");
  EXPECT_EQ(class_part("1/0 0/0 \"PUT /a HTTP/1.1\"", ClassPart::method, room), "PUT");
  EXPECT_EQ(class_part("nonsense", ClassPart::method, room), "");
}

class ClassBy : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& text, const std::string& name = "a.log") {
    std::ofstream(folder_.path() / name, std::ios::binary) << text;
    return folder_.path() / name;
  }
  static std::string nginx(std::string_view request, int second, int status = 200) {
    return fmt::format(
        "203.0.113.9 - ada [10/Oct/2026:13:{:02}:{:02} +0200] \"{}\" {} 5 \"-\" \"curl\" 0.010\n",
        second / 60, second % 60, request, status);
  }
  // Tasks by the name of their class.
  static std::map<std::string, int> counts(const trace::TaskTrace& trace) {
    std::map<std::string, int> found;
    for (const auto& task : trace.tasks) ++found[trace.header.classes.at(task.task_class)];
    return found;
  }
  static std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  TemporaryFolder folder_;
};

TEST_F(ClassBy, APathNamesTheClassOfARequest) {
  std::string text;
  for (int i = 0; i < 60; ++i)
    text += nginx(fmt::format("GET {}?u=ada HTTP/1.1", i % 3 == 0 ? "/cart" : "/item/7"), i);
  const auto loaded = load_log(write(text), {.class_by = "path"});
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  EXPECT_THAT(counts(loaded->trace), UnorderedElementsAre(Pair("/cart", 20), Pair("/item/*", 40)));
  EXPECT_THAT(loaded->trace.header.classes, ElementsAre("/item/*", "/cart")) << "the most first";
  EXPECT_THAT(loaded->reading.value_or(LogReading{}).notes(),
              Contains(HasSubstr("the values of path are kept, as names of 2 classes")));
  EXPECT_EQ(loaded->trace.header.setting("class_by"), "path");
}

TEST_F(ClassBy, WhatNobodyAsksForIsNotKept) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += nginx("GET /secret/ada HTTP/1.1", i);
  const auto log = write(text);
  const auto to = folder_.path() / "a.trace";
  const std::vector<LogOptions> all{{}, {.class_by = "method"}, {.class_by = "status"}};
  for (const auto& options : all) {
    ASSERT_TRUE(convert_log(log, options, to));
    const auto bytes = bytes_of(to);
    for (const auto* word : {"secret", "ada", "203.0.113.9", "curl"})
      EXPECT_THAT(bytes, Not(HasSubstr(word))) << options.class_by;
  }
  const auto loaded = load_log(log);
  ASSERT_TRUE(loaded);
  EXPECT_TRUE(loaded->trace.header.classes.empty());
}

TEST_F(ClassBy, ATraceKeepsTheClassesThatItsLogHad) {
  std::string text;
  for (int i = 0; i < 3000; ++i)
    text += nginx(i % 7 == 0 ? "POST /b HTTP/1.1" : "GET /b HTTP/1.1", i);
  const auto log = write(text);
  const auto to = folder_.path() / "a.trace";
  ASSERT_TRUE(convert_log(log, {.class_by = "method"}, to));
  const auto direct = load_log(log, {.class_by = "method"});
  const auto again = load_log(to);
  ASSERT_TRUE(direct);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->trace.tasks, direct->trace.tasks);
  EXPECT_EQ(again->trace.header.classes, direct->trace.header.classes);
  EXPECT_THAT(counts(again->trace), UnorderedElementsAre(Pair("GET", 2571), Pair("POST", 429)));
  // And a trace made of the trace.
  const auto copy = folder_.path() / "b.trace";
  ASSERT_TRUE(convert_log(to, {}, copy));
  const auto copied = load_log(copy);
  ASSERT_TRUE(copied);
  EXPECT_EQ(copied->trace.tasks, again->trace.tasks);
  EXPECT_EQ(copied->trace.header, again->trace.header);
  EXPECT_THAT(to_string(load_log(to, {.class_by = "method"}).error()),
              HasSubstr("--class-by: goes with a log"));
}

TEST_F(ClassBy, WhatIsBeyondTheLimitIsOneClass) {
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    const int kind = i % 100;
    text +=
        nginx(fmt::format("GET /{} HTTP/1.1", kind < 50 ? "often" : fmt::format("p{}x", kind)), i);
  }
  const auto loaded = load_log(write(text), {.class_by = "path"});
  ASSERT_TRUE(loaded);
  const auto& names = loaded->trace.header.classes;
  ASSERT_EQ(names.size(), trace::kTaskClassesMax);
  EXPECT_EQ(names.front(), "/often");
  EXPECT_EQ(names.back(), "(other)");
  const auto found = counts(loaded->trace);
  EXPECT_EQ(found.at("/often"), 500);
  EXPECT_EQ(found.at("(other)"), 500 - 30 * 10);
  EXPECT_THAT(loaded->reading.value_or(LogReading{}).notes(),
              Contains(HasSubstr("32 classes: of the 51 that there are those of most tasks")));
}

TEST_F(ClassBy, MoreValuesThanNumbersAreOneClassToo) {
  ClassNames names;
  std::vector<ClassCount> classes;
  for (int i = 0; i < 70'000; ++i) {
    const auto number = names.number(fmt::format("v{}", i), classes);
    ASSERT_LT(number, classes.size());
    ++classes[number].tasks;
  }
  EXPECT_EQ(classes.size(), 65'536U);
  EXPECT_EQ(classes.back().name, "(other)");
  EXPECT_EQ(classes.back().tasks, 70'000U - 65'535U);
}

TEST_F(ClassBy, SeveralLogsHaveOneListOfClasses) {
  std::string first, second;
  for (int i = 0; i < 40; ++i)
    first += nginx(i % 4 == 0 ? "GET /a HTTP/1.1" : "GET /b HTTP/1.1", i);
  for (int i = 100; i < 140; ++i)
    second += nginx(i % 2 == 0 ? "GET /c HTTP/1.1" : "GET /a HTTP/1.1", i);
  const std::vector files{write(first, "1"), write(second, "2")};
  const auto loaded = load_logs(files, {.class_by = "path"});
  ASSERT_TRUE(loaded);
  EXPECT_THAT(counts(loaded->trace),
              UnorderedElementsAre(Pair("/a", 30), Pair("/b", 30), Pair("/c", 20)));
  const auto to = folder_.path() / "a.trace";
  ASSERT_TRUE(convert_log(files, {.class_by = "path"}, to));
  const auto again = load_log(to);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->trace.tasks, loaded->trace.tasks);
  EXPECT_EQ(again->trace.header.classes, loaded->trace.header.classes);
}

TEST_F(ClassBy, AnEventLogNeedsToSayItOnce) {
  std::string text;
  for (int i = 0; i < 20; ++i) {
    const auto line = [&](const char* type, double at, const char* more) {
      text += fmt::format(
          "{{\"type\": \"task-{}\", \"uuid\": \"u{}\", \"timestamp\": {:.2f}, \"hostname\": "
          "\"w@h\"{}}}\n",
          type, i, 1790000000 + i + at, more);
    };
    line("received", 0, i % 4 == 0 ? R"(, "name": "shop.mail")" : R"(, "name": "shop.bill")");
    line("started", 0.1, "");
    line("succeeded", 0.3, "");
  }
  text += R"({"type": "task-received", "uuid": "z", "timestamp": 1790000900.0, "name": "never"})";
  const auto loaded = load_log(write(text + "\n"), {.class_by = "name"});
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  EXPECT_THAT(counts(loaded->trace),
              UnorderedElementsAre(Pair("shop.mail", 5), Pair("shop.bill", 15)));
}

TEST_F(ClassBy, ColumnsOfCsvAndFieldsOfJsonNameClassesToo) {
  const auto csv = write("at,ms,region\n1,5,\"north, sea\"\n2,5,south\n3,5,south\n4,5,\n");
  const LogOptions columns{.columns = {{"submitted", "at"}, {"response", "ms:ms"}},
                           .class_by = "region"};
  const auto loaded = load_log(csv, columns);
  ASSERT_TRUE(loaded) << to_string(loaded.error());
  EXPECT_THAT(counts(loaded->trace),
              UnorderedElementsAre(Pair("north, sea", 1), Pair("south", 2), Pair("(none)", 1)));
  EXPECT_THAT(to_string(load_log(csv, {.columns = columns.columns, .class_by = "regio"}).error()),
              HasSubstr("did you mean 'region'?"));
  const auto json = write("{\"at\": 1, \"ms\": 5, \"job\": {\"q\": \"fast\\u001b\"}}\n");
  const auto read = load_log(json, {.format = "json",
                                    .columns = {{"submitted", "at"}, {"response", "ms:ms"}},
                                    .class_by = "job.q"});
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_THAT(read->trace.header.classes, ElementsAre("fast\\x1B"));
  // artel's own columns, whose file is read without any more being said.
  const auto own =
      load_log(write("submitted,service,class\n0,1,x\n1,1,y\n"), {.class_by = "class"});
  ASSERT_TRUE(own) << to_string(own.error());
  EXPECT_THAT(counts(own->trace), UnorderedElementsAre(Pair("x", 1), Pair("y", 1)));
}

TEST_F(ClassBy, AFieldThatTheLogDoesNotHaveIsRefused) {
  const auto refused = load_log(write(nginx("GET / HTTP/1.1", 1)), {.class_by = "pth"});
  ASSERT_FALSE(refused);
  EXPECT_THAT(to_string(refused.error()),
              HasSubstr("--class-by: unknown field 'pth' (did you mean 'path'?)"));
}

}  // namespace
}  // namespace artel::logs::detail
