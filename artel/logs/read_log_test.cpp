#include "artel/logs/read_log.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/logs/log_format.hpp"
#include "artel/logs/log_reading.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::logs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using trace::TaskOutcome;
using namespace std::chrono_literals;

struct Read {
  Result<LogReading> reading;
  std::vector<trace::TaskRecord> tasks;
  [[nodiscard]] std::string error() const {
    return reading ? "no error" : to_string(reading.error());
  }
};

Read read(const std::string& text, const LogOptions& options = {}) {
  std::istringstream in(text);
  std::vector<trace::TaskRecord> tasks;
  auto reading = read_log(in, "a.log", options, [&](const auto& task) { tasks.push_back(task); });
  return {std::move(reading), std::move(tasks)};
}

// "submission wait service outcome" in ms after the first submission: what a test looks at.
std::vector<std::string> told(const Read& log) {
  std::vector<std::string> lines;
  for (const auto& task : log.tasks) {
    const auto ms = [](Duration duration) { return duration / 1ms; };
    lines.push_back(fmt::format("{} {} {} {}", ms(task.submitted - log.tasks.front().submitted),
                                ms(task.queue_delay()), ms(task.service()),
                                trace::name(task.outcome)));
  }
  return lines;
}

std::string title(const Read& log) { return log.reading ? log.reading->title : log.error(); }

std::string first_bad(const Read& log) {
  return log.reading ? to_string(log.reading->first_bad.value_or(Error{})) : log.error();
}

Instant at(std::int64_t seconds_since_1970, Duration later = {}) {
  return Instant{std::chrono::seconds(seconds_since_1970) + later};
}

// Lines as nginx 1.22 writes them with log_format combined and $request_time behind it.
std::string nginx(const std::string& clock, const std::string& rest) {
  return fmt::format(
      "203.0.113.7 - ada [10/Oct/2026:{} +0200] \"GET /a?b=\\x22c\\x22 HTTP/1.1\" {}", clock, rest);
}

TEST(ReadLog, NginxEndsAtItsTimeAndBeganARequestTimeBefore) {
  const auto log = read(nginx("13:55:36", "200 5316 \"-\" \"curl/7.88.1 [x]\" 0.250\n") +
                        nginx("13:55:38", "502 157 \"http://e/\" \"-\" 1.000\n"));
  EXPECT_EQ(title(log), "nginx log (combined, request time)");
  EXPECT_THAT(log.reading->fields, ElementsAre("$time_local", "$status", "$request_time"));
  ASSERT_EQ(log.tasks.size(), 2U);
  EXPECT_EQ(log.tasks[0].response(), 250ms);
  EXPECT_EQ(log.tasks[0].queue_delay(), 0ms);
  // 13:55:36 +0200 is 11:55:36 UTC; when in that second is drawn.
  EXPECT_GE(log.tasks[0].finished, at(1791633336));
  EXPECT_LT(log.tasks[0].finished, at(1791633337));
  EXPECT_TRUE(log.reading->whole_seconds);
  EXPECT_EQ(log.tasks[1].outcome, TaskOutcome::failed);
  EXPECT_EQ(log.reading->knows, Knowledge::responses);
}

TEST(ReadLog, NginxAsIngressWritesItTakesTheUpstreamsTimes) {
  // ingress-nginx 1.x, upstreaminfo; the second asked two upstreams.
  const auto log =
      read(nginx("13:55:36",
                 "200 5 \"-\" \"curl\" 512 0.300 [default-web-80] [] 10.0.0.9:8080 5 0.200 "
                 "200 a1b2\n") +
           nginx("13:55:36",
                 "200 5 \"-\" \"curl\" 512 0.300 [default-web-80] [] 10.0.0.9:8080, "
                 "10.0.0.8:8080 0, 5 0.100, 0.150 502, 200 a1b3\n"));
  EXPECT_EQ(title(log), "nginx log (ingress-nginx 1.x, upstreaminfo)");
  ASSERT_EQ(log.tasks.size(), 2U);
  EXPECT_EQ(log.tasks[0].service(), 200ms);
  EXPECT_EQ(log.tasks[1].service(), 250ms);
}

