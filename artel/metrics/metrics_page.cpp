#include "artel/metrics/metrics_page.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/parse_number.hpp"

namespace artel::metrics {
namespace {

bool starts_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':';
}

bool goes_on_name(char c) { return starts_name(c) || (c >= '0' && c <= '9'); }

/// Takes one line apart, from left to right.
class SampleLine {
 public:
  explicit SampleLine(std::string_view text) : rest_(text) {}

  // What is wrong with it; nullptr: nothing.
  const char* read(MetricSample& sample) {
    sample.name = take_name();
    if (sample.name.empty()) return "expected the name of a metric";
    skip_blanks();
    if (take('{')) {
      if (const char* const problem = read_labels(sample.labels)) return problem;
    }
    skip_blanks();
    const auto value = take_value();
    if (!value) return "expected a number";
    sample.value = *value;
    if (!rest_.empty() && rest_.front() != ' ' && rest_.front() != '\t')
      return "expected a blank behind the number";
    skip_blanks();
    if (rest_.empty() || rest_.starts_with("# ")) return nullptr;  // an exemplar
    if (!take_number<double>(rest_)) return "expected a time behind the number";
    skip_blanks();
    return rest_.empty() || rest_.starts_with("# ") ? nullptr : "there is more behind the time";
  }

 private:
  bool take(char wanted) {
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size()));
  }
  std::string take_name() {
    if (rest_.empty() || !starts_name(rest_.front())) return {};
    const auto* const end = std::ranges::find_if_not(rest_, goes_on_name);
    std::string name(rest_.begin(), end);
    rest_.remove_prefix(name.size());
    return name;
  }

  const char* read_labels(Labels& labels) {
    for (;;) {
      skip_blanks();
      if (take('}')) break;
      auto name = take_name();
      if (name.empty()) return "expected the name of a label, or }";
      skip_blanks();
      if (!take('=')) return "expected = behind the name of a label";
      skip_blanks();
      std::string value;
      if (!take('"') || !read_quoted(value)) return "expected the value of a label in quotes";
      if (labels.size() == kLabelsMax) return "too many labels";
      labels.emplace_back(std::move(name), std::move(value));
      skip_blanks();
      if (take(',')) continue;
      if (take('}')) break;
      return "expected , or } behind a label";
    }
    std::ranges::sort(labels);
    const auto again = std::ranges::adjacent_find(
        labels, [](const auto& a, const auto& b) { return a.first == b.first; });
    return again == labels.end() ? nullptr : "a label is there twice";
  }

  // Up to the quote that ends it.
  bool read_quoted(std::string& value) {
    while (!rest_.empty()) {
      char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '"') return true;
      if (c == '\\') {
        if (rest_.empty()) return false;
        c = rest_.front() == 'n' ? '\n' : rest_.front();
        rest_.remove_prefix(1);
      }
      value += c;
    }
    return false;
  }

  // Go's way of writing numbers has a + before, too.
  std::optional<double> take_value() {
    if (rest_.starts_with('+') && !rest_.starts_with("+-")) rest_.remove_prefix(1);
    return take_number<double>(rest_);
  }

  std::string_view rest_;
};

auto key(const MetricSample& sample) { return std::tie(sample.name, sample.labels); }

}  // namespace

std::string_view MetricSample::label(std::string_view of) const {
  const auto found = std::ranges::find(labels, of, &Labels::value_type::first);
  return found == labels.end() ? std::string_view() : std::string_view(found->second);
}

MetricsPage::MetricsPage(std::vector<MetricSample> samples) {
  std::vector<MetricSample*> order;
  order.reserve(samples.size());
  for (auto& sample : samples) order.push_back(&sample);
  // Of equal ones the last comes first, and stays: they lie in one vector.
  std::ranges::sort(order, [](const MetricSample* a, const MetricSample* b) {
    return key(*a) == key(*b) ? a > b : key(*a) < key(*b);
  });
  for (auto* const sample : order) {
    if (samples_.empty() || key(samples_.back()) != key(*sample))
      samples_.push_back(std::move(*sample));
  }
}

std::span<const MetricSample> MetricsPage::named(std::string_view name) const {
  const auto found = std::ranges::equal_range(
      samples_, name, {}, [](const MetricSample& sample) { return std::string_view(sample.name); });
  return {found.begin(), found.end()};
}

const MetricSample* MetricsPage::find(std::string_view name, const Labels& labels) const {
  const auto all = named(name);
  const auto found = std::ranges::lower_bound(all, labels, {}, &MetricSample::labels);
  return found == all.end() || found->labels != labels ? nullptr : &*found;
}

PageReading read_metrics_page(std::string_view text, const std::string& name) {
  PageReading reading;
  std::vector<MetricSample> samples;
  const auto refuse = [&](std::uint64_t line, ErrorCode code, std::string what) {
    ++reading.bad;
    if (!reading.first_bad)
      reading.first_bad = Error{code, std::move(what), fmt::format("{}:{}", name, line)};
  };
  for (std::uint64_t number = 1; !text.empty(); ++number) {
    auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.empty() || line.front() == '#') continue;
    if (samples.size() == kSamplesMax) {
      refuse(number, ErrorCode::too_large, fmt::format("more than {} samples", kSamplesMax));
      break;
    }
    MetricSample sample;
    if (const char* const problem = SampleLine(line).read(sample)) {
      refuse(number, ErrorCode::parse, problem);
    } else {
      samples.push_back(std::move(sample));
    }
  }
  reading.page = MetricsPage(std::move(samples));
  return reading;
}

}  // namespace artel::metrics
