#include "artel/cluster/message_seal.hpp"

#include <fmt/core.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/types.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "artel/cluster/detail/nkey_bytes.hpp"
#include "artel/cluster/secret.hpp"
#include "artel/core/error.hpp"
#include "artel/file/read_text_file.hpp"

namespace artel::cluster {
namespace {

using detail::NkeyBytes;

constexpr char kSealed = '\xc1';
constexpr std::size_t kKeyBytes = 32;
constexpr std::size_t kSignatureBytes = 64;
constexpr std::uint64_t kFileBytesMax = 1'000'000;
constexpr std::array<std::string_view, 8> kKinds{"order", "call",   "result", "report",
                                                 "piece", "beacon", "answer", "dead letter"};

bool is_of_masters(SealedKind kind) {
  return kind == SealedKind::order || kind == SealedKind::call || kind == SealedKind::beacon;
}

struct EvpDelete {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using EvpKey = std::unique_ptr<EVP_PKEY, EvpDelete>;
using EvpContext = std::unique_ptr<EVP_MD_CTX, EvpDelete>;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());  // NOLINT(*-reinterpret-cast)
}

bool is_sealed(std::string_view bytes) {
  return bytes.size() >= MessageSeal::kOverhead && bytes.front() == kSealed;
}

}  // namespace

struct MessageSeal::Key {
  EvpKey secret;
  NkeyBytes open{};
};

struct MessageSeal::Trusted {
  std::map<std::string, EvpKey, std::less<>> keys;  // by their bytes

  [[nodiscard]] EVP_PKEY* find(std::string_view key) const {
    const auto known = keys.find(key);
    return known == keys.end() ? nullptr : known->second.get();
  }
};

namespace {

std::string text_of(const NkeyBytes& key) { return {key.begin(), key.end()}; }

// A key a line; what is behind the key is whose it is.
Result<std::map<std::string, EvpKey, std::less<>>> read_trusted(const std::filesystem::path& path) {
  const auto text = file::read_text_file(path, kFileBytesMax);
  if (!text) return fail(text);
  std::map<std::string, EvpKey, std::less<>> keys;
  std::string_view rest = *text;
  for (int line = 1; !rest.empty(); ++line) {
    std::string_view one = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    one = one.substr(0, one.find_first_of(" \t\r#"));
    if (one.empty()) continue;
    const auto key = detail::read_public_key(one);
    if (!key)
      return fail(ErrorCode::invalid, key.error().what, fmt::format("{}:{}", path.string(), line));
    keys.emplace(text_of(*key), EvpKey(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr,
                                                                   key->data(), key->size())));
  }
  if (keys.empty()) return fail(ErrorCode::invalid, "there is no key in it", path.string());
  return keys;
}

}  // namespace

Result<MessageSeal> MessageSeal::open(const Files& files, std::string_view pool) {
  MessageSeal seal;
  seal.pool_ = pool;
  if (!files.key.empty()) {
    const auto text = Secret::from_file(files.key);
    if (!text) return fail(text);
    const auto seed = detail::read_seed(*text);
    if (!seed) return fail(seed.error().code, seed.error().what, files.key.string());
    const auto open = detail::public_key_of(*seed);
    if (!open) return fail(open);
    Key key{.secret = EvpKey(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, seed->data(),
                                                          seed->size())),
            .open = *open};
    seal.key_ = std::make_shared<const Key>(std::move(key));
  }
  if (!files.trusted.empty()) {
    auto keys = read_trusted(files.trusted);
    if (!keys) return fail(keys);
    seal.trusted_ = std::make_shared<const Trusted>(Trusted{std::move(*keys)});
    seal.masters_ = seal.trusted_;
  }
  if (!files.masters.empty()) {
    auto keys = read_trusted(files.masters);
    if (!keys) return fail(keys);
    seal.masters_ = std::make_shared<const Trusted>(Trusted{std::move(*keys)});
  }
  return seal;
}

std::string MessageSeal::context(SealedKind kind, std::string_view message) const {
  return fmt::format("artel {} {}\n{}", kKinds.at(static_cast<std::size_t>(kind)), pool_, message);
}

std::string MessageSeal::close(SealedKind kind, std::string message) const {
  if (!key_) return message;
  const std::string signed_text = context(kind, message);
  std::array<unsigned char, kSignatureBytes> signature{};
  std::size_t size = signature.size();
  const EvpContext context(EVP_MD_CTX_new());
  const bool done =
      context &&
      EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_->secret.get()) == 1 &&
      EVP_DigestSign(context.get(), signature.data(), &size, bytes_of(signed_text),
                     signed_text.size()) == 1;
  if (!done) return message;  // whoever wants a signature refuses it
  std::string sealed;
  sealed.reserve(kOverhead + message.size());
  sealed += kSealed;
  sealed.append(key_->open.begin(), key_->open.end());
  sealed.append(signature.begin(), signature.end());
  sealed += message;
  return sealed;
}

namespace {

// Whether the signature is one of this text by the owner of the key.
bool verify(EVP_PKEY* key, std::string_view signature, std::string_view text) {
  const EvpContext context(EVP_MD_CTX_new());
  return context && EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key) == 1 &&
         EVP_DigestVerify(context.get(), bytes_of(signature), signature.size(), bytes_of(text),
                          text.size()) == 1;
}

std::string_view key_in(std::string_view sealed) { return sealed.substr(1, kKeyBytes); }
std::string_view signature_in(std::string_view sealed) {
  return sealed.substr(1 + kKeyBytes, kSignatureBytes);
}

}  // namespace

Result<std::string_view> MessageSeal::open(SealedKind kind, std::string_view bytes) const {
  const std::string_view message = content(bytes);
  const bool of_masters = is_of_masters(kind);
  if (!(of_masters ? masters_ : trusted_)) return message;
  const auto refused = [&](std::string_view why) {
    return fail(ErrorCode::invalid,
                fmt::format("a forged {}: {}", kKinds.at(static_cast<std::size_t>(kind)), why));
  };
  if (!is_sealed(bytes)) return refused("it is not signed");
  EVP_PKEY* key = nullptr;
  if (masters_ && (of_masters || kind == SealedKind::letter)) key = masters_->find(key_in(bytes));
  if (key == nullptr && trusted_ && !of_masters) key = trusted_->find(key_in(bytes));
  if (key == nullptr) return refused("signed by somebody who is not trusted");
  if (!verify(key, signature_in(bytes), context(kind, message)))
    return refused("its signature is of something else");
  return message;
}

bool MessageSeal::is_ours(SealedKind kind, std::string_view bytes) const {
  if (!key_ || !is_sealed(bytes)) return false;
  const std::string_view ours = key_in(bytes);
  return std::equal(ours.begin(), ours.end(), key_->open.begin(), key_->open.end(),
                    [](char one, std::uint8_t other) {
                      return static_cast<std::uint8_t>(one) == other;
                    }) &&
         verify(key_->secret.get(), signature_in(bytes), context(kind, content(bytes)));
}

std::string_view MessageSeal::content(std::string_view bytes) {
  if (is_sealed(bytes)) bytes.remove_prefix(kOverhead);
  return bytes;
}

Result<Secret> make_seed() {
  NkeyBytes seed{};
  if (RAND_bytes(seed.data(), static_cast<int>(seed.size())) != 1) {
    return fail(ErrorCode::unsupported, "this OpenSSL has no randomness");
  }
  return detail::seed_text(seed);
}

Result<std::string> public_key_of(const Secret& seed) { return detail::nkey_of_seed(seed); }

}  // namespace artel::cluster
