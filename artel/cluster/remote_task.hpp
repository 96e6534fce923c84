#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include "artel/cluster/detail/codec.hpp"
#include "artel/cluster/protocol.hpp"
#include "artel/cluster/task_registry.hpp"
#include "artel/core/error.hpp"

/// Defines a function that workers elsewhere can run, at namespace scope, in a file that master
/// and workers are both built from:
///
///     ARTEL_TASK(thumbnail, Image, const Photo& photo) { return shrink(photo, 128); }
///
///     auto images = parallel::map(cluster, photos, thumbnail);
///
/// `thumbnail` is an object; `thumbnail(photo)` calls the function here. It takes one item (for map
/// and for_each), or a sum and an item (for reduce), by value or const reference; types of its own
/// need MSGPACK_DEFINE(fields…). A result type with a comma in it needs an alias. The function may
/// be run more than once for an item (a worker was lost, or slow), so what it does besides
/// returning a result must bear that.
///
/// In a static library it is registered only if the file is linked for some other reason as well.
#define ARTEL_TASK(name, Returned, ...) ARTEL_TASK_VERSION(1, name, Returned, __VA_ARGS__)

/// As ARTEL_TASK. Raise the number when the fields of a type or the meaning change: masters and
/// workers with different numbers refuse each other, instead of misunderstanding.
#define ARTEL_TASK_VERSION(number, name, Returned, ...)                           \
  struct name##_definition {                                                      \
    static constexpr std::string_view kName = #name;                              \
    static constexpr std::uint32_t kVersion = number;                             \
    static Returned call(__VA_ARGS__);                                            \
  };                                                                              \
  [[maybe_unused]] inline const ::artel::cluster::Task<name##_definition> name{}; \
  [[maybe_unused]] inline const bool name##_registered =                          \
      ::artel::cluster::register_task<name##_definition>();                       \
  inline Returned name##_definition::call(__VA_ARGS__)

namespace artel::cluster {

template <class Function>
struct TaskTypes;
template <class R, class... Args>
struct TaskTypes<R (*)(Args...)> {
  using Result = std::remove_cvref_t<R>;
  using Arguments = std::tuple<std::remove_cvref_t<Args>...>;
  using Wire = Result(std::remove_cvref_t<Args>...);  ///< what has to be equal on both sides
  static constexpr std::size_t kArguments = sizeof...(Args);
  static_assert(((!std::is_lvalue_reference_v<Args> ||
                  std::is_const_v<std::remove_reference_t<Args>>) &&
                 ...),
                "a task takes its arguments by value or const reference: they come from elsewhere");
  static_assert(kArguments == 1 || kArguments == 2,
                "a task takes an item, or a sum and an item; use a struct for more");
};

/// A registered function, as an object without a state. See ARTEL_TASK.
template <class Definition>
struct Task {
  using Types = TaskTypes<decltype(&Definition::call)>;

  template <class... Args>
    requires std::invocable<decltype(&Definition::call), Args...>
  decltype(auto) operator()(Args&&... args) const {
    return Definition::call(std::forward<Args>(args)...);
  }

  [[nodiscard]] static TaskKey key() {
    return {std::string(Definition::kName), Definition::kVersion,
            fingerprint(typeid(typename Types::Wire).name())};
  }
};

/// Runs the items of a chunk through the function, with retries.
template <class Definition>
void map_items(ItemRun& run) {
  using Types = typename Task<Definition>::Types;
  using Item = std::tuple_element_t<0, typename Types::Arguments>;
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
        if (collects) detail::encode_to(run.output, true);
      } else {
        const Value& value = call();
        if (collects) detail::encode_to(run.output, true);
        if (run.kind != ChunkKind::each) detail::encode_to(run.output, value);
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
        detail::encode_to(run.output, false);
        break;
      }
    }
    ++run.done;
  }
}

/// Folds the items of a chunk.
template <class Definition>
void fold_items(ItemRun& run, std::string_view init) {
  using Types = typename Task<Definition>::Types;
  using Sum = std::tuple_element_t<0, typename Types::Arguments>;
  using Item = std::tuple_element_t<1, typename Types::Arguments>;
  Result<Sum> sum = detail::decode<Sum>(init);
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
  detail::encode_to(run.output, *sum);
  run.done = run.count;
}

/// Enters the function into TaskRegistry::linked().
template <class Definition>
bool register_task() {
  using Types = typename Task<Definition>::Types;
  TaskRegistry::Entry entry{.key = Task<Definition>::key()};
  if constexpr (Types::kArguments == 1) {
    entry.map = &map_items<Definition>;
  } else {
    using Sum = std::tuple_element_t<0, typename Types::Arguments>;
    static_assert(std::is_convertible_v<typename Types::Result, Sum>,
                  "a task of a sum and an item returns the next sum");
    entry.fold = &fold_items<Definition>;
  }
  TaskRegistry::linked().add(entry);
  return true;
}

}  // namespace artel::cluster
