#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace artel::logs::detail {

/// Packed bytes in, plain ones out. Says false when what comes in is damaged.
class Unpacker {
 public:
  Unpacker() = default;
  virtual ~Unpacker() = default;
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  /// Takes from the front of `in` and fills `out`, of which `used` bytes are set. `whole`: a part
  /// of the file has ended just there.
  virtual bool unpack(std::string_view& in, std::vector<char>& out, std::size_t& used,
                      bool& whole) = 0;
};

/// What unpacks a file of which these are the first bytes: null for one that is not packed.
[[nodiscard]] std::unique_ptr<Unpacker> unpacker_of(std::string_view first_bytes);

}  // namespace artel::logs::detail
