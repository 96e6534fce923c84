// Map over items that cost nothing, a microsecond, and that come one by one; speed and peak memory.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <execution>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>
#include <ranges>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "artel/parallel/lazy_map.hpp"
#include "artel/parallel/map.hpp"
#include "artel/pool/pool.hpp"
#include "bench/measure.hpp"
#include "bench/spin.hpp"

namespace artel::bench {
namespace {

// Of this process, from /proc/self/status; `key` is "VmRSS" (now) or "VmHWM" (peak).
double memory_mb(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key)) return std::stod(line.substr(key.size() + 1)) / 1024;
  }
  return 0;
}

void forget_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

// Runs `body`, which handles so many items and returns its answer.
Outcome measured(std::size_t items, const std::function<std::uint64_t()>& body) {
  forget_peak();
  const double before = memory_mb("VmRSS");
  std::uint64_t answer = 0;
  const double seconds = seconds_of([&] { answer = body(); });
  return {{{"items_per_s", "1/s", static_cast<double>(items) / seconds},
           {"peak_memory", "MB", memory_mb("VmHWM") - before}},
          std::to_string(answer)};
}

pool::Pool& the_pool() {
  static pool::Pool pool{{.name = "bench"}};
  return pool;
}

// A lambda, so that every contender can inline it.
constexpr auto kSquare = [](double x) { return x * x + 1; };

std::uint64_t sum_of(const std::vector<double>& values) {
  return static_cast<std::uint64_t>(std::accumulate(values.begin(), values.end(), 0.0));
}

// An input range, once through.
class Numbers : public std::ranges::view_interface<Numbers> {
 public:
  explicit Numbers(std::size_t n) : n_(n) {}
  class Iterator {
   public:
    using value_type = std::uint64_t;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    explicit Iterator(Numbers& range) : range_(&range) {}
    value_type operator*() const { return range_->at(); }
    Iterator& operator++() {
      range_->next();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& at, std::default_sentinel_t /*end*/) {
      return at.at_end();
    }

   private:
    [[nodiscard]] bool at_end() const { return range_->at() == range_->n_; }
    Numbers* range_ = nullptr;
  };
  Iterator begin() { return Iterator(*this); }
  static std::default_sentinel_t end() { return {}; }
  [[nodiscard]] std::uint64_t at() const { return at_; }
  void next() { ++at_; }

 private:
  std::size_t n_;
  std::uint64_t at_ = 0;
};

// Tells whether results came in order, and all of them.
class InOrder {
 public:
  void add(std::uint64_t result) { sum_ = sum_ * 31 + result; }
  [[nodiscard]] std::uint64_t answer() const { return sum_; }

 private:
  std::uint64_t sum_ = 0;
};

// So many passes of a loop, and something to add up.
std::uint64_t work(std::uint64_t item, std::uint64_t passes) {
  spin(passes);
  return item * item;
}

class Suite {
 public:
  explicit Suite(Comparison& comparison) : comparison_(comparison) {}