TEST(ReadLog, LogFormatsOfTheConfiguration) {
  const auto log = read("1790000000.500 200 0.125\n1790000001.000 200 -\n",
                        {.log_format = "$msec $status $request_time"});
  ASSERT_EQ(log.tasks.size(), 1U);
  EXPECT_EQ(log.tasks[0].finished, at(1790000000, 500ms));
  EXPECT_EQ(log.tasks[0].submitted, at(1790000000, 375ms));
  EXPECT_FALSE(log.reading->whole_seconds);
  EXPECT_EQ(log.reading->passed_over, 1U);
  EXPECT_THAT(read("x\n", {.log_format = "$remote_addr $status"}).error(),
              HasSubstr("--log-format: nothing in it says when"));
  EXPECT_THAT(read("x\n", {.log_format = "$msec $status"}).error(),
              HasSubstr("does not say how long requests took"));
}

TEST(ReadLog, OfTwoTimesTheFinerOneCounts) {
  const std::string second = "2026-09-21T14:13:20+00:00 ", exact = "1790000000.500 ";
  const auto before =
      read(second + exact + "0.125\n", {.log_format = "$time_iso8601 $msec $request_time"});
  const auto after =
      read(exact + second + "0.125\n", {.log_format = "$msec $time_iso8601 $request_time"});
  for (const auto* log : {&before, &after}) {
    EXPECT_EQ(log->tasks.at(0).finished, at(1790000000, 500ms));
    EXPECT_FALSE(log->reading->whole_seconds);
  }
}

TEST(ReadLog, CombinedWithoutRequestTimesSaysWhatIsMissing) {
  const auto line = nginx("13:55:36", "200 5316 \"-\" \"curl\"\n");
  EXPECT_THAT(read(line).error(), HasSubstr("add $request_time (nginx"));
  LogOptions options;
  options.service = ServiceFormula{{}, [](auto) { return 0.02; }};
  const auto log = read(line, options);
  ASSERT_EQ(log.tasks.size(), 1U);
  EXPECT_EQ(log.tasks[0].service(), 20ms);
  EXPECT_EQ(log.reading->knows, Knowledge::services);
}

TEST(ReadLog, ApacheWritesWhenRequestsCameAndMicroseconds) {
  // Apache 2.4: combined with %D.
  const auto log = read(
      "127.0.0.1 - - [10/Oct/2026:13:55:36 -0700] \"GET / HTTP/1.0\" 200 23 \"-\" \"Moz\" "
      "250000\n");
  EXPECT_EQ(title(log), "Apache log (combined, %D)");
  ASSERT_EQ(log.tasks.size(), 1U);
  EXPECT_EQ(log.tasks[0].service(), 250ms);
  EXPECT_GE(log.tasks[0].submitted, at(1791665736));
  EXPECT_LT(log.tasks[0].submitted, at(1791665737));
}

TEST(ReadLog, EnvoyTakesTheUpstreamsTimeIfThereIsOne) {
  // The default format string of Envoy 1.2x.
  const std::string rest = "\"10.0.35.28\" \"nsq\" \"cc21\" \"locations\" \"tcp://10.0.2.1:80\"\n";
  const auto log =
      read("[2026-04-15T20:17:00.310Z] \"POST /api/v1 HTTP/2\" 204 - 154 0 226 100 " + rest +
           "[2026-04-15T20:17:00.410Z] \"POST /api/v1 HTTP/2\" 503 UH 154 0 26 - " + rest);
  EXPECT_EQ(title(log), "Envoy log (default format, 1.2x)");
  EXPECT_THAT(told(log), ElementsAre("0 0 100 done", "100 0 26 failed"));
}

