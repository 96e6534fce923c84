#include "artel/watch/watch_report.hpp"

#include <fmt/core.h>

#include <cmath>
#include <ctime>
#include <optional>
#include <string>

#include "artel/core/how_many.hpp"
#include "artel/core/instant.hpp"
#include "artel/file/append_json.hpp"

namespace artel::watch {
namespace {

std::string clock_of(Instant at, const char* format) {
  const auto seconds =
      static_cast<std::time_t>(std::floor(to_seconds(at)));  // the log's own, since 1970
  std::tm parts{};
  if (::gmtime_r(&seconds, &parts) == nullptr) return "?";
  char text[64];  // NOLINT(*-c-arrays): strftime's
  return {text, std::strftime(text, sizeof text, format, &parts)};
}

std::string time(double seconds) { return format_duration(from_seconds(seconds)); }

std::optional<double> error_of(double forecast, double measured) {
  if (!(measured > 0) || !std::isfinite(forecast)) return std::nullopt;
  return (forecast - measured) / measured;
}

std::string next_text(const WatchForecast& next, const WatchReport& report, Duration horizon,
                      const std::string& slo) {
  auto text = fmt::format("next {}: {:.4g}/s, at most {:.4g}/s: ", format_duration(horizon),
                          next.rate, next.rate_most);
  if (next.workers_needed) {
    text +=
        fmt::format("{} for {} ({})", how_many(*next.workers_needed, "worker"), slo, next.policy);
  } else {
    text += "no answer: " + report.no_answer;
  }
  if (next.workers == 0) return text;
  const auto* const guessed = next.workers_guessed ? " (a guess)" : "";
  if (next.overloaded)
    return text + fmt::format("; {}{} cannot keep up", how_many(next.workers, "worker"), guessed);
  if (next.p99_s) {
    text += fmt::format("; with {}{} p99 {} ({} to {})", next.workers, guessed, time(*next.p99_s),
                        time(next.p99_low_s.value_or(*next.p99_s)),
                        time(next.p99_high_s.value_or(*next.p99_s)));
  }
  return text;
}

std::string score_text(const WatchScore& score, Duration horizon) {
  auto text = fmt::format("last {}: forecast {:.4g}/s, came {:.4g}/s", format_duration(horizon),
                          score.forecast.rate, score.rate);
  if (const auto error = score.rate_error()) text += fmt::format(" ({:+.1f}%)", 100 * *error);
  const auto error = score.p99_error();
  if (error && score.forecast.p99_s && score.p99_s) {
    text += fmt::format(", p99 forecast {}, measured {} ({:+.1f}%)", time(*score.forecast.p99_s),
                        time(*score.p99_s), 100 * *error);
  }
  return text;
}

void add(std::string& json, const char* key, std::optional<double> value) {
  json += fmt::format(", \"{}\": ", key);
  file::append_json_number(json, value);
}

std::string forecast_json(const WatchForecast& forecast) {
  auto json = fmt::format("{{\"made\": \"{}\"", clock_of(forecast.made, "%Y-%m-%dT%H:%M:%SZ"));
  add(json, "rate", forecast.rate);
  add(json, "rate_most", forecast.rate_most);
  add(json, "workers_needed", forecast.workers_needed);
  json += ", \"policy\": ";
  file::append_json(json, forecast.policy);
  json += fmt::format(", \"workers\": {}, \"workers_guessed\": {}, \"overloaded\": {}",
                      forecast.workers, forecast.workers_guessed, forecast.overloaded);
  add(json, "p99_s", forecast.p99_s);
  add(json, "p99_low_s", forecast.p99_low_s);
  add(json, "p99_high_s", forecast.p99_high_s);
  return json + "}";
}

}  // namespace

std::optional<double> WatchScore::rate_error() const { return error_of(forecast.rate, rate); }

std::optional<double> WatchScore::p99_error() const {
  if (!forecast.p99_s || !p99_s) return std::nullopt;
  return error_of(*forecast.p99_s, *p99_s);
}

std::string report_line(const WatchReport& report, Duration horizon, const std::string& slo) {
  auto line = clock_of(report.at, "%H:%M:%S UTC  ");
  if (report.rate) line += fmt::format("{:.4g}/s", *report.rate);
  if (report.p99_s) line += fmt::format(", p99 {}", time(*report.p99_s));
  if (report.rate) line += "; ";
  line += report.next ? next_text(*report.next, report, horizon, slo)
                      : "no answer: " + report.no_answer;
  if (report.last) line += "; " + score_text(*report.last, horizon);
  return line;
}

std::string report_json(const WatchReport& report, Duration horizon) {
  auto json = fmt::format("{{\"schema\": \"artel.watch/1\", \"at\": \"{}\", \"tasks\": {}",
                          clock_of(report.at, "%Y-%m-%dT%H:%M:%SZ"), report.tasks);
  add(json, "horizon_s", to_seconds(horizon));
  add(json, "rate", report.rate);
  add(json, "p99_s", report.p99_s);
  json += ", \"next\": " + (report.next ? forecast_json(*report.next) : "null");
  json += ", \"no_answer\": ";
  if (report.no_answer.empty()) {
    json += "null";
  } else {
    file::append_json(json, report.no_answer);
  }
  json += ", \"last\": ";
  if (report.last) {
    json += "{\"forecast\": " + forecast_json(report.last->forecast);
    add(json, "rate", report.last->rate);
    add(json, "p99_s", report.last->p99_s);
    add(json, "rate_error", report.last->rate_error());
    add(json, "p99_error", report.last->p99_error());
    json += "}";
  } else {
    json += "null";
  }
  return json + "}";
}

std::string summary_text(const WatchSummary& summary) {
  auto text = fmt::format("{} reports, {} with an answer\n", summary.reports, summary.answers);
  if (summary.scored == 0) return text + "no forecast has come to its end: none can be judged\n";
  text += fmt::format("{} forecast{} over; the rate was off by {:.1f}% on average", summary.scored,
                      summary.scored == 1 ? " is" : "s are", 100 * summary.rate_error);
  if (summary.p99_scored > 0) {
    text +=
        fmt::format(", p99 by {:.1f}% ({} of them)", 100 * summary.p99_error, summary.p99_scored);
  }
  return text + "\n";
}

}  // namespace artel::watch
