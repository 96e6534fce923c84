#include "artel/scenario/detail/read_speed_file.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/file/csv_header.hpp"
#include "artel/file/csv_reader.hpp"
#include "artel/file/parse_timestamp.hpp"
#include "artel/file/read_text_file.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::scenario::detail {
namespace {

using Point = SpeedTimetable::Point;

constexpr double kSpeedMax = 1e6;

/// Turns rows into points.
class SpeedRows {
 public:
  SpeedRows(file::CsvReader& csv, Duration day, std::size_t workers)
      : csv_(csv), day_(day), workers_(workers) {}

  Result<std::vector<Point>> read() {
    const auto some = csv_.next();
    if (!some) return fail(some);
    if (*some) header_ = file::CsvHeader(csv_);
    for (const auto& [name, column] : {std::pair("time", &time_), std::pair("speed", &speed_)}) {
      const auto found = header_.find(name);
      if (!found) return fail(found);
      *column = *found;
    }
    if (header_.has("worker")) {
      const auto found = header_.find("worker");
      if (!found) return fail(found);
      worker_ = *found;
    }
    for (;;) {
      const auto more = csv_.next();
      if (!more) return fail(more);
      if (!*more) break;
      if (const auto whole = header_.check_length(csv_); !whole) return fail(whole);
      auto point = read_point();
      if (!point) return fail(point);
      points_.push_back(*std::move(point));
    }
    if (points_.empty())
      return fail(ErrorCode::invalid, "no rows; expected a time and a speed", csv_.where());
    return std::move(points_);
  }

 private:
  Result<Point> read_point() const {
    Point point;
    const auto at = file::parse_timestamp(file::trimmed(csv_[time_]), file::TimeFormat::seconds);
    if (!at) return refuse(time_, at.error().what);
    const auto before = points_.empty() ? Duration::zero() : points_.back().at;
    if (*at < before || *at >= day_) {
      return refuse(time_, fmt::format("found {}; expected not before the row above, within the "
                                       "day of {}",
                                       format_duration(*at), format_duration(day_)));
    }
    point.at = *at;
    const auto speed = parse_number<double>(file::trimmed(csv_[speed_]));
    if (!speed || !(*speed >= 0 && *speed <= kSpeedMax)) {
      return refuse(speed_, fmt::format("found '{}'; expected a number from 0 to {}",
                                        csv_[speed_].substr(0, 40), kSpeedMax));
    }
    point.speed = *speed;
    if (!worker_ || file::trimmed(csv_[*worker_]).empty()) return point;
    const auto worker = parse_number<std::uint32_t>(file::trimmed(csv_[*worker_]));
    if (!worker || *worker >= workers_) {
      return refuse(*worker_,
                    fmt::format("found '{}'; expected the number of a worker, 0 to {}, or nothing",
                                csv_[*worker_].substr(0, 40), workers_ - 1));
    }
    point.workers = {*worker};
    return point;
  }

  [[nodiscard]] tl::unexpected<Error> refuse(std::size_t column, const std::string& what) const {
    return fail(ErrorCode::invalid, fmt::format("column '{}': {}", header_.name(column), what),
                csv_.where(column));
  }

  file::CsvReader& csv_;
  Duration day_;
  std::size_t workers_;
  file::CsvHeader header_;
  std::size_t time_ = 0, speed_ = 0;
  std::optional<std::size_t> worker_;
  std::vector<Point> points_;
};

}  // namespace

Result<std::vector<Point>> read_speed_file(const std::filesystem::path& path, Duration day,
                                           std::size_t workers) {
  auto in = file::open_text_file(path, file::CsvLimits{}.total_bytes);
  if (!in) return fail(in);
  file::CsvReader csv(*in, path.string());
  return SpeedRows(csv, day, workers).read();
}

}  // namespace artel::scenario::detail
