#include "artel/scenario/load_workload_trace.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/nearest_name.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/file/csv_header.hpp"
#include "artel/file/csv_reader.hpp"
#include "artel/file/parse_timestamp.hpp"
#include "artel/file/read_text_file.hpp"
#include "artel/scenario/detail/read_prefix.hpp"
#include "artel/scenario/detail/seconds_max.hpp"
#include "artel/scenario/expression.hpp"
#include "artel/scenario/workload_trace.hpp"

namespace artel::scenario {
namespace {

using detail::kSecondsMax;

Result<double> read_number(std::string_view text) {
  const auto number = parse_number<double>(text);
  if (number && std::isfinite(*number)) return *number;
  if (text.empty()) return fail(ErrorCode::parse, "found nothing; expected a number");
  return fail(ErrorCode::parse, fmt::format("found '{}'; expected a number", text.substr(0, 40)));
}

// Nothing when it is beyond ±292 years.
std::optional<Duration> difference(Duration late, Duration early) {
  Duration::rep between = 0;
  if (__builtin_sub_overflow(late.count(), early.count(), &between)) return std::nullopt;
  return Duration{between};
}

/// Turns records into rows of a WorkloadTrace.
class TraceReader {
 public:
  TraceReader(std::istream& in, const std::string& name, const TraceSpec& spec)
      : csv_(in, name),
        name_(name),
        spec_(spec),
        class_names_(spec.classes.begin(), spec.classes.end()) {}

  Result<WorkloadTrace> read() {
    if (const auto ready = prepare(); !ready) return fail(ready);
    for (;;) {
      const auto more = csv_.next();
      if (!more) return fail(more);
      if (!*more) break;
      if (const auto added = add_row(); !added) return fail(added);
    }
    if (rows_ == 0) {
      return fail(ErrorCode::invalid, "the trace has a header and no rows; expected at least one",
                  name_);
    }
    return std::move(trace_);
  }

 private:
  Result<bool> prepare() {
    auto some = csv_.next();
    if (!some) return some;
    if (!*some) {
      return fail(ErrorCode::invalid, "the trace is empty; expected a line with column names",
                  name_);
    }
    header_ = file::CsvHeader(csv_);
    if (spec_.time_column) {
      const auto column = header_.find(*spec_.time_column);
      if (!column) return fail(column);
      time_column_ = *column;
    }
    for (const auto& [name, column] : {std::pair(&spec_.class_column, &class_column_),
                                       std::pair(&spec_.patience_column, &patience_column_)}) {
      if (!*name) continue;
      const auto found = header_.find(**name);
      if (!found) return fail(found);
      *column = *found;
    }
    if (const auto ready = prepare(spec_.service, service_); !ready) return ready;
    if (const auto ready = prepare(spec_.join, join_); !ready) return ready;
    if (const auto ready = prepare(spec_.saves, saves_); !ready) return ready;
    return prepare_prefix();
  }

  Result<bool> prepare_prefix() {
    trace_.prefixes.block_tokens = spec_.block_tokens;
    for (const auto& [name, column] : {std::pair(&spec_.prefix, &prefix_column_),
                                       std::pair(&spec_.prefix_tokens, &tokens_column_)}) {
      if (!*name) continue;
      const auto found = header_.find(**name);
      if (!found) return fail(found);
      *column = *found;
    }
    return true;
  }

  // A time that each row says by a formula.
  struct Formula {
    std::optional<Expression> expression;
    std::vector<std::size_t> columns;
    std::vector<double> values;
  };

  Result<bool> prepare(const std::optional<std::string>& text, Formula& formula) {
    if (!text) return true;
    auto expression = Expression::compile(*text);
    if (!expression) return fail(expression);
    for (const auto& variable : expression->variables()) {
      const auto column = header_.find(variable);
      if (!column) return fail(column);
      formula.columns.push_back(*column);
    }
    formula.values.resize(formula.columns.size());
    formula.expression.emplace(std::move(*expression));
    return true;
  }

  Result<bool> add_row() {
    if (const auto whole = header_.check_length(csv_); !whole) {
      return tl::unexpected<Error>(whole.error());
    }
    ++rows_;
    if (spec_.time_column) {
      if (auto added = add_arrival(); !added) return added;
    }
    if (const auto added = add_time(service_, trace_.services); !added) return added;
    if (const auto added = add_kind(); !added) return added;
    if (const auto added = add_time(join_, trace_.joins); !added) return added;
    if (const auto added = add_time(saves_, trace_.saves); !added) return added;
    if (const auto right = check_saves(); !right) return right;
    return add_prefix();
  }

  // Of which class it is, and how long it waits.
  Result<bool> add_kind() {
    if (spec_.class_column) {
      const auto name = file::trimmed(csv_[class_column_]);
      const auto found = std::ranges::find(spec_.classes, name);
      if (found == spec_.classes.end())
        return refuse({ErrorCode::invalid, unknown_name("class", name, class_names_), {}},
                      class_column_);
      trace_.classes.push_back(static_cast<std::uint32_t>(found - spec_.classes.begin()));
    }
    if (!spec_.patience_column) return true;
    const auto text = file::trimmed(csv_[patience_column_]);
    if (text.empty()) {
      trace_.patience.push_back(kForever);
      return true;
    }
    const auto seconds = read_number(text);
    if (!seconds) return refuse(seconds.error(), patience_column_);
    if (!(*seconds >= 0 && *seconds <= kSecondsMax)) {
      return refuse({ErrorCode::invalid,
                     fmt::format("found '{}'; expected 0 to {} s, or nothing", text, kSecondsMax),
                     {}},
                    patience_column_);
    }
    trace_.patience.push_back(from_seconds(*seconds));
    return true;
  }