TEST(ReadLog, HaproxyKnowsHowLongRequestsWaited) {
  // HAProxy 2.x, option httplog: with a syslog prefix, without, and a request that no server got.
  const auto log = read(
      "Feb  6 12:14:14 lb haproxy[1]: 10.0.1.2:33317 [06/Feb/2026:12:14:14.655] http-in "
      "static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {1wt.eu} {} \"GET /i HTTP/1.1\"\n"
      "10.0.1.3:33318 [06/Feb/2026:12:14:15.000] http-in static/srv2 0/20/1/69/100 500 27 - - ---- "
      "1/1/1/1/0 0/0 \"GET / HTTP/1.1\"\n"
      "10.0.1.3:33318 [06/Feb/2026:12:14:16.000] http-in http-in/<NOSRV> 0/-1/-1/-1/3 503 27 - - "
      "SC-- 1/1/0/0/0 0/0 \"GET / HTTP/1.1\"\n");
  EXPECT_EQ(title(log), "HAProxy log (option httplog, 2.x)");
  EXPECT_THAT(told(log), ElementsAre("0 30 69 done", "335 21 79 failed"));
  EXPECT_EQ(log.reading->passed_over, 1U);
  EXPECT_TRUE(log.reading->zoneless);
}

TEST(ReadLog, SlurmCountsJobsAndNoSteps) {
  // sacct --parsable2 of slurm 22.05: a step, a job that never ran, one that waits.
  const auto log = read(
      "JobID|JobName|User|Submit|Start|End|Elapsed|State|ExitCode\n"
      "101|train|ada|2026-03-01T10:00:00|2026-03-01T10:05:00|2026-03-01T11:05:00|01:00:00|"
      "COMPLETED|"
      "0:0\n"
      "101.batch|batch||2026-03-01T10:05:00|2026-03-01T10:05:00|2026-03-01T11:05:00|01:00:00|"
      "COMPLETED|0:0\n"
      "102|train|ada|2026-03-01T10:01:00|2026-03-01T11:05:00|2026-03-01T11:06:00|00:01:00|FAILED|"
      "1:0\n"
      "103|train|ada|2026-03-01T10:01:00|None|2026-03-01T11:06:00|00:00:00|CANCELLED by 1000|0:0\n"
      "104|train|ada|2026-03-01T10:02:00|Unknown|Unknown|00:00:00|PENDING|0:0\n");
  EXPECT_THAT(told(log), ElementsAre("0 300000 3600000 done", "60000 3840000 60000 failed"));
  EXPECT_EQ(log.reading->passed_over, 3U);
  EXPECT_EQ(log.reading->bad, 0U);
}

TEST(ReadLog, AStateThatIsCutOffIsNotTakenForSuccess) {
  const auto log = read(
      "JobID|JobName|User|Submit|Start|End|Elapsed|State|ExitCode\n"
      "101|train|ada|2026-03-01T10:00:00|2026-03-01T10:05:00|2026-03-01T11:05:00|01:00:00|COMPL|"
      "0:0\n");
  EXPECT_THAT(told(log), ElementsAre("0 300000 3600000 failed"));
}

TEST(ReadLog, StandardWorkloadFormat) {
  // Version 2.2: 18 columns, -1 for what is not known.
  const auto log = read(
      "; Version: 2.2\n; Computer: any\n"
      "  1  0 10 3600 1 -1 -1 1 3600 -1 1 1 1 1 1 1 -1 -1\n"
      "  2 30 -1   -1 1 -1 -1 1 3600 -1 5 1 1 1 1 1 -1 -1\n"
      "  3 60  0    7 1 -1 -1 1 3600 -1 1 1 1 1 1 1 -1 -1\n");
  EXPECT_THAT(told(log), ElementsAre("0 10000 3600000 done", "60000 0 7000 done"));
}

