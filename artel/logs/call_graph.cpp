#include "artel/logs/call_graph.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/parse_number.hpp"
#include "artel/logs/detail/byte_source.hpp"
#include "artel/logs/detail/chosen_format.hpp"
#include "artel/logs/detail/json_objects.hpp"
#include "artel/logs/log_format.hpp"
#include "artel/logs/read_log.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::logs {
namespace {

constexpr std::size_t kSpansMax = 20'000'000;
constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// What is kept of a span; ids are hashes.
struct Span {
  std::uint64_t id = 0, parent = 0;  // parent 0: none
  Instant start{}, end{};
  std::uint32_t service = 0;
  std::uint32_t up = kNone;      // the parent's number
  std::uint32_t visit = kNone;   // the visit that it is part of
  std::uint32_t caller = kNone;  // of a visit: the visit that calls it
  bool is_visit = false;         // of a server or a consumer
  bool is_call = false;          // of a client or a producer
};

struct Interval {
  Instant begin, end;
};

// How long one of them lasts, or several at once.
Duration covered(std::vector<Interval>& intervals) {
  std::ranges::sort(intervals, {}, &Interval::begin);
  Duration sum{};
  Instant until = Instant::min();
  for (const auto& [begin, end] : intervals) {
    if (end <= until) continue;
    sum += end - std::max(begin, until);
    until = end;
  }
  return sum;
}

/// Reads spans and finds out what belongs to what.
class GraphReader {
 public:
  explicit GraphReader(std::string name) : name_(std::move(name)) {}

  Result<CallGraph> read(std::istream& in) {
    if (const auto done = read_spans(in); !done) return fail(done);
    link();
    if (const auto found = find_entry(); !found) return fail(found);
    measure();
    count_calls();
    put_in_order();
    return std::move(graph_);
  }

 private:
  Result<void> read_spans(std::istream& in) {
    static const std::vector<LogField> fields{
        {"traceId", Role::key},         {"spanId", Role::key},
        {"parentSpanId", Role::key},    {"startTimeUnixNano", Role::key},
        {"endTimeUnixNano", Role::key}, {"kind", Role::key},
        {"service.name", Role::key}};
    detail::ByteSource source(in);
    detail::JsonObjects objects("resourceSpans.scopeSpans.spans", fields,
                                [this](auto values) { take(values); });
    std::size_t stopped = 0;
    if (!detail::is_line_of_json(source.peek(kTellingBytes))) {
      if (!objects.read(source, stopped))
        return fail(ErrorCode::parse, "this is not JSON, or it is cut off here",
                    fmt::format("{}:1:{}", name_, stopped + 1));
    } else {
      while (const auto text = source.line()) {
        if (!text->empty() && !objects.read(*text, stopped))
          return fail(ErrorCode::parse, "this is not JSON",
                      fmt::format("{}:{}:{}", name_, source.line_number(), stopped + 1));
      }
    }
    if (too_many_)
      return fail(ErrorCode::too_large, fmt::format("more than {} spans", kSpansMax), name_);
    graph_.spans = spans_.size();
    return {};
  }

  void take(std::span<const std::string_view> values) {
    const auto start = parse_number<std::int64_t>(values[3]);
    const auto end = parse_number<std::int64_t>(values[4]);
    const auto most = trace::TaskRecord::kTimeMax.count();
    if (!start || !end || *start < 0 || *end < *start || *end > most) return;
    if (spans_.size() >= kSpansMax) {
      too_many_ = true;
      return;
    }
    const auto id = [&](std::string_view span) {
      key_.assign(values[0]).append(span);
      return static_cast<std::uint64_t>(std::hash<std::string_view>{}(key_)) | 1U;
    };
    const auto kind = values[5];
    spans_.push_back({.id = id(values[1]),
                      .parent = values[2].empty() ? 0 : id(values[2]),
                      .start = Instant{Duration{*start}},
                      .end = Instant{Duration{*end}},
                      .service = service_of(values[6]),
                      .is_visit = kind == "2" || kind == "5" || kind == "SPAN_KIND_SERVER" ||
                                  kind == "SPAN_KIND_CONSUMER",
                      .is_call = kind == "3" || kind == "4" || kind == "SPAN_KIND_CLIENT" ||
                                 kind == "SPAN_KIND_PRODUCER"});
  }