  Result<bool> check_saves() {
    if (!spec_.saves) return true;
    const auto whole = spec_.join ? trace_.joins.back() : trace_.services.back();
    if (trace_.saves.back() <= whole) return true;
    return fail(
        ErrorCode::invalid,
        fmt::format("{} saves {} of {}, {}", *spec_.saves, format_duration(trace_.saves.back()),
                    format_duration(whole), spec_.join ? *spec_.join : spec_.service.value_or("")),
        csv_.where());
  }

  Result<bool> add_prefix() {
    auto& prefixes = trace_.prefixes;
    if (!spec_.prefix) return true;
    const auto begin = prefixes.keys.size();
    const auto read = detail::read_prefix(csv_[prefix_column_], prefixes.keys);
    if (!read) return refuse(read.error(), prefix_column_);
    prefixes.ends.push_back(prefixes.keys.size());
    if (!spec_.prefix_tokens) return true;
    const auto tokens = parse_number<std::uint32_t>(file::trimmed(csv_[tokens_column_]));
    const auto blocks = prefixes.keys.size() - begin;
    const auto most = std::uint64_t{spec_.block_tokens} * blocks;
    if (!tokens || *tokens > most || (blocks > 0 && *tokens <= most - spec_.block_tokens)) {
      return refuse({ErrorCode::invalid,
                     fmt::format("found '{}'; {} blocks of {} hold {} to {}",
                                 csv_[tokens_column_].substr(0, 40), blocks, spec_.block_tokens,
                                 blocks == 0 ? 0 : most - spec_.block_tokens + 1, most),
                     {}},
                    tokens_column_);
    }
    prefixes.tokens.push_back(*tokens);
    return true;
  }

  Result<bool> add_arrival() {
    const auto text = file::trimmed(csv_[time_column_]);
    const auto time = file::parse_timestamp(text, spec_.time_format);
    if (!time) return refuse(time.error(), time_column_);
    if (rows_ == 1) first_ = last_ = *time;
    if (*time < last_) {
      return refuse({ErrorCode::invalid,
                     fmt::format("'{}' is {} before the row above; sort the rows by time", text,
                                 format_duration(difference(last_, *time).value_or(kForever))),
                     {}},
                    time_column_);
    }
    const auto since = difference(*time, first_);
    if (!since) {
      return refuse({ErrorCode::invalid, "the trace is longer than 292 years", {}}, time_column_);
    }
    last_ = *time;
    trace_.arrivals.emplace_back(*since);
    return true;
  }

  Result<bool> add_time(Formula& formula, std::vector<Duration>& times) {
    if (!formula.expression) return true;
    for (std::size_t i = 0; i < formula.values.size(); ++i) {
      const auto value = read_number(file::trimmed(csv_[formula.columns[i]]));
      if (!value) return refuse(value.error(), formula.columns[i]);
      formula.values[i] = *value;
    }
    const double seconds = formula.expression->evaluate(formula.values);
    if (!(seconds >= 0 && seconds <= kSecondsMax)) {
      return fail(ErrorCode::invalid,
                  fmt::format("{} is {}; expected 0 to {} s", formula.expression->text(),
                              std::isnan(seconds) ? "not a number" : fmt::format("{} s", seconds),
                              kSecondsMax),
                  csv_.where());
    }
    times.push_back(from_seconds(seconds));
    return true;
  }

  [[nodiscard]] tl::unexpected<Error> refuse(const Error& error, std::size_t column) const {
    return fail(error.code, fmt::format("column '{}': {}", header_.name(column), error.what),
                csv_.where(column));
  }

  file::CsvReader csv_;
  const std::string& name_;
  const TraceSpec& spec_;
  std::vector<std::string_view> class_names_;
  file::CsvHeader header_;
  std::size_t time_column_ = 0;
  std::size_t class_column_ = 0;
  std::size_t patience_column_ = 0;
  std::size_t prefix_column_ = 0;
  std::size_t tokens_column_ = 0;
  Formula service_, join_, saves_;
  std::uint64_t rows_ = 0;
  Duration first_{}, last_{};
  WorkloadTrace trace_;
};

}  // namespace

Result<WorkloadTrace> read_workload_trace(std::istream& in, const std::string& name,
                                          const TraceSpec& spec) {
  return TraceReader(in, name, spec).read();
}

Result<WorkloadTrace> load_workload_trace(const std::filesystem::path& path,
                                          const TraceSpec& spec) {
  auto file = file::open_text_file(path, file::CsvLimits{}.total_bytes);
  if (!file) return fail(file);
  return read_workload_trace(*file, path.string(), spec);
}

}  // namespace artel::scenario