TEST(ReadLog, GithubJobsFromEventsAndFromTheApi) {
  const std::string job =
      R"("run_id":7,"created_at":"2026-01-20T17:42:30Z","started_at":"2026-01-20T17:42:40Z",)"
      R"("completed_at":"2026-01-20T17:44:40Z","steps":[{"started_at":"2026-01-20T09:42:40.000-08:00"}])";
  const std::string done =
      job + R"(,"status":"completed","conclusion":"success","runner_name":"r1")";
  const auto events =
      read(R"({"action":"queued","workflow_job":{"id":1,)" + job +
           R"(,"status":"queued","conclusion":null}})" + "\n" +
           R"({"action":"completed","workflow_job":{"id":1,)" + done + "},\"sender\":{}}\n");
  EXPECT_THAT(told(events), ElementsAre("0 10000 120000 done"));
  EXPECT_EQ(events.tasks[0].worker, WorkerId{0});
  const auto api = read("{\n  \"total_count\": 1,\n  \"jobs\": [\n{" + done + "}\n]\n}\n");
  EXPECT_THAT(told(api), ElementsAre("0 10000 120000 done"));
}

TEST(ReadLog, SpansOfServersAndConsumers) {
  // OTLP-JSON as the collector's file exporter writes it, a document per line.
  const auto span = [](const std::string& begin, const std::string& end, const std::string& kind) {
    return fmt::format(
        R"({{"traceId":"5B","spanId":"E","name":"GET /","startTimeUnixNano":"{}","endTimeUnixNano":"{}","kind":{}}})",
        begin, end, kind);
  };
  const auto log = read(
      R"({"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]},"scopeSpans":[{"scope":{},"spans":[)" +
      span("1790000000000000000", "1790000000250000000", "2") + "," +
      span("1790000000010000000", "1790000000020000000", "3") + "," +
      span("1790000000100000000", "1790000000120000000", "\"SPAN_KIND_CONSUMER\"") + "]}]}]}\n");
  EXPECT_THAT(told(log), ElementsAre("0 0 250 done", "100 0 20 done"));
}

TEST(ReadLog, CelerysEventsAreJoinedByTask) {
  // Celery 5.x, events as JSON: one task that began before the log, one that does not end.
  const auto event = [](const std::string& type, const std::string& task, double time) {
    return fmt::format(
        R"({{"hostname":"w@a","clock":2,"uuid":"{}","timestamp":{:.2f},"type":"task-{}"}})"
        "\n",
        task, time, type);
  };
  const auto log =
      read(event("succeeded", "old", 1790000000.0) + event("received", "a", 1790000000.1) +
           R"({"hostname":"w@a","timestamp":1790000000.15,"type":"worker-heartbeat","freq":2.0})"
           "\n" +
           event("started", "a", 1790000000.2) + event("received", "b", 1790000000.3) +
           event("succeeded", "a", 1790000000.5) + event("started", "b", 1790000000.5) +
           event("failed", "b", 1790000000.9) + event("received", "c", 1790000001.0));
  EXPECT_THAT(told(log), ElementsAre("0 100 300 done", "200 200 400 failed"));
}

TEST(ReadLog, CelerysTaskCameByTheFirstEventThatSaysSo) {
  // A client says that it sent a task when it has done so: the worker may have it by then.
  const auto event = [](const std::string& type, int ms) {
    return fmt::format("{{\"uuid\":\"a\",\"timestamp\":1790000000.{:03},\"type\":\"task-{}\"}}\n",
                       ms, type);
  };
  const auto rest = event("started", 200) + event("succeeded", 500);
  EXPECT_THAT(told(read(event("received", 100) + event("sent", 90) + rest)),
              ElementsAre("0 110 300 done"));
  EXPECT_THAT(told(read(event("received", 100) + event("sent", 110) + rest)),
              ElementsAre("0 100 300 done"));
}

