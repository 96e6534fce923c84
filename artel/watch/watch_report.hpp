#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "artel/core/instant.hpp"

namespace artel::watch {

/// What the time ahead was, or is, expected to bring.
struct WatchForecast {
  Instant made{};        ///< at the end of what it is made from; it is about the horizon from here
  double rate = 0;       ///< tasks per second, on average
  double rate_most = 0;  ///< where it is highest
  /// The smallest fleet that meets the objectives at the highest rate. Nothing: none was found.
  std::optional<std::uint32_t> workers_needed{};
  std::string policy;            ///< that it needs them with
  std::uint32_t workers = 0;     ///< that the fleet has now
  bool workers_guessed = false;  ///< nobody said how many: from the log itself
  bool overloaded = false;       ///< the fleet that there is cannot keep up with the mean rate
  /// 99th percentile of the response with the fleet that there is, and how far it moves if work or
  /// the rate are 5% off. Nothing: it is overloaded, or the work is not known.
  std::optional<double> p99_s{}, p99_low_s{}, p99_high_s{};
};

/// A forecast whose time is over, beside what came.
struct WatchScore {
  WatchForecast forecast;
  double rate = 0;                ///< that came
  std::optional<double> p99_s{};  ///< that was measured

  /// (forecast - measured) / measured; nothing where one is not known, or nothing came.
  [[nodiscard]] std::optional<double> rate_error() const;
  /// The same of the 99th percentile.
  [[nodiscard]] std::optional<double> p99_error() const;
};

/// What there is to say at one moment.
struct WatchReport {
  Instant at{};
  std::uint64_t tasks = 0;              ///< within the last horizon
  std::optional<double> rate{};         ///< tasks per second within the last horizon
  std::optional<double> p99_s{};        ///< of their responses, as measured
  std::optional<WatchForecast> next{};  ///< from here on, one horizon
  std::string no_answer;                ///< why there is no forecast, or no fleet in it; else empty
  std::optional<WatchScore> last{};     ///< the newest forecast that is over
};

/// All reports together.
struct WatchSummary {
  std::uint64_t reports = 0;
  std::uint64_t answers = 0;     ///< of them had a fleet that meets the objectives
  std::uint64_t scored = 0;      ///< forecasts whose time is over
  std::uint64_t p99_scored = 0;  ///< of them had a percentile that was measured, too
  double rate_error = 0;         ///< mean of the absolute values
  double p99_error = 0;          ///< the same
};

/// One line for people, without its end: "12:00:00 UTC  42.1/s; next 1 h: …".
[[nodiscard]] std::string report_line(const WatchReport& report, Duration horizon,
                                      const std::string& slo);
/// The same as an object of JSON, on one line (schema artel.watch/1).
[[nodiscard]] std::string report_json(const WatchReport& report, Duration horizon);
/// Some words for the end, one line each.
[[nodiscard]] std::string summary_text(const WatchSummary& summary);

}  // namespace artel::watch
