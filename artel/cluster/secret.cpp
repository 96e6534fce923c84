#include "artel/cluster/secret.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/file/read_text_file.hpp"

namespace artel::cluster {
namespace {

constexpr std::uint64_t kBytesMax = 65'536;

}  // namespace

Result<Secret> Secret::from_file(const std::filesystem::path& path) {
  auto text = file::read_text_file(path, kBytesMax);
  if (!text) return fail(text);
  text->erase(std::min(text->find_first_of("\r\n"), text->size()));
  if (text->empty()) {
    return fail(ErrorCode::invalid, "the first line must hold a secret, but is empty",
                path.string());
  }
  return Secret(std::move(*text));
}

Secret Secret::from_environment(const char* variable) {
  const char* const value = std::getenv(variable);
  return Secret(value != nullptr ? value : "");
}

}  // namespace artel::cluster
