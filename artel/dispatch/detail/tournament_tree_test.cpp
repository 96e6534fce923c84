#include "artel/dispatch/detail/tournament_tree.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <limits>
#include <map>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/dispatch/load_view.hpp"

namespace artel::dispatch::detail {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// By id, what takes part.
using Keys = std::map<std::size_t, double>;

std::vector<std::size_t> least_of(const Keys& keys) {
  double least = kInfinity;
  for (const auto& [id, key] : keys) least = key < least ? key : least;
  std::vector<std::size_t> ids;
  for (const auto& [id, key] : keys) {
    if (key == least) ids.push_back(id);
  }
  return ids;
}

void expect_equal(const TournamentTree& tree, const Keys& keys) {
  const auto least = least_of(keys);
  RC_ASSERT(tree.count_least() == least.size());
  for (std::size_t k = 0; k < least.size(); ++k) RC_ASSERT(tree.nth_least(k) == worker(least[k]));
  RC_ASSERT(!tree.nth_least(least.size()));
}

TEST(TournamentTree, EmptyHasNobody) {
  TournamentTree tree;
  EXPECT_EQ(tree.count_least(), 0U);
  EXPECT_FALSE(tree.nth_least(0));
  tree.resize(100);
  EXPECT_EQ(tree.count_least(), 0U);
  EXPECT_FALSE(tree.nth_least(0));
}

TEST(TournamentTree, InfinityIsAKeyLikeAnyOther) {
  TournamentTree tree;
  tree.resize(4);
  tree.set(WorkerId{1}, kInfinity);
  tree.set(WorkerId{3}, kInfinity);
  EXPECT_EQ(tree.count_least(), 2U);
  EXPECT_EQ(tree.nth_least(0), WorkerId{1});
  EXPECT_EQ(tree.nth_least(1), WorkerId{3});
}

RC_GTEST_PROP(TournamentTree, AnswersLikeAScan, ()) {
  auto size = *rc::gen::inRange<std::size_t>(1, 40);
  TournamentTree tree;
  tree.resize(size);
  Keys keys;
  for (const auto step : *rc::gen::container<std::vector<std::size_t>>(
           200, rc::gen::inRange<std::size_t>(0, std::size_t{1} << 20U))) {
    const std::size_t id = step % size;
    switch (step / 64 % 8) {
      case 0:
        tree.erase(worker(id));
        keys.erase(id);
        break;
      case 1:
        if (step / 512 % 4 == 0) size += step / 2048 % 20;
        tree.resize(size);
        break;
      default: {
        const auto key = static_cast<double>(step / 512 % 5) - 1;
        tree.set(worker(id), key);
        keys[id] = key;
      }
    }
    expect_equal(tree, keys);
  }
}

}  // namespace
}  // namespace artel::dispatch::detail
