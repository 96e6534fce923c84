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

#include "artel/cluster/detail/map_items.hpp"
#include "artel/cluster/detail/run_feed.hpp"  // IWYU pragma: keep: what a cluster maps with
#include "artel/cluster/detail/task_types.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/task_registry.hpp"

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
#define ARTEL_TASK_VERSION(number, name, Returned, ...)                                 \
  struct name##_definition {                                                            \
    static constexpr std::string_view kName = #name;                                    \
    static constexpr std::uint32_t kVersion = number;                                   \
    static Returned call(__VA_ARGS__);                                                  \
  };                                                                                    \
  [[maybe_unused]] inline const ::artel::cluster::RemoteTask<name##_definition> name{}; \
  [[maybe_unused]] inline const bool name##_registered =                                \
      ::artel::cluster::register_task<name##_definition>();                             \
  inline Returned name##_definition::call(__VA_ARGS__)

namespace artel::cluster {

/// A registered function, as an object without a state. See ARTEL_TASK.
template <class Definition>
struct RemoteTask {
  using Types = detail::TaskTypes<decltype(&Definition::call)>;

  template <class... Args>
    requires std::invocable<decltype(&Definition::call), Args...>
  decltype(auto) operator()(Args&&... args) const {
    return Definition::call(std::forward<Args>(args)...);
  }

  /// What master and worker know it by.
  [[nodiscard]] static TaskKey key() {
    static const std::uint64_t signature = fingerprint(typeid(typename Types::Wire).name());
    return {std::string(Definition::kName), Definition::kVersion, signature};
  }
};

/// Enters the function into the registry.
template <class Definition>
bool register_task(TaskRegistry& registry = TaskRegistry::linked()) {
  using Types = typename RemoteTask<Definition>::Types;
  RegisteredTask task{.key = RemoteTask<Definition>::key()};
  if constexpr (Types::kArguments == 1) {
    task.map = &detail::map_items<Definition>;
  } else {
    using Sum = std::tuple_element_t<0, typename Types::ArgumentTypes>;
    static_assert(std::is_convertible_v<typename Types::Result, Sum>,
                  "a task of a sum and an item returns the next sum");
    task.fold = &detail::fold_items<Definition>;
  }
  registry.add(task);
  return true;
}

}  // namespace artel::cluster
