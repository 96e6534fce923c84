// Figures that are known from elsewhere for loads that are old when they are used. The simulations
// here are short: tolerances are what their noise asks for.
#include "tests/conformance/stale_loads.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <ostream>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/dispatch/closed_loop.hpp"
#include "artel/dispatch/controller.hpp"
#include "artel/dispatch/dice.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/jsq.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/shares.hpp"

namespace artel::conformance {
namespace {

using dispatch::ClosedLoop;
using dispatch::Draw;
using dispatch::Law;
using dispatch::LoadArray;
using dispatch::Policy;
using dispatch::Shares;

/// A policy that sees the loads as they were last shown.
double with_policy(const Queues& queues, Duration period, const Policy& policy) {
  LoadArray shown;
  return mean_response(
      queues, period, [&](const Board& board, Instant) { shown = board.loads; },
      [&](const Draw& draw) { return *dispatch::choose(policy, shown, draw); });
}

/// Tasks sampled from shares that are made whenever the loads are shown.
double with_shares(const Queues& queues, Duration period,
                   const std::function<Shares(const Board&, Instant)>& make) {
  Shares shares;
  return mean_response(
      queues, period, [&](const Board& board, Instant now) { shares = make(board, now); },
      [&](const Draw& draw) { return *shares.sample(dispatch::Dice(draw).uniform()); });
}

/// `level` with reports of all workers at the moment of publishing: Basic LI.
double with_level(const Queues& queues, Duration period) {
  dispatch::Controller controller({Law::level, period, period});
  for (std::size_t i = 0; i < queues.workers; ++i) controller.join(dispatch::worker(i), 1, {});
  return with_shares(queues, period, [&](const Board& board, Instant now) {
    for (std::size_t i = 0; i < queues.workers; ++i) {
      controller.report({.worker = dispatch::worker(i),
                         .queued = board.loads.load(dispatch::worker(i)).queued,
                         .committed = board.committed[i],
                         .sent = now,
                         .back = now});
    }
    return controller.publish(now);
  });
}

/// Shares in proportion to 1 / (1 + queued).
double with_inverse_weights(const Queues& queues, Duration period) {
  return with_shares(queues, period, [&](const Board& board, Instant) {
    std::vector<double> weights;
    weights.reserve(queues.workers);
    for (std::size_t i = 0; i < queues.workers; ++i) {
      weights.push_back(1.0 / (1 + board.loads.load(dispatch::worker(i)).queued));
    }
    return Shares(weights);
  });
}

struct Row {
  double period_s;
  double length_s;  // of a run long enough
  double jsq, jsq2, basic_li, inverse;
};

// 100 workers, load 0.9; random gives 10.0.
class StaleLoads : public ::testing::TestWithParam<Row> {};

TEST_P(StaleLoads, MeanResponsesAreThoseKnown) {
  const Row row = GetParam();
  const Duration period = from_seconds(row.period_s);
  const Queues queues{.length_s = row.length_s};
  const auto expect_close = [](double got, double known) { EXPECT_NEAR(got, known, 0.05 * known); };
  if (row.jsq > 0) {
    expect_close(with_policy(queues, period, dispatch::Jsq{.d = dispatch::Jsq::kAll}), row.jsq);
  }
  expect_close(with_policy(queues, period, dispatch::Jsq{.d = 2}), row.jsq2);
  expect_close(with_level(queues, period), row.basic_li);
  expect_close(with_inverse_weights(queues, period), row.inverse);
}

// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest looks for it
void PrintTo(const Row& row, std::ostream* out) { *out << "period " << row.period_s << " s"; }

INSTANTIATE_TEST_SUITE_P(Periods, StaleLoads,
                         ::testing::Values(Row{0.1, 1500, 1.53, 2.69, 1.47, 2.64},
                                           Row{1, 1500, 3.99, 2.97, 2.51, 3.00},
                                           Row{5, 6000, 12.0, 4.01, 3.99, 4.79},
                                           Row{10, 16'000, 23.4, 5.09, 4.90, 7.87},
                                           Row{50, 8000, 0, 12.4, 7.38, 55.4}));

}  // namespace
}  // namespace artel::conformance
