#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"

namespace artel::own_models {

/// The numbers that a model of the user's own is run with, by name and in the order in which they
/// were set.
///
///     const ModelParameters parameters{{"load", 0.8}, {"servers", 2}, {"timeout", 1.5}};
///     parameters["load"], parameters.whole("servers"), parameters.duration("timeout")
///
/// Errors, of all that read: std::invalid_argument, with what there is. Threads: one at a time.
/// Cost: O(number of parameters) each.
class ModelParameters {
 public:
  using Entry = std::pair<std::string, double>;

  ModelParameters() = default;
  ModelParameters(std::initializer_list<Entry> entries);

  /// The value of that name.
  [[nodiscard]] double operator[](std::string_view name) const;
  /// The same as a number of things. Errors: also when it is negative or not whole.
  [[nodiscard]] std::uint64_t whole(std::string_view name) const;
  /// The same of a value in seconds.
  [[nodiscard]] Duration duration(std::string_view name) const;

  /// Whether there is one of that name.
  [[nodiscard]] bool contains(std::string_view name) const;
  /// All of them.
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

  /// Changes the value of that name, or adds it.
  void set(std::string_view name, double value);

  friend bool operator==(const ModelParameters&, const ModelParameters&) = default;

 private:
  std::vector<Entry> entries_;
};

}  // namespace artel::own_models
