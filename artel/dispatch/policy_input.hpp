#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace artel::dispatch {

/// What some policies read of a Load or a Draw, and others do not.
enum class PolicyInput : std::uint8_t {
  weight,      ///< Load::weight
  work,        ///< Load::work
  delay,       ///< Load::delay
  latency,     ///< Load::latency and Load::heard
  failures,    ///< Load::failures
  now,         ///< Draw::now
  size,        ///< Draw::size
  key,         ///< Draw::key
  task_class,  ///< Draw::task_class
  deadline,    ///< Draw::deadline
  matched,     ///< Draw::matched
  age,         ///< Draw::age
};

/// A set of them: what a policy reads (its `kReads`, at compile time), what a host keeps.
/// Load::queued and Load::capacity are always kept, and in no set.
struct PolicyInputs {
  std::uint16_t bits = 0;  ///< 1 << PolicyInput

  constexpr PolicyInputs() = default;
  constexpr PolicyInputs(std::same_as<PolicyInput> auto... read) : bits(0) {
    ((bits = static_cast<std::uint16_t>(bits | bit(read))), ...);
  }
  /// All of them.
  [[nodiscard]] static constexpr PolicyInputs all() {
    PolicyInputs inputs;
    inputs.bits = (1U << kCount) - 1;
    return inputs;
  }

  /// Whether it is one of them.
  [[nodiscard]] constexpr bool has(PolicyInput field) const { return (bits & bit(field)) != 0; }
  [[nodiscard]] constexpr bool empty() const { return bits == 0; }
  constexpr PolicyInputs& operator|=(PolicyInputs others) {
    bits = static_cast<std::uint16_t>(bits | others.bits);
    return *this;
  }
  /// Without these.
  [[nodiscard]] constexpr PolicyInputs without(PolicyInputs others) const {
    PolicyInputs inputs;
    inputs.bits = static_cast<std::uint16_t>(bits & ~others.bits);
    return inputs;
  }
  friend constexpr bool operator==(PolicyInputs, PolicyInputs) = default;

  static constexpr std::size_t kCount = 12;  ///< how many there are

 private:
  [[nodiscard]] static constexpr std::uint16_t bit(PolicyInput field) {
    return static_cast<std::uint16_t>(1U << static_cast<unsigned>(field));
  }
};

/// "weight", "latency", …, in the order of the enum.
[[nodiscard]] constexpr std::string_view name(PolicyInput field) {
  constexpr std::array<std::string_view, PolicyInputs::kCount> kNames{
      "weight", "work", "delay",      "latency",  "failures", "now",
      "size",   "key",  "task_class", "deadline", "matched",  "age"};
  return kNames[static_cast<std::size_t>(field)];
}

}  // namespace artel::dispatch
