#include "artel/cluster/detail/nkey_of_seed.hpp"

#include <openssl/evp.h>
#include <openssl/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "artel/cluster/secret.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster::detail {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr std::size_t kKeyBytes = 32;
constexpr std::size_t kSeedCharacters = 58;      // of 2 + 32 + 2 bytes
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

std::optional<std::array<std::uint8_t, kKeyBytes>> ed25519_public(
    std::span<const std::uint8_t> seed) {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
      EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, seed.data(), seed.size()),
      &EVP_PKEY_free);
  std::array<std::uint8_t, kKeyBytes> bytes{};
  std::size_t size = bytes.size();
  if (!key || EVP_PKEY_get_raw_public_key(key.get(), bytes.data(), &size) != 1) return std::nullopt;
  return bytes;
}

}  // namespace

Result<std::string> nkey_of_seed(const Secret& seed) {
  const auto decoded = base32_decoded(seed.reveal());
  if (!decoded || seed.reveal().size() != kSeedCharacters) {
    return fail(ErrorCode::invalid, "not the seed of an nkey: 58 characters, 'SU…'");
  }
  const auto& bytes = *decoded;
  const auto body = std::span(bytes).first(2 + kKeyBytes);
  // Two prefixes of five bits each, left over: the lower three of the first byte.
  const auto prefix = static_cast<std::uint8_t>(bytes[0] & 0xF8U);
  const auto kind = static_cast<std::uint8_t>(((bytes[0] & 7U) << 5U) | ((bytes[1] & 0xF8U) >> 3U));
  const auto crc = static_cast<unsigned>(bytes[34] | (bytes[35] << 8));
  if (prefix != kSeedPrefix || crc != crc16(body)) {
    return fail(ErrorCode::invalid, "not the seed of an nkey, or mistyped: its checksum is wrong");
  }
  if (kind != kUserPrefix) {
    return fail(ErrorCode::invalid, "the seed of an nkey, but not a user's, which starts 'SU'");
  }
  const auto key = ed25519_public(body.subspan(2));
  if (!key) return fail(ErrorCode::unsupported, "this OpenSSL has no Ed25519");
  Bytes encoded{kUserPrefix};
  encoded.insert(encoded.end(), key->begin(), key->end());
  const auto sum = crc16(encoded);
  encoded.push_back(static_cast<std::uint8_t>(sum & 0xFFU));
  encoded.push_back(static_cast<std::uint8_t>(sum >> 8U));
  return base32_encoded(encoded);
}

}  // namespace artel::cluster::detail