  // Into memory that is there already.
  void add_square(const std::string& workload, std::size_t n) {
    const auto add_into = [&](std::string contender, auto transform) {
      add(std::move(contender), workload, [=] {
        std::vector<double> in(n), out(n);
        std::iota(in.begin(), in.end(), 0.0);
        auto outcome = measured(n, [&] {
          transform(in, out);
          return std::uint64_t{};
        });
        outcome.answer = std::to_string(sum_of(out));
        return outcome;
      });
    };
    add_into("tbb-parallel_for", [](const auto& in, auto& out) {
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, in.size()), [&](const auto& range) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) out[i] = kSquare(in[i]);
      });
    });
    add_into("artel-map", [](const auto& in, auto& out) {
      parallel::map(the_pool(), in, kSquare, out.begin());
    });
    add_into("std-transform-par", [](const auto& in, auto& out) {
      std::transform(std::execution::par, in.begin(), in.end(), out.begin(), kSquare);
    });
    add_into("serial", [](const auto& in, auto& out) {
      std::transform(in.begin(), in.end(), out.begin(), kSquare);
    });
  }

  // Into a new vector.
  void add_square_vector(const std::string& workload, std::size_t n) {
    const auto add_new = [&](std::string contender, auto transformed) {
      add(std::move(contender), workload, [=] {
        std::vector<double> in(n), out;
        std::iota(in.begin(), in.end(), 0.0);
        auto outcome = measured(n, [&] {
          out = transformed(in);
          return std::uint64_t{};
        });
        outcome.answer = std::to_string(sum_of(out));
        return outcome;
      });
    };
    add_new("tbb-parallel_for", [](const auto& in) {
      std::vector<double> out(in.size());
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, in.size()), [&](const auto& range) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) out[i] = kSquare(in[i]);
      });
      return out;
    });
    add_new("artel-map", [](const auto& in) { return parallel::map(the_pool(), in, kSquare); });
    add_new("serial", [](const auto& in) {
      std::vector<double> out;
      out.reserve(in.size());
      std::transform(in.begin(), in.end(), std::back_inserter(out), kSquare);
      return out;
    });
  }

  // The first one, as many threads as workers that do nothing else, is what there is to reach.
  void add_spin(const std::string& workload, std::size_t n, std::uint64_t passes) {
    const auto items = std::views::iota(std::uint64_t{0}, std::uint64_t{n});
    const auto each = [passes](std::uint64_t i) { static_cast<void>(work(i, passes)); };
    const auto add_each = [&](std::string contender, auto for_each) {
      add(std::move(contender), workload, [=] {
        return measured(n, [&] {
          for_each(items, each);
          return std::uint64_t{};
        });
      });
    };
    add_each("limit", [](const auto& range, const auto& fn) {
      const std::size_t threads = the_pool().size();
      std::vector<std::jthread> crew;
      for (std::size_t t = 0; t < threads; ++t) {
        crew.emplace_back([&, t] {
          for (std::size_t i = t; i < range.size(); i += threads) fn(i);
        });
      }
    });
    add_each("artel-for_each",
             [](const auto& range, const auto& fn) { parallel::for_each(the_pool(), range, fn); });
    add_each("tbb-parallel_for", [](const auto& range, const auto& fn) {
      tbb::parallel_for(std::uint64_t{0}, std::uint64_t{range.size()}, fn);
    });
    add_each("std-for_each-par", [](const auto& range, const auto& fn) {
      std::vector<std::uint64_t> numbers(range.size());
      std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
      std::for_each(std::execution::par, numbers.begin(), numbers.end(), fn);
    });
    add_each("serial", [](const auto& range, const auto& fn) { std::ranges::for_each(range, fn); });
  }

  // From an input range, to a consumer that wants the results in order.
  void add_stream(const std::string& workload, std::size_t n, std::uint64_t passes) {
    const auto fn = [passes](std::uint64_t i) { return work(i, passes); };
    const auto add_ordered = [&](std::string contender, auto run) {
      add(std::move(contender), workload, [=] {
        return measured(n, [&] {
          InOrder results;
          run(Numbers(n), fn, results);
          return results.answer();
        });
      });
    };
    add_ordered("tbb-pipeline", [n](auto, const auto& f, InOrder& results) {
      pipeline(Numbers(n), f, results, 1);
    });
    add_ordered("tbb-pipeline-1000", [n](auto, const auto& f, InOrder& results) {
      pipeline(Numbers(n), f, results, 1000);
    });
    add_ordered("artel-lazy_map", [](Numbers numbers, const auto& f, InOrder& results) {
      for (const std::uint64_t result : parallel::lazy_map(the_pool(), std::move(numbers), f)) {
        results.add(result);
      }
    });
    add_ordered("artel-map-out", [](Numbers numbers, const auto& f, InOrder& results) {
      parallel::map(the_pool(), std::move(numbers), f, Adder{&results});
    });
    add_ordered("serial", [](Numbers numbers, const auto& f, InOrder& results) {
      for (const std::uint64_t item : numbers) results.add(f(item));
    });
  }

 private:
  // An output iterator.
  struct Adder {
    using difference_type = std::ptrdiff_t;
    InOrder* results;
    Adder& operator*() { return *this; }
    Adder& operator++() { return *this; }
    Adder operator++(int) { return *this; }
    Adder& operator=(std::uint64_t result) {
      results->add(result);
      return *this;
    }
  };

  // oneTBB's way, with items bundled by hand if `bundle` is not 1.
  template <class F>
  static void pipeline(Numbers numbers, const F& fn, InOrder& results, std::size_t bundle) {
    using Bundle = std::vector<std::uint64_t>;
    const std::size_t tokens = std::size_t{the_pool().size()} * 4;
    auto at = numbers.begin();
    if (bundle == 1) {
      tbb::parallel_pipeline(
          tokens,
          tbb::make_filter<void, std::uint64_t>(tbb::filter_mode::serial_in_order,
                                                [&](tbb::flow_control& control) {
                                                  if (at == numbers.end()) {
                                                    control.stop();
                                                    return std::uint64_t{};
                                                  }
                                                  const std::uint64_t item = *at;
                                                  ++at;
                                                  return item;
                                                }) &
              tbb::make_filter<std::uint64_t, std::uint64_t>(tbb::filter_mode::parallel, fn) &
              tbb::make_filter<std::uint64_t, void>(
                  tbb::filter_mode::serial_in_order,
                  [&](std::uint64_t result) { results.add(result); }));
      return;
    }
    tbb::parallel_pipeline(tokens,
                           tbb::make_filter<void, Bundle>(
                               tbb::filter_mode::serial_in_order,
                               [&](tbb::flow_control& control) {
                                 Bundle items;
                                 items.reserve(bundle);
                                 for (; items.size() < bundle && at != numbers.end(); ++at) {
                                   items.push_back(*at);
                                 }
                                 if (items.empty()) control.stop();
                                 return items;
                               }) &
                               tbb::make_filter<Bundle, Bundle>(tbb::filter_mode::parallel,
                                                                [&](Bundle items) {
                                                                  for (auto& item : items)
                                                                    item = fn(item);
                                                                  return items;
                                                                }) &
                               tbb::make_filter<Bundle, void>(tbb::filter_mode::serial_in_order,
                                                              [&](const Bundle& items) {
                                                                for (const auto item : items)
                                                                  results.add(item);
                                                              }));
  }

  void add(std::string contender, const std::string& workload, std::function<Outcome()> run) {
    comparison_.add({std::move(contender), workload, std::move(run)});
  }

  Comparison& comparison_;
};

}  // namespace
}  // namespace artel::bench

int main(int argc, char** argv) {
  using namespace artel::bench;
  Comparison comparison("flow_map", argc, argv);
  Suite suite(comparison);
  const bool smoke = comparison.smoke();
  const std::size_t many = smoke ? 10'000 : 10'000'000;
  const std::size_t some = smoke ? 1'000 : 1'000'000;
  const std::uint64_t us = passes_per_us();
  suite.add_square("square/10M", many);
  suite.add_square_vector("square/10M/vector", many);
  suite.add_spin("spin1us/1M", some, us);
  suite.add_stream("stream/1M", some, us / 10);
  return comparison.run();
}
