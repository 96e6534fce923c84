#include "artel/parallel/reduce.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <ranges>
#include <string>
#include <vector>

#include "artel/parallel/executor.hpp"
#include "artel/parallel/map_options.hpp"
#include "artel/parallel/seeds.hpp"
#include "artel/pool/pool.hpp"
#include "tests/parallel/generated.hpp"

namespace artel::parallel {
namespace {

using Text = std::string;

TEST(Reduce, ExampleOfTheArticle) {
  pool::Pool pool{{.workers = 2}};
  const std::vector<Text> source{"aa", "bb", "cc", "dd"};
  for (const Start start : {Start::distribute, Start::empty}) {
    EXPECT_EQ(reduce(pool, source, Text("++"), Text(), std::plus{},
                     {.chunk = 2, .workers = 2, .start = start}),
              "++aabbccdd");
  }
}

TEST(Reduce, WithAFixedChunkASumOfDoublesIsTheSameToTheLastBit) {
  std::vector<double> numbers;
  for (int i = 1; i <= 100'000; ++i) numbers.push_back(1.0 / i);
  std::vector<double> sums;
  for (const unsigned workers : {1U, 2U, 5U}) {
    pool::Pool pool{{.workers = workers}};
    for (int round = 0; round < 20; ++round) {
      // [same_bits]
      const double sum = parallel::reduce(pool, numbers, 0.0, 0.0, std::plus{}, {.chunk = 1'000});
      // [/same_bits]
      sums.push_back(sum);
    }
  }
  for (const double sum : sums) EXPECT_EQ(sum, sums.front());  // not nearly
}

TEST(Reduce, EmptySourceGivesInit) {
  pool::Pool pool{{.workers = 2}};
  EXPECT_EQ(reduce(pool, std::vector<Text>{}, Text("init"), Text("chunk"), std::plus{}), "init");
}

TEST(Reduce, SourceOfOneChunkIsFoldedFromInit) {
  pool::Pool pool{{.workers = 2}};
  const std::vector<Text> source{"a", "b", "c"};
  EXPECT_EQ(reduce(pool, source, Text("i"), Text("/"), std::plus{}, {.chunk = 3}), "iabc");
  EXPECT_EQ(reduce(pool, source, Text("i"), Text("/"), std::plus{}, {.chunk = 2}), "i/ab/c");
}

TEST(Reduce, EveryExecutorGivesTheSame) {
  const std::vector<Text> source{"a", "b", "c", "d", "e"};
  InlineExecutor inlined;
  EXPECT_EQ(reduce(inlined, source, Text("i"), Text("/"), std::plus{}, {.chunk = 2}), "i/ab/cd/e");
}

// Items that are no sums.
TEST(Reduce, SumsOfChunksAreCombined) {
  pool::Pool pool{{.workers = 2}};
  const std::vector<Text> words{"a", "bb", "ccc", "dddd", "eeeee"};
  const auto add_length = [](std::size_t sum, const Text& word) { return sum + word.size(); };
  for (const std::size_t chunk : {1U, 2U, 5U}) {
    EXPECT_EQ(reduce(pool, words, std::size_t{100}, std::size_t{0}, add_length, std::plus{},
                     {.chunk = chunk}),
              115);
  }
  const auto twice = [](const Text& word) { return word + word; };
  const MapOptions options{.chunk = 2};
  EXPECT_EQ(
      map_reduce(pool, words, Seeds<std::size_t>{1, 0}, twice, add_length, std::plus{}, options),
      31);
}

TEST(Reduce, MoveOnlyItems) {
  pool::Pool pool{{.workers = 2}};
  struct Sum {
    int operator()(int sum, std::unique_ptr<int> item) const { return sum + *item; }
    int operator()(int sum, int chunk) const { return sum + chunk; }
  };
  EXPECT_EQ(reduce(pool, countdown(100), 0, 0, Sum{}, {.chunk = 3}), 5050);
}

TEST(MapReduce, MapsThenFolds) {
  pool::Pool pool{{.workers = 2}};
  const auto squares = map_reduce(
      pool, std::views::iota(1, 101), Seeds<int>{0, 0}, [](int x) { return x * x; }, std::plus{});
  EXPECT_EQ(squares, 338'350);
}

TEST(MapReduce, FailedItemsAreTriedAgain) {
  pool::Pool pool{{.workers = 2}};
  std::vector<std::atomic<int>> tries(50);
  const auto fail_once = [&](std::size_t i) {
    if (tries[i]++ == 0) throw 1;
    return i;
  };
  EXPECT_EQ(map_reduce(pool, std::views::iota(std::size_t{0}, tries.size()),
                       Seeds<std::size_t>{0, 0}, fail_once, std::plus{}, {.retries = 1}),
            1225);
}

RC_GTEST_PROP(Reduce, BothStartsAndAnyWorkersGiveTheSame, ()) {
  static pool::Pool pool{{.workers = 4}};
  const auto source = *rc::gen::arbitrary<std::vector<Text>>();
  const std::size_t chunk = *rc::gen::inRange<std::size_t>(1, 6);
  Text expected = "i";
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source.size() > chunk && i % chunk == 0) expected += "/";
    expected += source[i];
  }
  for (const Start start : {Start::distribute, Start::empty}) {
    const MapOptions options{.chunk = chunk,
                             .workers = *rc::gen::inRange<std::size_t>(1, 6),
                             .window = *rc::gen::inRange<std::size_t>(0, 4),
                             .start = start};
    RC_ASSERT(reduce(pool, source, Text("i"), Text("/"), std::plus{}, options) == expected);
  }
}

}  // namespace
}  // namespace artel::parallel
