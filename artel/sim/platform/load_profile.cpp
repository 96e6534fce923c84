#include "artel/sim/platform/load_profile.hpp"

#include <cstdint>
#include <filesystem>

#include "artel/core/error.hpp"
#include "artel/file/read_text_file.hpp"
#include "artel/sim/model/profile.hpp"

namespace artel::sim {

Result<Profile> load_profile(const std::filesystem::path& path) {
  constexpr std::uint64_t kBytesMax = std::uint64_t{64} << 20U;
  const auto text = file::read_text_file(path, kBytesMax);
  if (!text) return fail(text);
  return parse_profile(*text, path.string());
}

}  // namespace artel::sim