  std::uint32_t service_of(std::string_view name) {
    const auto number = static_cast<std::uint32_t>(graph_.services.size());
    const auto [entry, added] = services_.try_emplace(std::string(name), number);
    if (added)
      graph_.services.push_back({.name = name.empty() ? "(none)" : trace::class_name(name)});
    return entry->second;
  }

  // A span is part of the nearest visit above it; a visit is called by the nearest one above.
  void link() {
    std::unordered_map<std::uint64_t, std::uint32_t> numbers;
    numbers.reserve(spans_.size());
    for (std::uint32_t i = 0; i < spans_.size(); ++i) numbers.try_emplace(spans_[i].id, i);
    for (auto& span : spans_) {
      const auto found = span.parent == 0 ? numbers.end() : numbers.find(span.parent);
      if (found != numbers.end() && &spans_[found->second] != &span) span.up = found->second;
    }
    for (std::uint32_t i = 0; i < spans_.size(); ++i) {
      if (spans_[i].is_visit) spans_[i].visit = i;
    }
    for (auto& span : spans_) {
      const auto above = visit_above(span);
      (span.is_visit ? span.caller : span.visit) = above;
    }
  }

  [[nodiscard]] std::uint32_t visit_above(const Span& span) const {
    constexpr int kDepthMax = 1000;  // what is deeper, or goes in circles, is nobody's
    auto at = span.up;
    for (int depth = 0; at != kNone && depth < kDepthMax; ++depth) {
      if (spans_[at].visit != kNone) return spans_[at].visit;
      at = spans_[at].up;
    }
    return kNone;
  }

  // The request that a visit is of.
  [[nodiscard]] std::uint32_t root_of(std::uint32_t visit) const {
    constexpr int kDepthMax = 1000;
    for (int depth = 0; depth < kDepthMax; ++depth) {
      if (spans_[visit].caller == kNone) return visit;
      visit = spans_[visit].caller;
    }
    return kNone;
  }

  Result<void> find_entry() {
    std::vector<std::uint64_t> requests(graph_.services.size());
    std::uint64_t all = 0;
    for (const auto& span : spans_) {
      if (!span.is_visit || span.caller != kNone) continue;
      ++requests[span.service];
      ++all;
    }
    if (all == 0) {
      return fail(ErrorCode::parse,
                  "no request comes from outside: no span of kind SERVER or CONSUMER without one "
                  "above it",
                  name_);
    }
    entry_ = static_cast<std::uint32_t>(std::ranges::max_element(requests) - requests.begin());
    graph_.elsewhere = all - requests[entry_];
    return {};
  }

  // Times of visits, and what of them is calls.
  void measure() {
    std::vector<std::vector<Interval>> within(spans_.size());
    for (const auto& span : spans_) {
      if (!span.is_visit || span.caller == kNone) continue;
      const auto& caller = spans_[span.caller];
      const auto& way = span.up != kNone && spans_[span.up].is_call ? spans_[span.up] : span;
      const Interval call{std::clamp(way.start, caller.start, caller.end),
                          std::clamp(way.end, caller.start, caller.end)};
      if (call.begin < call.end) within[span.caller].push_back(call);
    }
    // [service, request]
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> visits;
    std::vector<std::uint32_t> roots;
    own_.resize(spans_.size());
    for (std::uint32_t i = 0; i < spans_.size(); ++i) {
      const auto& span = spans_[i];
      const auto root = span.is_visit ? root_of(i) : kNone;
      if (root == kNone || spans_[root].service != entry_) continue;
      if (root == i) roots.push_back(i);
      visits[{span.service, root}].push_back(i);
      graph_.services[span.service].own.push_back(span.end - span.start - covered(within[i]));
      own_[i] = graph_.services[span.service].own.back();
      counted_.push_back(i);
    }
    std::ranges::sort(roots, [&](auto a, auto b) {
      return std::tie(spans_[a].start, a) < std::tie(spans_[b].start, b);
    });
    for (const auto root : roots) {
      graph_.arrivals.push_back(spans_[root].start);
      graph_.responses.push_back(spans_[root].end - spans_[root].start);
    }
    std::vector<std::int64_t> beside(graph_.services.size());  // pairs that overlap, less others
    std::vector<double> first_s(graph_.services.size());
    for (auto& [key, of_request] : visits) add_request(key, of_request, beside, first_s);
    for (std::size_t s = 0; s < graph_.services.size(); ++s) {
      auto& service = graph_.services[s];
      service.at_once = beside[s] > 0;
      if (service.requests > 0)
        service.first = from_seconds(first_s[s] / static_cast<double>(service.requests));
    }
  }