TEST(ReadLog, SidekiqDoesNotSayWhenJobsWereSubmitted) {
  // Sidekiq 7, both of its formats.
  const std::string head = "2026-05-01T10:00:01.000Z pid=12 tid=abc class=HardJob jid=b4a";
  const auto log = read(head + " INFO: start\n" + head + " elapsed=0.543 INFO: done\n" + head +
                        " elapsed=0.943 INFO: fail\n");
  EXPECT_THAT(told(log), ElementsAre("0 0 543 done", "-400 0 943 failed"));
  EXPECT_EQ(log.reading->knows, Knowledge::starts);
  EXPECT_EQ(header_of(*log.reading).loop, trace::Loop::closed);
  EXPECT_EQ(log.reading->passed_over, 1U);
  const auto json = read(
      R"({"ts":"2026-05-01T10:00:00.543Z","pid":12,"tid":"abc","lvl":"INFO","msg":"done","ctx":{"class":"HardJob","jid":"b4a","elapsed":0.543}})"
      "\n");
  EXPECT_THAT(told(json), ElementsAre("0 0 543 done"));
}

TEST(ReadLog, TokensAndBytesBecomeTimesByAFormula) {
  LogOptions options;
  options.service =
      ServiceFormula{{"GeneratedTokens"}, [](auto values) { return values[0] / 100; }};
  const auto azure = read(
      "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.9799600,4808,10\n"
      "2023-11-16 18:17:04.9799600,3180,8\n",
      options);
  EXPECT_THAT(told(azure), ElementsAre("0 0 100 done", "1000 0 80 done"));
  options.service->variables = {"output_length"};
  const auto mooncake = read(
      "{\"timestamp\": 0, \"input_length\": 6955, \"output_length\": 50, \"hash_ids\": [46]}\n"
      "{\"timestamp\": 27482, \"input_length\": 6472, \"output_length\": 26, \"hash_ids\": []}\n",
      options);
  EXPECT_THAT(told(mooncake), ElementsAre("0 0 500 done", "27482 0 260 done"));
  options.service->variables = {"map_input_bytes"};
  const auto swim = read("job0\t0\t0\t1000\t2000\t3000\njob1\t5\t5\t100\t200\t300\n", options);
  EXPECT_THAT(told(swim), ElementsAre("0 0 10000 done", "5000 0 1000 done"));
  EXPECT_THAT(read("job0\t0\t0\t1000\t2000\t3000\n").error(), HasSubstr("--service"));
}

TEST(ReadLog, JsonAndCsvByColumns) {
  LogOptions options{.columns = {{"finished", "http.time"}, {"response", "took:ms"}}};
  const auto log = read(
      "{\"http\":{\"time\":\"2026-05-01T10:00:00.5Z\"},\"took\":120.5}\n"
      "{\"http\":{\"time\":\"2026-05-01T10:00:01.5Z\"},\"took\":20}\nnonsense\n",
      options);
  EXPECT_THAT(told(log), ElementsAre("0 0 120 done", "1100 0 20 done"));
  EXPECT_EQ(log.reading->bad, 1U);
  EXPECT_EQ(first_bad(log), "a.log:3:3: this is not JSON");
  EXPECT_THAT(log.reading->summary(), "JSON, 2 tasks, 2 fields used (http.time, took)");

  options.columns = {{"submitted", "came"}, {"response", "took:us"}};
  options.format = "columns";
  const auto csv = read("\"took\",came\n\"20000\",0\n5000,0.5\n", options);
  EXPECT_THAT(told(csv), ElementsAre("0 0 20 done", "500 0 5 done"));
  options.columns["response"] = "tok:us";
  EXPECT_THAT(read("took,came\n1,2\n", options).error(), HasSubstr("did you mean 'took'?"));
  EXPECT_THAT(read("{\"a\":1}\n").error(), HasSubstr("--column"));
}

