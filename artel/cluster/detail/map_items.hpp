#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "artel/cluster/detail/task_types.hpp"
#include "artel/cluster/item_run.hpp"
#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/decoder.hpp"
#include "artel/core/error.hpp"

// How a worker runs a task's function over the items of a chunk.

namespace artel::cluster::detail {

/// Runs the items of a chunk through the function, with retries.
template <class Definition>
void map_items(ItemRun& run) {
  using Types = TaskTypes<decltype(&Definition::call)>;
  using Item = std::tuple_element_t<0, typename Types::ArgumentTypes>;
  using Value = typename Types::Result;
  constexpr bool kRepeats = std::invocable<decltype(&Definition::call), const Item&>;

  const bool collects = run.kind == ChunkKind::collect;
  const auto once = [&](Item& item, bool last) {
    const auto call = [&]() -> decltype(auto) {
      if constexpr (kRepeats) {
        if (!last) return Definition::call(std::as_const(item));
      }
      return Definition::call(std::move(item));
    };
    const std::size_t before = run.output.size();
    try {
      if constexpr (std::is_void_v<Value>) {
        call();
        if (collects) encode_to(run.output, true);
      } else {
        const Value& value = call();
        if (collects) encode_to(run.output, true);
        if (run.kind != ChunkKind::each) encode_to(run.output, value);
      }
    } catch (...) {
      run.output.resize(before);
      throw;
    }
  };

  for (std::uint32_t i = 0; i < run.count; ++i) {
    Result<Item> item = run.items.next<Item>();
    if (!item) return run.note_unreadable(i, item.error());
    for (std::uint32_t attempt = 1;; ++attempt) {
      const bool last = attempt > run.retries || !kRepeats;
      try {
        once(*item, last);
        break;
      } catch (...) {
        if (!last) continue;
        run.note_failure(i, attempt);
        if (!collects) return;
        encode_to(run.output, false);
        break;
      }
    }
    ++run.done;
  }
}

/// Folds the items of a chunk.
template <class Definition>
void fold_items(ItemRun& run, std::string_view init) {
  using Types = TaskTypes<decltype(&Definition::call)>;
  using Sum = std::tuple_element_t<0, typename Types::ArgumentTypes>;
  using Item = std::tuple_element_t<1, typename Types::ArgumentTypes>;
  Result<Sum> sum = decode<Sum>(init);
  if (!sum) return run.note_unreadable(0, sum.error());
  for (std::uint32_t i = 0; i < run.count; ++i) {
    Result<Item> item = run.items.next<Item>();
    if (!item) return run.note_unreadable(i, item.error());
    try {
      *sum = Definition::call(std::move(*sum), std::move(*item));
    } catch (...) {
      return run.note_failure(i, 1);
    }
  }
  encode_to(run.output, *sum);
  run.done = run.count;
}

}  // namespace artel::cluster::detail
