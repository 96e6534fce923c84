#include "artel/cluster/detail/nkey_bytes.hpp"

#include <openssl/evp.h>
#include <openssl/types.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/cluster/secret.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster::detail {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr std::size_t kKeyBytes = 32;
constexpr std::size_t kSeedCharacters = 58;      // of 2 + 32 + 2 bytes
constexpr std::size_t kPublicCharacters = 56;    // of 1 + 32 + 2 bytes
constexpr std::uint8_t kSeedPrefix = 18U << 3U;  // 'S'
constexpr std::uint8_t kUserPrefix = 20U << 3U;  // 'U'

std::optional<Bytes> base32_decoded(std::string_view text) {
  Bytes bytes;
  std::uint32_t window = 0;
  unsigned bits = 0;
  for (const char c : text) {
    const auto digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    window = (window << 5U) | static_cast<std::uint32_t>(digit);
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push_back(static_cast<std::uint8_t>(window >> bits));
    }
  }
  return bytes;
}

std::string base32_encoded(std::span<const std::uint8_t> bytes) {
  std::string text;
  std::uint32_t window = 0;
  unsigned bits = 0;
  for (const auto byte : bytes) {
    window = (window << 8U) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += kDigits[(window >> bits) & 31U];
    }
  }
  if (bits > 0) text += kDigits[(window << (5 - bits)) & 31U];
  return text;
}

// CRC-16/XMODEM.
std::uint16_t crc16(std::span<const std::uint8_t> bytes) {
  std::uint32_t crc = 0;
  for (const auto byte : bytes) {
    crc ^= std::uint32_t{byte} << 8U;
    for (int bit = 0; bit < 8; ++bit) {
      crc = ((crc & 0x8000U) != 0 ? (crc << 1U) ^ 0x1021U : crc << 1U) & 0xFFFFU;
    }
  }
  return static_cast<std::uint16_t>(crc);
}

// `bytes`, and the checksum behind them.
std::string with_checksum(Bytes bytes) {
  const auto sum = crc16(bytes);
  bytes.push_back(static_cast<std::uint8_t>(sum & 0xFFU));
  bytes.push_back(static_cast<std::uint8_t>(sum >> 8U));
  return base32_encoded(bytes);
}

bool is_sound(const Bytes& bytes) {
  const auto body = std::span(bytes).first(bytes.size() - 2);
  const auto sum = static_cast<unsigned>(bytes[bytes.size() - 2] | (bytes.back() << 8));
  return sum == crc16(body);
}

NkeyBytes key_at(const Bytes& bytes, std::size_t begin) {
  NkeyBytes key{};
  std::ranges::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(begin), kKeyBytes, key.begin());
  return key;
}

}  // namespace

Result<NkeyBytes> read_seed(const Secret& seed) {
  const auto decoded = base32_decoded(seed.reveal());
  if (!decoded || seed.reveal().size() != kSeedCharacters) {
    return fail(ErrorCode::invalid, "not the seed of an nkey: 58 characters, 'SU…'");
  }
  const auto& bytes = *decoded;
  // Two prefixes of five bits each, left over: the lower three of the first byte.
  const auto prefix = static_cast<std::uint8_t>(bytes[0] & 0xF8U);
  const auto kind = static_cast<std::uint8_t>(((bytes[0] & 7U) << 5U) | ((bytes[1] & 0xF8U) >> 3U));
  if (prefix != kSeedPrefix || !is_sound(bytes)) {
    return fail(ErrorCode::invalid, "not the seed of an nkey, or mistyped: its checksum is wrong");
  }
  if (kind != kUserPrefix) {
    return fail(ErrorCode::invalid, "the seed of an nkey, but not a user's, which starts 'SU'");
  }
  return key_at(bytes, 2);
}

Secret seed_text(const NkeyBytes& seed) {
  Bytes bytes{static_cast<std::uint8_t>(kSeedPrefix | (kUserPrefix >> 5U)),
              static_cast<std::uint8_t>((kUserPrefix & 31U) << 3U)};
  bytes.insert(bytes.end(), seed.begin(), seed.end());
  return Secret(with_checksum(std::move(bytes)));
}

Result<NkeyBytes> read_public_key(std::string_view text) {
  const auto decoded = base32_decoded(text);
  if (!decoded || text.size() != kPublicCharacters || decoded->front() != kUserPrefix) {
    return fail(ErrorCode::invalid, "not a user's public nkey: 56 characters, 'U…'");
  }
  if (!is_sound(*decoded)) {
    return fail(ErrorCode::invalid, "not a public nkey, or mistyped: its checksum is wrong");
  }
  return key_at(*decoded, 1);
}

std::string public_key_text(const NkeyBytes& key) {
  Bytes bytes{kUserPrefix};
  bytes.insert(bytes.end(), key.begin(), key.end());
  return with_checksum(std::move(bytes));
}

Result<NkeyBytes> public_key_of(const NkeyBytes& seed) {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
      EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, seed.data(), seed.size()),
      &EVP_PKEY_free);
  NkeyBytes bytes{};
  std::size_t size = bytes.size();
  if (!key || EVP_PKEY_get_raw_public_key(key.get(), bytes.data(), &size) != 1) {
    return fail(ErrorCode::unsupported, "this OpenSSL has no Ed25519");
  }
  return bytes;
}

Result<std::string> nkey_of_seed(const Secret& seed) {
  const auto bytes = read_seed(seed);
  if (!bytes) return fail(bytes);
  const auto key = public_key_of(*bytes);
  if (!key) return fail(key);
  return public_key_text(*key);
}

}  // namespace artel::cluster::detail
