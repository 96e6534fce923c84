#pragma once

#include <fmt/core.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "artel/sim/kernel/detail/block_pool.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/trace/fingerprint.hpp"

namespace artel::sim {

/// What may travel in an event: any object type that can be moved.
template <class T>
concept Payload = std::is_object_v<T> && !std::is_const_v<T> && !std::is_pointer_v<T> &&
                  std::is_nothrow_destructible_v<T> && std::is_move_constructible_v<T>;

/// A payload with padding, floating point or pointers says itself what of it belongs into the
/// fingerprint: `void add_to(trace::Fingerprint& print, const T& payload)` beside T. Otherwise only
/// its type's name does, which counts with its namespaces.
template <class T>
concept Fingerprinted =
    requires(trace::Fingerprint& print, const T& payload) { add_to(print, payload); };

/// A payload with a key, by which coroutines may wait for it: write `std::uint64_t key_of(const
/// T&)` beside T.
template <class T>
concept Keyed = requires(const T& payload) {
  { key_of(payload) } -> std::convertible_to<std::uint64_t>;
};

namespace detail {

/// As the compiler spells a type.
template <class T>
constexpr std::string_view type_text() {
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.find("T = ") + 4);
  return text.substr(0, text.find_first_of(";]"));
}

/// "Ping" for any type called Ping: without namespace and template arguments, which compilers
/// spell differently.
template <class T>
constexpr std::string_view short_type_name() {
  std::string_view text = type_text<T>();
  std::size_t depth = 0;  // within template arguments, from the end
  while (!text.empty() && (depth != 0 || text.back() == '>')) {
    if (text.back() == '>') ++depth;
    if (text.back() == '<') --depth;
    text.remove_suffix(1);
  }
  const std::size_t scope = text.rfind("::");
  return scope == std::string_view::npos ? text : text.substr(scope + 2);
}

/// Stands for the name of a type with its namespaces, alike from every compiler: without template
/// arguments, unnamed namespaces, and what a type of a function is within.
template <class T>
constexpr std::uint64_t name_word() {
  std::array<char, type_text<T>().size()> name{};
  std::size_t size = 0;
  std::size_t depth = 0;  // within template arguments
  for (std::string_view text = type_text<T>(); !text.empty();) {
    std::size_t passed = 0;
    for (const std::string_view mark : {"{anonymous}::", "(anonymous namespace)::"}) {
      if (text.starts_with(mark)) passed = mark.size();
    }
    if (passed == 0) {
      passed = 1;
      if (text.front() == '<') ++depth;
      if (depth == 0) name[size++] = text.front();
      if (text.front() == '>') --depth;
    }
    text.remove_prefix(passed);
  }
  const std::string_view kept(name.data(), size);
  return trace::Fingerprint::word_of(
      kept.find('(') == std::string_view::npos ? kept : short_type_name<T>());
}

/// What the kernel knows about a payload type at run time.
struct PayloadType {
  std::string_view name;
  std::size_t size = 0;
  void (*destroy)(void* payload) = nullptr;             ///< nullptr when there is nothing to do
  std::uint64_t (*key)(const void* payload) = nullptr;  ///< nullptr when it has no key_of
  void (*add_to)(trace::Fingerprint& print, const void* payload) = nullptr;
  void (*describe)(std::string& text, const void* payload) = nullptr;  ///< may be nullptr
};

/// Numbers a payload type; called once per type, before main. At most 32767 types.
std::uint32_t register_payload(const PayloadType& type);

extern constinit const PayloadType* payload_types;  // by number

/// The type with that number.
[[nodiscard]] inline const PayloadType& payload_type(std::uint32_t number) {
  return payload_types[number];
}

/// Whether the bytes of a T may be hashed as they are: no padding, no floating point.
template <class T>
concept PlainBytes = std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>;

template <class T>
PayloadType describe_payload_type() {
  PayloadType type{.name = short_type_name<T>(), .size = sizeof(T)};
  if constexpr (!std::is_trivially_destructible_v<T>) {
    type.destroy = [](void* payload) { std::destroy_at(static_cast<T*>(payload)); };
  }
  type.add_to = [](trace::Fingerprint& print, [[maybe_unused]] const void* payload) {
    constexpr std::uint64_t kName = name_word<T>();
    print.add(kName);
    if constexpr (Fingerprinted<T>) {
      add_to(print, *static_cast<const T*>(payload));
    } else if constexpr (PlainBytes<T> && !std::is_empty_v<T>) {
      print.add(std::span{static_cast<const std::byte*>(payload), sizeof(T)});
    }
  };
  if constexpr (Keyed<T>) {
    type.key = [](const void* payload) -> std::uint64_t {
      return key_of(*static_cast<const T*>(payload));
    };
  }
  if constexpr (fmt::is_formattable<T>::value) {
    type.describe = [](std::string& text, const void* payload) {
      text += fmt::format("{}", *static_cast<const T*>(payload));
    };
  }
  return type;
}

/// The number of a payload type; from 1.
template <Payload T>
inline const std::uint32_t payload_number = register_payload(describe_payload_type<T>());

/// The one place that knows where an event keeps its payload.
struct PayloadAccess {
  template <class T>
  static constexpr bool kInline =
      sizeof(T) <= Event::kInlineBytes && alignof(T) <= 8 && std::is_trivially_copyable_v<T>;

