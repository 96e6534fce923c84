#pragma once

#include <cstddef>
#include <exception>
#include <msgpack.hpp>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "artel/core/error.hpp"

// Values as msgpack. A user's struct needs MSGPACK_DEFINE(its, fields) in it. The header is heavy:
// only what knows the user's types includes it.

namespace artel::cluster {

/// Appends the value to `out`. Throws what the type's own packing throws.
template <class T>
void encode_to(std::string& out, const T& value) {
  struct Sink {
    std::string& text;  ///< to which write() appends
    void write(const char* bytes, std::size_t size) { text.append(bytes, size); }
  } sink{out};
  msgpack::pack(sink, value);
}

/// Reads values that were encoded one after the other.
///
/// Memory:  a few times the size of the value read; claims of more than there are bytes are
///          refused, as is nesting deeper than kDepthMax.
/// Threads: one at a time.
class Decoder {
 public:
  static constexpr std::size_t kDepthMax = 64;

  explicit Decoder(std::string_view bytes) : bytes_(bytes) {}

  /// Whether all has been read.
  [[nodiscard]] bool at_end() const { return offset_ >= bytes_.size(); }

  /// Errors: parse: not msgpack, cut off, or not a T.
  template <class T>
  [[nodiscard]] Result<T> next() {
    try {
      const std::size_t most = bytes_.size();
      msgpack::zone zone(kZone);
      return msgpack::unpack(zone, bytes_.data(), bytes_.size(), offset_, refer, nullptr,
                             msgpack::unpack_limit(most, most, most, most, most, kDepthMax))
          .as<T>();
    } catch (const std::exception& error) {
      return fail(ErrorCode::parse, describe(error));
    }
  }

 private:
  static constexpr std::size_t kZone = 512;  // bytes that are made room for at once

  // Texts are copied once, out of the bytes.
  static bool refer(msgpack::type::object_type /*type*/, std::size_t /*size*/, void* /*unused*/) {
    return true;
  }
  static std::string describe(const std::exception& error) {
    if (dynamic_cast<const msgpack::type_error*>(&error) != nullptr) {
      return "the value has another type or shape than the one wanted";
    }
    return std::string("not readable as msgpack: ") + error.what();
  }

  std::string_view bytes_;
  std::size_t offset_ = 0;
};

/// All of the bytes as one value. Errors: parse.
template <class T>
[[nodiscard]] Result<T> decode(std::string_view bytes) {
  Decoder decoder(bytes);
  Result<T> value = decoder.next<T>();
  if (value && !decoder.at_end()) return fail(ErrorCode::parse, "there is more than one value");
  return value;
}

}  // namespace artel::cluster
