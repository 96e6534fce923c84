#include "artel/parallel/map.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <iterator>
#include <list>
#include <memory>
#include <ranges>

#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/parallel/executor.hpp"
#include "artel/parallel/map_options.hpp"
#include "artel/parallel/progress.hpp"
#include "artel/pool/pool.hpp"
#include "tests/parallel/generated.hpp"

namespace artel::parallel {
namespace {

std::string reversed(const std::string& text) { return {text.rbegin(), text.rend()}; }

// Counts the grants that it passes on to a pool.
struct CountingExecutor {
  pool::Pool& pool;
  std::atomic<int> grants = 0;

  [[nodiscard]] std::size_t width() const { return pool.size(); }
  template <class WorkGrant>
  bool start(WorkGrant grant) {
    ++grants;
    return ExecutorTraits<pool::Pool>::start(pool, std::move(grant));
  }
};

TEST(Map, ExampleOfTheArticle) {
  pool::Pool pool{{.workers = 2}};
  const std::vector<std::string> source{"ab", "cd", "ef", "gh"};
  EXPECT_EQ(map(pool, source, reversed, {.chunk = 2, .workers = 2}),
            (std::vector<std::string>{"ba", "dc", "fe", "hg"}));
}

TEST(Map, EmptySourceGivesEmptyResultAndStartsNothing) {
  pool::Pool pool{{.workers = 2}};
  CountingExecutor executor{pool};
  EXPECT_TRUE(map(executor, std::vector<int>{}, [](int x) { return x; }).empty());
  EXPECT_TRUE(map(executor, countdown(0), [](const auto& x) { return *x; }, {.chunk = 3}).empty());
  EXPECT_EQ(executor.grants, 0);
}

TEST(Map, SourceOfOneChunkRunsInTheCaller) {
  pool::Pool pool{{.workers = 4}};
  CountingExecutor executor{pool};
  const auto here = [caller = std::this_thread::get_id()](const auto& /*item*/) {
    return std::this_thread::get_id() == caller;
  };
  const std::vector<bool> all(5, true);
  EXPECT_EQ(map(executor, std::vector<int>(5), here, {.chunk = 5}), all);
  EXPECT_EQ(map(executor, countdown(5), here, {.chunk = 5}), all);
  EXPECT_EQ(map(executor, countdown(5), here, {.chunk = 50}), all);
  EXPECT_EQ(executor.grants, 0);
  static_cast<void>(map(executor, countdown(6), here, {.chunk = 5}));
  EXPECT_GT(executor.grants, 0);
}

TEST(Map, InitialDistributionStopsWithTheSource) {
  pool::Pool pool{{.workers = 8}};
  CountingExecutor executor{pool};
  const std::vector<int> source{1, 2, 3};
  EXPECT_EQ(map(executor, source, [](int x) { return -x; }, {.chunk = 1}),
            (std::vector<int>{-1, -2, -3}));
  EXPECT_LE(executor.grants, 2);  // the third is the caller's
}

TEST(Map, InlineExecutorNeedsNoWorkers) {
  InlineExecutor executor;
  EXPECT_EQ(map(executor, std::vector<int>{1, 2, 3}, [](int x) { return 2 * x; }, {.chunk = 1}),
            (std::vector<int>{2, 4, 6}));
}

TEST(Map, AtMostOneChunkPerWorkerIsAlive) {
  for (const Start start : {Start::distribute, Start::empty}) {
    pool::Pool pool{{.workers = 3}};
    constexpr std::size_t kChunk = 4;
    Tracked::reset();
    const auto result = map(pool, tracked(1000), [](const Tracked& item) { return item.value(); },
                            {.chunk = kChunk, .workers = 3, .start = start});
    EXPECT_EQ(result.size(), 1000);
    EXPECT_TRUE(std::ranges::is_sorted(result));
    EXPECT_LE(Tracked::most(), 3 * kChunk + 1);  // one is on its way into its chunk
    EXPECT_EQ(Tracked::alive(), 0);
  }
}

TEST(Map, WindowBoundsWhatIsAlive) {
  pool::Pool pool{{.workers = 4}};
  Tracked::reset();
  std::vector<int> out;
  map(pool, tracked(500), [](const Tracked& item) { return item.value(); }, std::back_inserter(out),
      {.chunk = 5, .workers = 4, .window = 2});
  EXPECT_EQ(out.size(), 500);
  EXPECT_TRUE(std::ranges::is_sorted(out));
  EXPECT_LE(Tracked::most(), 2 * 5 + 1);
}

TEST(Map, MoveOnlyItemsAndResults) {
  pool::Pool pool{{.workers = 2}};
  const auto next = [](std::unique_ptr<int> x) { return std::make_unique<int>(*x + 1); };
  const auto streamed = map(pool, countdown(100), next, {.chunk = 3});
  ASSERT_EQ(streamed.size(), 100);
  EXPECT_EQ(*streamed.front(), 101);
  EXPECT_EQ(*streamed.back(), 2);

  std::vector<std::unique_ptr<int>> owned;
  for (int i = 0; i < 10; ++i) owned.push_back(std::make_unique<int>(i));
  const auto indexed = map(pool, std::move(owned), next, {.chunk = 3});
  ASSERT_EQ(indexed.size(), 10);
  EXPECT_EQ(*indexed.back(), 10);

  std::list<std::unique_ptr<int>> listed;
  for (int i = 0; i < 10; ++i) listed.push_back(std::make_unique<int>(i));
  EXPECT_EQ(*map(pool, std::move(listed), next, {.chunk = 3}).back(), 10);
}

TEST(Map, LeavesTheItemsOfAnLvalueAlone) {
  pool::Pool pool{{.workers = 2}};
  std::vector<std::string> words(20, "a word that is too long to be kept in place");
  std::list<std::string> listed(words.begin(), words.end());
  const auto before = words;
  // NOLINTNEXTLINE(performance-unnecessary-value-param): it may take the item over
  const auto length = [](std::string word) { return word.size(); };
  static_cast<void>(map(pool, words, length, {.chunk = 2}));
  static_cast<void>(map(pool, listed, length, {.chunk = 2}));
  EXPECT_EQ(words, before);
  EXPECT_TRUE(std::ranges::equal(listed, before));
}

TEST(Map, ItemsOfAListAreNotCopied) {
  pool::Pool pool{{.workers = 2}};
  std::list<std::atomic<int>> cells(50);
  for_each(pool, cells, [](std::atomic<int>& cell) { ++cell; }, {.chunk = 3});
  EXPECT_TRUE(std::ranges::all_of(cells, [](const auto& cell) { return cell == 1; }));
}

TEST(Map, ReadsInputStreams) {
  pool::Pool pool{{.workers = 2}};
  std::istringstream in("1 2 3 4 5 6 7 8 9");
  EXPECT_EQ(map(pool, std::views::istream<int>(in), [](int x) { return x * x; }, {.chunk = 2}),
            (std::vector<int>{1, 4, 9, 16, 25, 36, 49, 64, 81}));
}

TEST(Map, WritesToAnyOutput) {
  pool::Pool pool{{.workers = 2}};
  const auto numbers = std::views::iota(0, 10);
  std::vector<int> places(12, -1);
  const auto end = map(pool, numbers, [](int x) { return 3 * x; }, places.begin(), {.chunk = 2});
  EXPECT_EQ(end - places.begin(), 10);
  EXPECT_EQ(places, (std::vector<int>{0, 3, 6, 9, 12, 15, 18, 21, 24, 27, -1, -1}));
  std::ostringstream text;
  map(pool, numbers, [](int x) { return x; }, std::ostream_iterator<int>(text, " "), {.chunk = 2});
  EXPECT_EQ(text.str(), "0 1 2 3 4 5 6 7 8 9 ");
}

TEST(Map, ReadsViews) {
  pool::Pool pool{{.workers = 2}};
  const std::vector<int> numbers{1, 2, 3, 4, 5, 6};
  const auto same = [](int x) { return x; };
  EXPECT_EQ(
      map(pool, numbers | std::views::transform([](int x) { return 2 * x; }), same, {.chunk = 2}),
      (std::vector<int>{2, 4, 6, 8, 10, 12}));
  EXPECT_EQ(map(pool, numbers | std::views::reverse | std::views::drop(1), same, {.chunk = 2}),
            (std::vector<int>{5, 4, 3, 2, 1}));
  EXPECT_EQ(
      map(pool, numbers | std::views::filter([](int x) { return x % 2 == 0; }), same, {.chunk = 2}),
      (std::vector<int>{2, 4, 6}));
}

TEST(Map, BoolsAreResultsAndItems) {
  pool::Pool pool{{.workers = 2}};
  const auto odd =
      map(pool, std::views::iota(0, 200), [](int x) { return x % 2 == 1; }, {.chunk = 1});
  EXPECT_EQ(std::ranges::count(odd, true), 100);
  std::istringstream in("1 0 1");
  EXPECT_EQ(map(pool, std::views::istream<bool>(in), [](bool b) { return !b; }, {.chunk = 1}),
            (std::vector<bool>{false, true, false}));
}

TEST(MapUnordered, GivesEveryResultOnce) {
  pool::Pool pool{{.workers = 3}};
  auto results =
      map_unordered(pool, std::views::iota(0, 1000), [](int x) { return x; }, {.chunk = 7});
  std::ranges::sort(results);
  EXPECT_TRUE(std::ranges::equal(results, std::views::iota(0, 1000)));
}

TEST(ForEach, CallsTheFunctionOnceForEveryItem) {
  pool::Pool pool{{.workers = 3}};
  std::vector<std::atomic<int>> calls(2000);
  for_each(pool, std::views::iota(std::size_t{0}, calls.size()),
           [&](std::size_t i) { ++calls[i]; });
  EXPECT_TRUE(std::ranges::all_of(calls, [](const auto& count) { return count == 1; }));
}

TEST(Map, NestedMapsDoNotDeadlock) {
  for (const unsigned workers : {1U, 2U, 3U}) {
    pool::Pool pool{{.workers = workers}};
    const auto row = [&](int y) {
      const auto cells =
          map(pool, std::views::iota(0, 20), [y](int x) { return x * y; }, {.chunk = 1});
      return std::ranges::max(cells);
    };
    auto outer = pool.submit([&] { return map(pool, std::views::iota(0, 30), row, {.chunk = 1}); });
    const auto maxima = map(pool, std::views::iota(0, 30), row, {.chunk = 1});
    EXPECT_EQ(maxima.back(), 19 * 29);
    EXPECT_EQ(outer.get().back(), 19 * 29);
  }
}

TEST(Map, WorksWhenThePoolRefuses) {
  pool::Pool stopped{{.workers = 2}};
  stopped.stop();
  EXPECT_EQ(map(stopped, std::views::iota(0, 100), [](int x) { return x; }, {.chunk = 3}).size(),
            100);
}

TEST(Map, WorksWhileThePoolIsBusy) {
  std::atomic<bool> go = false;
  pool::Pool pool{{.workers = 2}};
  for (int i = 0; i < 2; ++i) pool.post([&] { go.wait(false); });
  EXPECT_EQ(map(pool, std::views::iota(0, 100), [](int x) { return x; }, {.chunk = 3}).size(), 100);
  EXPECT_EQ(map(pool, countdown(100), [](auto x) { return *x; }, {.chunk = 3}).size(), 100);
  go = true;
  go.notify_all();
}

TEST(Map, ReportsProgressToTheEnd) {
  pool::Pool pool{{.workers = 2}};
  std::vector<Progress> reports;
  static_cast<void>(map(pool, std::views::iota(0, 100), [](int x) { return x; },
                        {.chunk = 10,
                         .progress = [&](const Progress& progress) { reports.push_back(progress); },
                         .progress_every = Duration::zero()}));
  ASSERT_FALSE(reports.empty());
  EXPECT_EQ(reports.back().done, 100);
  EXPECT_EQ(reports.back().total, 100);
  EXPECT_EQ(reports.back().eta, Duration::zero());
  EXPECT_TRUE(std::ranges::is_sorted(reports, {}, &Progress::done));
}

RC_GTEST_PROP(Map, EqualsThePlainLoop, ()) {
  static pool::Pool pool{{.workers = 4}};
  const auto source = *rc::gen::container<std::vector<int>>(rc::gen::inRange(-1000, 1000));
  const MapOptions options{.chunk = *rc::gen::inRange<std::size_t>(0, 8),
                           .workers = *rc::gen::inRange<std::size_t>(0, 6),
                           .window = *rc::gen::inRange<std::size_t>(0, 6),
                           .start = *rc::gen::element(Start::distribute, Start::empty)};
  const auto fn = [](int x) { return std::to_string(x); };
  std::vector<std::string> expected;
  std::ranges::transform(source, std::back_inserter(expected), fn);

  RC_ASSERT(map(pool, source, fn, options) == expected);
  std::vector<std::string> written;
  map(pool, source, fn, std::back_inserter(written), options);
  RC_ASSERT(written == expected);
  std::stringstream text;
  std::ranges::copy(source, std::ostream_iterator<int>(text, " "));
  RC_ASSERT(map(pool, std::views::istream<int>(text), fn, options) == expected);
  auto unordered = map_unordered(pool, source, fn, options);
  std::ranges::sort(unordered);
  std::ranges::sort(expected);
  RC_ASSERT(unordered == expected);
}

}  // namespace
}  // namespace artel::parallel
