#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace artel {

/// A worker of one pool: dense indices from 0, so that loads can be kept in arrays.
enum class WorkerId : std::uint32_t {};

/// A task, numbered in order of arrival from 0.
enum class TaskId : std::uint64_t {};

/// The number from which all randomness of a run is derived.
enum class Seed : std::uint64_t {};

/// A number with a type of its own, so that a worker's cannot be taken for a task's.
template <class T>
concept Id = std::is_enum_v<T>;

/// The plain number behind an id, for indexing and printing.
template <Id AnyId>
[[nodiscard]] constexpr std::size_t index(AnyId id) {
  return static_cast<std::size_t>(id);
}

}  // namespace artel