TEST(ReadLog, BadLinesAreCountedAndTheFirstIsShown) {
  const auto good = nginx("13:55:36", "200 5316 \"-\" \"curl\" 0.250\n");
  const auto log =
      read(good + "oops\n" + good + good + nginx("13:55:36", "20x 1 \"-\" \"c\" 0.1\n"));
  ASSERT_TRUE(log.reading);
  EXPECT_EQ(log.reading->tasks, 3U);
  EXPECT_EQ(log.reading->bad, 2U);
  EXPECT_THAT(first_bad(log), HasSubstr("a.log:2:1: found 'oops'"));
  const auto strict =
      read(good + good + nginx("13:55:36", "20x 1 \"-\" \"c\" 0.1\n"), {.strict = true});
  EXPECT_EQ(strict.error(), "a.log:3:78: '$status': found '20x'; expected a status like 200");
  EXPECT_THAT(read(good + "oops\noops\n").error(), HasSubstr("2 of 3 lines are not"));
}

TEST(ReadLog, UnknownLogsAndFormatsSayWhatIsKnown) {
  EXPECT_THAT(read("what is this\n").error(), HasSubstr("this log is in no format that is known"));
  EXPECT_THAT(read("x\n", {.format = "ngnix"}).error(), HasSubstr("did you mean 'nginx'?"));
  EXPECT_FALSE(read("").reading);
  for (const std::string scenario : {"[workload]\n", "# mine\n\n[[stages]]\r\nname = 1\n"})
    EXPECT_THAT(read(scenario).error(), HasSubstr("found a scenario, not a log"));
  EXPECT_THAT(read("[]\n").error(), Not(HasSubstr("found a scenario")));
}

TEST(ReadLog, NothingOfALogIsKeptButTimesAndNumbers) {
  const auto log = read(nginx("13:55:36", "200 5316 \"-\" \"curl\" 0.250\n"));
  const auto header = header_of(*log.reading);
  for (const auto& [name, value] : header.settings) {
    EXPECT_THAT(value, ::testing::Not(HasSubstr("ada"))) << name;
    EXPECT_THAT(value, ::testing::Not(HasSubstr("203.0.113"))) << name;
  }
  EXPECT_EQ(log.tasks[0].worker, trace::TaskRecord::kNobody);
}

// Milliseconds since 1970, and how long: what every format can write.
struct Request {
  std::int64_t finished_ms = 0, took_ms = 0;
};

RC_GTEST_PROP(ReadLog, WhatIsWrittenInAnyFormatIsReadBack, ()) {
  const auto raw = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, 1 << 30), rc::gen::inRange(0, 1 << 20))));
  std::vector<Request> requests;
  for (const auto& [end, took] : raw) requests.push_back({1'790'000'000'000 + end, took});
  std::string nginx_text, csv = "end,took\n", json;
  for (const auto& [end, took] : requests) {
    nginx_text +=
        fmt::format("{}.{:03} 200 {}.{:03}\n", end / 1000, end % 1000, took / 1000, took % 1000);
    csv += fmt::format("{}.{:03},{}\n", end / 1000, end % 1000, took);
    json += fmt::format("{{\"end\": {}.{:03}, \"took\": {}}}\n", end / 1000, end % 1000, took);
  }
  LogOptions columns{.columns = {{"finished", "end"}, {"response", "took:ms"}}};
  const auto from_json = read(json, columns);
  columns.format = "columns";
  for (const auto& log : {read(nginx_text, {.log_format = "$msec $status $request_time"}),
                          read(csv, columns), from_json}) {
    RC_ASSERT(log.reading.has_value());
    RC_ASSERT(log.tasks.size() == requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
      RC_ASSERT(log.tasks[i].finished.time_since_epoch() / 1ms == requests[i].finished_ms);
      RC_ASSERT(log.tasks[i].response() / 1ms == requests[i].took_ms);
    }
  }
}

}  // namespace
}  // namespace artel::logs
