#include "artel/dispatch/detail/indexed_heap.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/dispatch/load_view.hpp"

namespace artel::dispatch::detail {
namespace {

TEST(IndexedHeap, TieGoesToLowestId) {
  IndexedHeap<int> heap;
  for (const auto id : {3U, 1U, 2U}) heap.push(WorkerId{id}, 7);
  EXPECT_EQ(heap.top().id, WorkerId{1});
}

TEST(IndexedHeap, ChangedKeyMovesUpOrDown) {
  IndexedHeap<int> heap;
  for (const auto id : {0U, 1U, 2U}) heap.push(WorkerId{id}, static_cast<int>(id));
  heap.update(WorkerId{0}, 9);
  EXPECT_EQ(heap.top().id, WorkerId{1});
  heap.update(WorkerId{2}, -1);
  EXPECT_EQ(heap.top().id, WorkerId{2});
  EXPECT_EQ(heap.index_in_heap(WorkerId{2}), 0U);
  EXPECT_FALSE(heap.index_in_heap(WorkerId{5}));
}

TEST(IndexedHeapDeathTest, RefusesAWorkerItDoesNotHave) {
  IndexedHeap<int> heap;
  EXPECT_DEATH(heap.update(WorkerId{0}, 1), "not in the heap");
  EXPECT_DEATH(heap.restore(0), "no such position");
}

RC_GTEST_PROP(IndexedHeap, OrdersLikeASortedList, ()) {
  constexpr std::size_t kIds = 40;
  IndexedHeap<int> heap;
  std::vector<std::pair<int, std::size_t>> list;  // (key, id)
  const auto steps = *rc::gen::container<std::vector<std::pair<std::size_t, int>>>(
      rc::gen::pair(rc::gen::inRange<std::size_t>(0, kIds), rc::gen::inRange(-5, 15)));
  for (const auto& [id, key] : steps) {
    const auto found = std::find_if(list.begin(), list.end(), [wanted = id](const auto& entry) {
      return entry.second == wanted;
    });
    RC_ASSERT(heap.contains(worker(id)) == (found != list.end()));
    if (found == list.end()) {
      heap.push(worker(id), key);
      list.emplace_back(key, id);
    } else if (key < 0) {
      heap.remove(worker(id));
      list.erase(found);
    } else {
      heap.update(worker(id), key);
      found->first = key;
    }
    RC_ASSERT(heap.size() == list.size());
    if (list.empty()) continue;
    const auto least = *std::min_element(list.begin(), list.end());
    RC_ASSERT(std::pair(heap.top().key, index(heap.top().id)) == least);
  }
  std::sort(list.begin(), list.end());
  for (const auto& [key, id] : list) {
    RC_ASSERT(heap.top().id == worker(id));
    RC_ASSERT(heap.key(worker(id)) == key);
    RC_ASSERT(heap.index_in_heap(worker(id)) == 0U);
    heap.remove(worker(id));
  }
  RC_ASSERT(heap.empty());
}

}  // namespace
}  // namespace artel::dispatch::detail