  // The visits of one request to one service.
  void add_request(const std::pair<std::uint32_t, std::uint32_t>& key,
                   std::vector<std::uint32_t>& visits, std::vector<std::int64_t>& beside,
                   std::vector<double>& first_s) {
    const auto [number, root] = key;
    auto& service = graph_.services[number];
    std::ranges::sort(visits, {}, [&](auto i) { return spans_[i].start; });
    Duration sum{};
    auto until = Instant::min();
    for (const auto i : visits) {
      sum += own_[i];
      if (until != Instant::min()) beside[number] += spans_[i].start < until ? 1 : -1;
      until = std::max(until, spans_[i].end);
    }
    service.visits += visits.size();
    ++service.requests;
    service.own_of_request.push_back(sum);
    first_s[number] += std::max(0.0, to_seconds(spans_[visits.front()].start - spans_[root].start));
  }

  void count_calls() {
    std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> counts;
    std::vector<std::vector<std::pair<Instant, int>>> changes(graph_.services.size());
    for (const auto i : counted_) {
      const auto& span = spans_[i];
      changes[span.service].emplace_back(span.start, 1);
      changes[span.service].emplace_back(span.end, -1);
      if (span.caller != kNone) ++counts[{spans_[span.caller].service, span.service}];
    }
    for (std::size_t s = 0; s < changes.size(); ++s) {
      std::ranges::sort(changes[s]);  // ends before begins
      int now = 0, most = 0;
      for (const auto& [at, change] : changes[s]) most = std::max(most, now += change);
      graph_.services[s].most_at_once = static_cast<std::uint32_t>(most);
    }
    for (const auto& [pair, calls] : counts)
      graph_.calls.push_back({pair.first, pair.second, calls});
  }

  // The entry first, then in order of when a request comes there; who has no visits goes.
  void put_in_order() {
    std::vector<std::size_t> order;
    for (std::size_t s = 0; s < graph_.services.size(); ++s) {
      if (graph_.services[s].visits > 0) order.push_back(s);
    }
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      if ((a == entry_) != (b == entry_)) return a == entry_;
      const auto &one = graph_.services[a], &other = graph_.services[b];
      return std::tie(one.first, one.name) < std::tie(other.first, other.name);
    });
    std::vector<std::size_t> place(graph_.services.size());
    std::vector<CallGraph::CalledService> sorted;
    for (const auto s : order) {
      place[s] = sorted.size();
      sorted.push_back(std::move(graph_.services[s]));
    }
    graph_.services = std::move(sorted);
    for (auto& call : graph_.calls) call = {place[call.from], place[call.to], call.calls};
    std::ranges::sort(graph_.calls, [](const auto& a, const auto& b) {
      return std::tie(a.from, a.to) < std::tie(b.from, b.to);
    });
  }

  std::string name_;
  CallGraph graph_;
  std::vector<Span> spans_;
  std::unordered_map<std::string, std::uint32_t> services_;
  std::vector<std::uint32_t> counted_;  // visits of the entry's requests …
  std::vector<Duration> own_;           // … and of each, by span, the time without its calls
  std::uint32_t entry_ = 0;
  std::string key_;
  bool too_many_ = false;
};

}  // namespace

Result<CallGraph> read_call_graph(std::istream& in, const std::string& name) {
  return GraphReader(name).read(in);
}

}  // namespace artel::logs
