#include "artel/cluster/secret.hpp"

#include <fmt/core.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
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

Secret Secret::take_from_environment(const char* variable) {
  char* const value = std::getenv(variable);
  if (value == nullptr) return {};
  Secret taken{std::string(value)};
  explicit_bzero(value, std::strlen(value));  // it stays readable in /proc/PID/environ otherwise
  ::unsetenv(variable);
  return taken;
}

Result<Secret> Secret::random() {
  std::array<unsigned char, 24> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != std::ssize(bytes))
    return fail(ErrorCode::io, "cannot get random bytes");
  std::string text;
  for (const auto byte : bytes) text += fmt::format("{:02x}", byte);
  return Secret(std::move(text));
}

}  // namespace artel::cluster
