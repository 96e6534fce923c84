#include "artel/predict/detail/toml_text.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/join.hpp"
#include "artel/predict/service_fit.hpp"
#include "artel/scenario/workload.hpp"

namespace artel::predict::detail {
namespace {

struct ArrivalsText {
  std::string operator()(const scenario::PoissonArrivals& poisson) const {
    return fmt::format("{{ kind = \"poisson\", rate = {} }}", poisson.rate);
  }
  std::string operator()(const scenario::ConstantArrivals& constant) const {
    return fmt::format("{{ kind = \"constant\", rate = {} }}", constant.rate);
  }
  std::string operator()(const scenario::MmppArrivals& mmpp) const {
    std::vector<std::string> states;
    for (const auto& state : mmpp.states) {
      states.push_back(fmt::format("{{ rate = {}, mean_duration = {} }}", state.rate,
                                   seconds(state.mean_duration)));
    }
    return fmt::format("{{ kind = \"mmpp\", states = [{}] }}", join(states, ", "));
  }
  // A fit's gaps are gamma.
  std::string operator()(const scenario::RenewalArrivals& renewal) const {
    const double scv = renewal.gap.scv();
    return fmt::format(
        "{{ kind = \"renewal\", gap = {{ distribution = \"gamma\", shape = {}, scale = {} }} }}",
        1 / scv, renewal.gap.mean() * scv);
  }
  std::string operator()(const scenario::TimetableArrivals& timetable) const {
    std::vector<std::string> points;
    for (const auto& point : timetable.points)
      points.push_back(fmt::format("{{ at = {}, rate = {} }}", seconds(point.at), point.rate));
    return fmt::format("{{ kind = \"timetable\", day = {}, points = [{}] }}",
                       seconds(timetable.day), join(points, ", "));
  }
  std::string operator()(const scenario::TraceArrivals&) const { return "{ kind = \"trace\" }"; }
  // No fit makes one of the others.
  std::string operator()(const auto& /*arrivals*/) const { return {}; }
};

}  // namespace

std::string seconds(Duration duration) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  auto text = fmt::format("{}.{:09}", duration.count() / kSecond, duration.count() % kSecond);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text += '0';
  return text;
}

std::string toml_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\u{:04X}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string list(const std::vector<Duration>& values) {
  constexpr std::size_t kPerLine = 10;
  std::string text = "[";
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += i % kPerLine == 0 ? "\n  " : " ";
    text += seconds(values[i]) + ",";
  }
  return text + "\n]";
}

std::string law(const ServiceFit& fit) {
  const auto part = [](const auto& values) {
    return fmt::format("distribution = \"empirical\", values = {}", list(values));
  };
  if (fit.parts.size() == 1) return fmt::format("{{ {} }}", part(fit.parts.front().values));
  std::vector<std::string> parts;
  for (const auto& one : fit.parts)
    parts.push_back(fmt::format("{{ probability = {}, {} }}", one.share, part(one.values)));
  return fmt::format("{{ distribution = \"mixture\", parts = [{}] }}", join(parts, ", "));
}

std::string arrivals_table(const scenario::Arrivals& arrivals) {
  return std::visit(ArrivalsText{}, arrivals);
}

}  // namespace artel::predict::detail
