#include "artel/logs/log_format.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/nearest_name.hpp"
#include "artel/logs/detail/line_pattern.hpp"

namespace artel::logs {
namespace {

using enum Role;
using enum FieldForm;

// What the variables of servers' log formats say. A name has one meaning in all of them, but for
// %t, which HAProxy and Apache write alike.
const std::vector<LogField>& variables() {
  static const std::vector<LogField> all{
      // nginx writes a line when the request is over.
      {"$time_local", finished},
      {"$time_iso8601", finished},
      {"$msec", finished, seconds},
      {"$request_time", response, seconds},
      {"$upstream_response_time", backend, seconds},
      {"$status", outcome, http_status},
      // Envoy
      {"%START_TIME%", submitted},
      {"%DURATION%", response, milliseconds},
      {"%RESP(X-ENVOY-UPSTREAM-SERVICE-TIME)%", backend, milliseconds},
      {"%RESPONSE_CODE%", outcome, http_status},
      // HAProxy: TR until the request is there, Tw in queues, Tc to connect, Ta in all.
      {"%tr", submitted},
      {"%TR", before, milliseconds},
      {"%Tw", wait, milliseconds},
      {"%Tc", wait, milliseconds},
      {"%Ta", response, milliseconds},
      {"%ST", outcome, http_status},
      // Apache
      {"%t", submitted},
      {"%D", response, microseconds},
      {"%T", response, seconds},
      {"%s", outcome, http_status},
      {"%>s", outcome, http_status},
      // Our own, for programs without a log_format.
      {"$submitted", submitted},
      {"$finished", finished},
      {"$service_s", service, seconds},
      {"$pid", process},
      {"$done_or_fail", outcome, job_state},
  };
  return all;
}

std::vector<LogField> fields_of(std::string_view pattern) {
  std::vector<LogField> fields;
  for (const auto& name : detail::variables_of(pattern)) {
    const auto& known = variables();
    const auto found = std::ranges::find(known, name, &LogField::name);
    if (found != known.end()) fields.push_back(*found);
  }
  return fields;
}

LogFormat by_pattern(std::string_view name, std::string_view title, std::string_view pattern,
                     Knowledge knows = Knowledge::responses, std::string_view advice = {}) {
  return {.name = name,
          .title = title,
          .shape = LogShape::pattern,
          .layout = pattern,
          .fields = fields_of(pattern),
          .knows = knows,
          .advice = advice};
}

#define ARTEL_COMBINED                                                               \
  "$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent " \
  "\"$http_referer\" \"$http_user_agent\""

constexpr std::string_view kNoLengths =
    "says when requests came, not how long they took; add $request_time (nginx, at the end of "
    "log_format) or %D (Apache) to it, or say how long one takes: --service 20ms";

void add_patterns(std::vector<LogFormat>& all) {
  all.push_back(by_pattern(
      "ingress-nginx", "nginx log (ingress-nginx 1.x, upstreaminfo)",
      ARTEL_COMBINED
      " $request_length $request_time [$proxy_upstream_name] [$proxy_alternative_upstream_name] "
      "$upstream_addr $upstream_response_length $upstream_response_time $upstream_status $req_id"));
  all.push_back(by_pattern("nginx-rt", "nginx log (combined, rt= and upstream times)",
                           ARTEL_COMBINED
                           " \"$http_x_forwarded_for\" rt=$request_time "
                           "uct=\"$upstream_connect_time\" uht=\"$upstream_header_time\" "
                           "urt=\"$upstream_response_time\""));
  all.push_back(by_pattern("nginx-upstream", "nginx log (combined, request and upstream time)",
                           ARTEL_COMBINED " $request_time $upstream_response_time"));
  all.push_back(by_pattern("nginx-forwarded", "nginx log (main, request time)",
                           ARTEL_COMBINED " \"$http_x_forwarded_for\" $request_time"));
  all.push_back(
      by_pattern("nginx", "nginx log (combined, request time)", ARTEL_COMBINED " $request_time"));
  all.push_back(by_pattern(
      "envoy", "Envoy log (default format, 1.2x)",
      "[%START_TIME%] \"%REQ(:METHOD)% %REQ(X-ENVOY-ORIGINAL-PATH?:PATH)% %PROTOCOL%\" "
      "%RESPONSE_CODE% %RESPONSE_FLAGS% %BYTES_RECEIVED% %BYTES_SENT% %DURATION% "
      "%RESP(X-ENVOY-UPSTREAM-SERVICE-TIME)% \"%REQ(X-FORWARDED-FOR)%\" \"%REQ(USER-AGENT)%\" "
      "\"%REQ(X-REQUEST-ID)%\" \"%REQ(:AUTHORITY)%\" \"%UPSTREAM_HOST%\""));
  all.push_back(by_pattern("haproxy", "HAProxy log (option httplog, 2.x)",
                           "%ci:%cp [%tr] %ft %b/%s_ %TR/%Tw/%Tc/%Tr/%Ta %ST %B %rest",
                           Knowledge::everything));
  all.push_back(by_pattern("apache", "Apache log (combined, %D)",
                           "%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\" %D"));
  all.push_back(by_pattern("sidekiq", "Sidekiq log (7.x)",
                           "$finished pid=$pid tid=$tid class=$class jid=$jid elapsed=$service_s "
                           "INFO: $done_or_fail",
                           Knowledge::starts));
  all.back().ignored = " INFO: start";
  all.push_back(by_pattern("combined", "access log (combined, nginx or Apache)", ARTEL_COMBINED,
                           Knowledge::services, kNoLengths));
}

constexpr std::string_view kOneSlot =
    "how many nodes and processors a job had is not looked at: each takes one worker";

void add_separated(std::vector<LogFormat>& all) {
  all.push_back({.name = "slurm",
                 .title = "Slurm accounting (sacct --parsable2, 22.05)",
                 .shape = LogShape::separated,
                 .layout = "|",
                 .fields = {{"Submit", submitted},
                            {"Start", started},
                            {"End", finished},
                            {"State", outcome, job_state}},
                 .knows = Knowledge::everything,
                 .filters = {{"JobID", "!."}},  // steps of a job are not jobs
                 .signature = "JobID|Submit|Start|End",
                 .remark = kOneSlot});
  all.push_back({.name = "swf",
                 .title = "Standard Workload Format (2.2)",
                 .shape = LogShape::separated,
                 .layout = " job submit wait run processors cpu memory requested_processors "
                           "requested_time requested_memory status user group application queue "
                           "partition preceding think",
                 .fields = {{"submit", submitted, seconds},
                            {"wait", wait, seconds},
                            {"run", service, seconds}},
                 .knows = Knowledge::everything,
                 .signature = "; Version:|;",
                 .remark = kOneSlot});
  all.push_back({.name = "swim",
                 .title = "SWIM workload (FB-2009, FB-2010)",
                 .shape = LogShape::separated,
                 .layout = "\tjob submit gap map_input_bytes shuffle_bytes reduce_output_bytes",
                 .fields = {{"submit", submitted, seconds}},
                 .knows = Knowledge::services,
                 .signature = "job|\t",
                 .advice = "has bytes, not times: say how long a job takes, as --service "
                           "'1 + 1e-8 * map_input_bytes' (also: shuffle_bytes, "
                           "reduce_output_bytes)"});
  all.push_back({.name = "azure-llm",
                 .title = "Azure LLM inference trace (2023)",
                 .shape = LogShape::separated,
                 .layout = ",",
                 .fields = {{"TIMESTAMP", submitted}},
                 .knows = Knowledge::services,
                 .signature = "TIMESTAMP|ContextTokens|GeneratedTokens",
                 .advice = "has tokens, not times: say how long a request takes, as --service "
                           "'50ms + 0.12ms * ContextTokens + 12ms * GeneratedTokens'"});
}

void add_columns(std::vector<LogFormat>& all) {
  all.push_back({.name = "columns",
                 .title = "CSV",
                 .shape = LogShape::separated,
                 .layout = ",",
                 .fields = {},
                 .knows = Knowledge::responses,
                 .advice = "has columns of its own: say what they are called, as --column "
                           "finished=time --column response=duration:ms"});
}

void add_documents(std::vector<LogFormat>& all) {
  all.push_back({.name = "otlp",
                 .title = "OpenTelemetry spans (OTLP-JSON 1.x, of servers and consumers)",
                 .shape = LogShape::json,
                 .layout = "resourceSpans.scopeSpans.spans",
                 .fields = {{"startTimeUnixNano", submitted, nanoseconds},
                            {"endTimeUnixNano", finished, nanoseconds}},
                 .knows = Knowledge::responses,
                 .filters = {{"kind", "2|5|SPAN_KIND_SERVER|SPAN_KIND_CONSUMER"}},
                 .signature = "\"resourceSpans\""});
  all.push_back({.name = "github",
                 .title = "GitHub Actions jobs (workflow_job events, REST 2022-11-28)",
                 .shape = LogShape::json,
                 .layout = "workflow_job|jobs",
                 .fields = {{"created_at", submitted},
                            {"started_at", started},
                            {"completed_at", finished},
                            {"conclusion", outcome, job_state},
                            {"runner_name", worker}},
                 .knows = Knowledge::everything,
                 .filters = {{"status", "completed"}},
                 .signature = "\"run_id\"|\"conclusion\""});
}

void add_queues(std::vector<LogFormat>& all) {
  all.push_back({.name = "celery",
                 .title = "Celery events (5.x, a JSON object per line)",
                 .shape = LogShape::json,
                 .layout = "",
                 .fields = {{"timestamp", submitted, seconds},
                            {"type", event},
                            {"uuid", key},
                            {"hostname", process},
                            {"pid", process}},
                 .knows = Knowledge::everything,
                 .events = {{"task-sent", submitted},
                            {"task-received", submitted},
                            {"task-started", started},
                            {"task-succeeded", finished},
                            {"task-failed", finished, true}},
                 .signature = "\"uuid\"|\"task-"});
  all.push_back({.name = "temporal",
                 .title = "Temporal workflow history (server 1.2x, temporal workflow show -o json)",
                 .shape = LogShape::json,
                 .layout = "events|history.events",
                 .fields = {{"eventTime", submitted},
                            {"eventType", event},
                            {kDocument, key},
                            {"eventId", key},
                            {"activityTaskStartedEventAttributes.scheduledEventId", key},
                            {"activityTaskCompletedEventAttributes.scheduledEventId", key},
                            {"activityTaskFailedEventAttributes.scheduledEventId", key},
                            {"activityTaskTimedOutEventAttributes.scheduledEventId", key},
                            {"activityTaskCanceledEventAttributes.scheduledEventId", key}},
                 .knows = Knowledge::everything,
                 .events = {{"EVENT_TYPE_ACTIVITY_TASK_SCHEDULED", submitted},
                            {"EVENT_TYPE_ACTIVITY_TASK_STARTED", started},
                            {"EVENT_TYPE_ACTIVITY_TASK_COMPLETED", finished},
                            {"EVENT_TYPE_ACTIVITY_TASK_FAILED", finished, true},
                            {"EVENT_TYPE_ACTIVITY_TASK_TIMED_OUT", finished, true},
                            {"EVENT_TYPE_ACTIVITY_TASK_CANCELED", finished, true},
                            {"ActivityTaskScheduled", submitted},
                            {"ActivityTaskStarted", started},
                            {"ActivityTaskCompleted", finished},
                            {"ActivityTaskFailed", finished, true},
                            {"ActivityTaskTimedOut", finished, true},
                            {"ActivityTaskCanceled", finished, true}},
                 .signature = "\"eventTime\"|\"eventType\"|\"eventId\"",
                 .remark = "of an activity that was tried again the history has the last try only: "
                           "what was before counts as waiting"});
  all.push_back({.name = "sidekiq-json",
                 .title = "Sidekiq log (7.x, JSON)",
                 .shape = LogShape::json,
                 .layout = "",
                 .fields = {{"ts", finished},
                            {"ctx.elapsed", service, seconds},
                            {"msg", outcome, job_state},
                            {"pid", process}},
                 .knows = Knowledge::starts,
                 .filters = {{"msg", "done|fail"}},
                 .signature = "\"ctx\"|\"jid\""});
}

void add_json(std::vector<LogFormat>& all) {
  all.push_back({.name = "mooncake",
                 .title = "Mooncake trace (2024)",
                 .shape = LogShape::json,
                 .layout = "",
                 .fields = {{"timestamp", submitted, milliseconds}},
                 .knows = Knowledge::services,
                 .signature = "\"input_length\"|\"output_length\"",
                 .advice = "has tokens, not times: say how long a request takes, as --service "
                           "'50ms + 0.12ms * input_length + 12ms * output_length'"});
  all.push_back({.name = "json",
                 .title = "JSON",
                 .shape = LogShape::json,
                 .layout = "",
                 .fields = {},
                 .knows = Knowledge::responses,
                 .advice = "needs to be told what its fields are called, as --column finished=time "
                           "--column response=duration:ms"});
}

}  // namespace

std::span<const LogFormat> log_formats() {
  static const std::vector<LogFormat> all = [] {
    std::vector<LogFormat> made;
    add_patterns(made);
    add_separated(made);
    add_columns(made);
    add_documents(made);
    add_queues(made);
    add_json(made);
    return made;
  }();
  return all;
}

Result<LogFormat> find_log_format(std::string_view name) {
  std::vector<std::string_view> names;
  for (const auto& format : log_formats()) {
    if (format.name == name) return format;
    names.push_back(format.name);
  }
  names.insert(names.end(), {"csv", "trace", "joblog"});
  return fail(ErrorCode::invalid, unknown_name("format", name, names), "--format");
}

Result<LogFormat> parse_log_format(std::string_view pattern) {
  auto format = by_pattern("log-format", "log of the given format", pattern);
  if (pattern.find("%ST") != std::string_view::npos || pattern.find("%c") != std::string_view::npos)
    std::erase_if(format.fields, [](const auto& field) {  // HAProxy: a server, a date
      return field.name == "%s" || field.name == "%T";
    });
  const auto has = [&](auto... roles) {
    return std::ranges::any_of(format.fields,
                               [&](const auto& field) { return ((field.role == roles) || ...); });
  };
  if (!has(submitted, finished)) {
    return fail(ErrorCode::invalid,
                "nothing in it says when; expected $time_local, $msec (nginx), %START_TIME% "
                "(Envoy), %tr (HAProxy) or %t (Apache)",
                "--log-format");
  }
  if (!has(response, backend)) {
    format.knows = Knowledge::services;
    format.advice =
        "does not say how long requests took; expected $request_time (nginx), %DURATION% (Envoy), "
        "%Ta (HAProxy) or %D (Apache) in the format, or --service";
  } else if (has(wait)) {
    format.knows = Knowledge::everything;
  }
  return format;
}

}  // namespace artel::logs
