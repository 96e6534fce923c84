#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace artel::sim::detail {

/// Memory for pools: pieces that grow from 64 KiB to 2 MiB, each twice as large as the one before.
/// The largest are aligned for huge pages and ask for them: in big models every event meets cold
/// memory, and looking up the page costs more than the miss. Freed at the end only.
class SlabSource {
 public:
  static constexpr std::size_t kAlignment = std::size_t{64} << 10U;

  /// The next piece.
  [[nodiscard]] std::span<std::byte> take();

 private:
  struct Free {
    void operator()(std::byte* memory) const;
  };

  std::vector<std::unique_ptr<std::byte, Free>> slabs_;
  std::size_t next_bytes_ = std::size_t{64} << 10U;
};

}  // namespace artel::sim::detail
