#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <tl/expected.hpp>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "artel/cluster/protocol/chunk_order.hpp"
#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/decoder.hpp"
#include "artel/cluster/remote_error.hpp"
#include "artel/core/error.hpp"
#include "artel/parallel/fold_body.hpp"
#include "artel/parallel/item_failure.hpp"
#include "artel/parallel/map_body.hpp"

// How what map and reduce do with a chunk travels. RemoteBody<Body> has
//   Item                   what workers take the items for
//   order(body, order)     says in the order what is to be done
//   output(result)         the chunk's output, from the worker's result
//   failures(first, count, attempts, error)
//                          the output of a chunk that cannot be done; not there: the map ends

namespace artel::cluster {
template <class Definition>
struct RemoteTask;
}  // namespace artel::cluster

namespace artel::cluster::detail {

template <class T>
inline constexpr bool kIsTask = false;
template <class Definition>
inline constexpr bool kIsTask<RemoteTask<Definition>> = true;

template <class T, std::size_t index>
using TaskArgument = std::tuple_element_t<index, typename T::Types::ArgumentTypes>;

template <class Body>
struct RemoteBody {
  static_assert(!std::is_same_v<Body, Body>,
                "a cluster runs registered functions: ARTEL_TASK (artel/cluster/remote_task.hpp)");
};

/// Every item through the function.
template <class Fn, class Body>
void order_items(ChunkKind kind, const Body& body, ChunkOrder& order) {
  order.kind = kind;
  order.map = Fn::key();
  order.retries = body.call().attempts() - 1;
}

/// `count` values, one after the other.
template <class T>
[[nodiscard]] Result<std::vector<T>> decode_values(const ChunkResult& result) {
  std::vector<T> values;
  values.reserve(result.count < result.output.size() ? result.count : result.output.size());
  Decoder decoder(result.output);
  for (std::uint32_t i = 0; i < result.count; ++i) {
    Result<T> value = decoder.next<T>();
    if (!value) return fail(value);
    values.push_back(std::move(*value));
  }
  return values;
}

template <class Fn, class Items>
struct RemoteBody<parallel::MapBody<Fn, Items>> {
  static_assert(kIsTask<Fn>, "a cluster maps by registered functions: ARTEL_TASK");
  using Body = parallel::MapBody<Fn, Items>;
  using Item = TaskArgument<Fn, 0>;

  static void order(const Body& body, ChunkOrder& order) {
    order_items<Fn>(ChunkKind::map, body, order);
  }
  static Result<typename Body::Output> output(const ChunkResult& result) {
    return decode_values<typename Body::Result>(result);
  }
};

template <class Fn, class Items>
struct RemoteBody<parallel::EachBody<Fn, Items>> {
  static_assert(kIsTask<Fn>, "a cluster runs registered functions: ARTEL_TASK");
  using Body = parallel::EachBody<Fn, Items>;
  using Item = TaskArgument<Fn, 0>;

  static void order(const Body& body, ChunkOrder& order) {
    order_items<Fn>(ChunkKind::each, body, order);
  }
  static Result<parallel::NoOutput> output(const ChunkResult& /*result*/) { return {}; }
};

template <class Fn, class Items>
struct RemoteBody<parallel::CollectBody<Fn, Items>> {
  static_assert(kIsTask<Fn>, "a cluster maps by registered functions: ARTEL_TASK");
  using Body = parallel::CollectBody<Fn, Items>;
  using Item = TaskArgument<Fn, 0>;
  using Outcome = typename Body::Result;
  using Value = typename Outcome::value_type;

  static void order(const Body& body, ChunkOrder& order) {
    order_items<Fn>(ChunkKind::collect, body, order);
  }

  static Result<std::vector<Outcome>> output(const ChunkResult& result) {
    std::vector<Outcome> outcomes;
    Decoder decoder(result.output);
    std::size_t failed = 0;
    for (std::uint32_t i = 0; i < result.count; ++i) {
      const Result<bool> done = decoder.next<bool>();
      if (!done) return fail(done);
      if (!*done) {
        if (failed == result.problems.size()) {
          return fail(ErrorCode::parse, "a failure without its reason");
        }
        const RemoteProblem& problem = result.problems[failed++];
        outcomes.push_back(tl::unexpected(
            parallel::ItemFailure{problem.item, problem.attempts,
                                  std::make_exception_ptr(RemoteError(problem, result.worker))}));
      } else if constexpr (std::is_void_v<Value>) {
        outcomes.emplace_back();
      } else {
        Result<Value> value = decoder.next<Value>();
        if (!value) return fail(value);
        outcomes.emplace_back(std::move(*value));
      }
    }
    return outcomes;
  }

  static std::vector<Outcome> failures(std::uint64_t first, std::size_t count,
                                       std::uint32_t attempts, const std::exception_ptr& error) {
    std::vector<Outcome> outcomes;
    outcomes.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      outcomes.emplace_back(tl::unexpect, parallel::ItemFailure{first + i, attempts, error});
    }
    return outcomes;
  }
};

template <class T, class Map, class Fold, class Items>
struct RemoteBody<parallel::FoldBody<T, Map, Fold, Items>> {
  static constexpr bool kMaps = !std::is_same_v<Map, std::identity>;
  static_assert(!kMaps || kIsTask<Map>, "a cluster maps by registered functions: ARTEL_TASK");
  static_assert(kIsTask<Fold>, "a cluster folds by registered functions: ARTEL_TASK");
  static_assert(std::is_same_v<T, TaskArgument<Fold, 0>>,
                "the seeds are of another type than the sum that the task takes");
  using Body = parallel::FoldBody<T, Map, Fold, Items>;
  using Item = TaskArgument<std::conditional_t<kMaps, Map, Fold>, kMaps ? 0 : 1>;
  using Output = std::optional<T>;

  static void order(const Body& body, ChunkOrder& order) {
    order.kind = ChunkKind::fold;
    if constexpr (kMaps) order.map = Map::key();
    order.fold = Fold::key();
    order.retries = body.call().attempts() - 1;
    encode_to(order.init, body.chunk_init());
  }
  static Result<Output> output(const ChunkResult& result) {
    if (result.outcome != ChunkOutcome::done) return Output();
    Result<T> sum = decode<T>(result.output);
    if (!sum) return fail(sum);
    return Output(std::move(*sum));
  }
};

}  // namespace artel::cluster::detail