  /// The tag's lower bits for a payload of type T.
  template <Payload T>
  [[nodiscard]] static std::uint64_t low_bits() {
    return std::uint64_t{payload_number<T>} << 1U | (kInline<T> ? 0U : 1U);
  }

  /// Makes the payload from `value` where it is to stay. If that throws, nothing is left of it.
  template <Payload T, class U>
  static void put(Event& event, U&& value, BlockPool& blocks) {
    static_assert(alignof(T) <= BlockPool::kLine);
    if constexpr (kInline<T>) {
      ::new (static_cast<void*>(event.payload_)) T(std::forward<U>(value));
    } else {
      void* block = blocks.take(sizeof(T));
      try {
        ::new (block) T(std::forward<U>(value));
      } catch (...) {
        blocks.give_back(block, sizeof(T));
        throw;
      }
      std::memcpy(event.payload_, static_cast<void*>(&block), sizeof block);
    }
  }

  template <Payload T>
  [[nodiscard]] static T& get(Event& event) {
    if constexpr (kInline<T>) {
      return *std::launder(reinterpret_cast<T*>(event.payload_));
    } else {
      return *static_cast<T*>(box(event));
    }
  }

  [[nodiscard]] static const void* get_untyped(const Event& event) {
    return event.boxed() ? box(event) : event.payload_;
  }

  [[nodiscard]] static std::uint32_t number(const Event& event) { return event.type(); }
  /// What key_of() says. Requires: the type is Keyed.
  [[nodiscard]] static std::uint64_t key(const Event& event) {
    return payload_type(event.type()).key(get_untyped(event));
  }

  /// All that an event is, into another's place; nothing is left of its payload.
  static void move(Event& from, Event& to) {
    to.time_ = from.time_;
    to.tag_ = from.tag_;
    to.src_ = from.src_;
    to.dst_ = from.dst_;
    std::memcpy(to.payload_, from.payload_, sizeof to.payload_);
    from.tag_ &= ~std::uint64_t{1};  // not boxed
  }
  /// Destroys a boxed payload; others need nothing.
  static void dispose(const Event& event, BlockPool& blocks) {
    if (event.boxed()) dispose(event.type(), box(event), blocks);
  }
  static void dispose(std::uint32_t type_number, void* block, BlockPool& blocks) {
    const PayloadType& type = payload_type(type_number);
    if (type.destroy != nullptr) type.destroy(block);
    blocks.give_back(block, type.size);
  }

  /// Where a boxed payload lies.
  [[nodiscard]] static void* box(const Event& event) {
    void* block = nullptr;
    std::memcpy(static_cast<void*>(&block), event.payload_, sizeof block);
    return block;
  }
};

}  // namespace detail

/// The payload of an event if it is a T, else nullptr.
template <Payload T>
[[nodiscard]] const T* payload_if(const Event& event) {
  if (detail::PayloadAccess::number(event) != detail::payload_number<T>) return nullptr;
  return static_cast<const T*>(detail::PayloadAccess::get_untyped(event));
}

/// "Ping"
[[nodiscard]] inline std::string_view payload_name(const Event& event) {
  return detail::payload_type(detail::PayloadAccess::number(event)).name;
}

}  // namespace artel::sim
