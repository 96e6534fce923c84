// Logging in as nsc sets it up: operator, account and user, each with a key and a signed JWT.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/cluster/cluster_options.hpp"
#include "artel/cluster/connection.hpp"
#include "artel/cluster/local_server.hpp"
#include "artel/core/error.hpp"
#include "artel/core/require.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::cluster {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using Bytes = std::vector<std::uint8_t>;

// Digits of `width` bits, as RFC 4648 has them, without padding.
std::string encoded(const Bytes& bytes, std::string_view digits, unsigned width) {
  std::string text;
  std::uint32_t window = 0;
  unsigned bits = 0;
  const auto put = [&](std::uint32_t digit) { text += digits[digit & ((1U << width) - 1)]; };
  for (const auto byte : bytes) {
    window = (window << 8U) | byte;
    for (bits += 8; bits >= width; bits -= width) put(window >> (bits - width));
  }
  if (bits > 0) put(window << (width - bits));
  return text;
}

std::string base32(const Bytes& bytes) {
  return encoded(bytes, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 5);
}
std::string base64url(std::string_view text) {
  return encoded({text.begin(), text.end()},
                 "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", 6);
}

// CRC-16/XMODEM, appended.
Bytes with_checksum(Bytes bytes) {
  std::uint32_t crc = 0;
  for (const auto byte : bytes) {
    crc ^= std::uint32_t{byte} << 8U;
    for (int bit = 0; bit < 8; ++bit) crc = (crc << 1U) ^ ((crc & 0x8000U) != 0 ? 0x11021U : 0U);
  }
  bytes.push_back(static_cast<std::uint8_t>(crc & 0xFFU));
  bytes.push_back(static_cast<std::uint8_t>(crc >> 8U));
  return bytes;
}

// Somebody with a key: an operator (O), an account (A) or a user (U).
class Party {
 public:
  explicit Party(char kind)
      : kind_(static_cast<std::uint8_t>((kind - 'A') << 3)),
        key_(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"), &EVP_PKEY_free) {
    ARTEL_REQUIRE(key_ != nullptr, "OpenSSL makes a key");
  }

  [[nodiscard]] std::string name() const {
    Bytes bytes{kind_};
    append(bytes, &EVP_PKEY_get_raw_public_key);
    return base32(with_checksum(bytes));
  }
  [[nodiscard]] std::string seed() const {
    constexpr unsigned kSeed = 18U << 3U;
    Bytes bytes{static_cast<std::uint8_t>(kSeed | kind_ >> 5U),
                static_cast<std::uint8_t>((kind_ & 31U) << 3U)};
    append(bytes, &EVP_PKEY_get_raw_private_key);
    return base32(with_checksum(bytes));
  }
  // What this party says of another one.
  [[nodiscard]] std::string token(const Party& subject, std::string_view claims) const {
    const std::string text =
        base64url(R"({"typ":"JWT","alg":"ed25519-nkey"})") + '.' +
        base64url(fmt::format(
            R"({{"jti":"{0}","iat":1700000000,"iss":"{1}","sub":"{0}","name":"test","nats":{{{2},"version":2}}}})",
            subject.name(), name(), claims));
    return text + '.' + base64url(signature(text));
  }

 private:
  void append(Bytes& bytes, int (*get)(const EVP_PKEY*, unsigned char*, std::size_t*)) const {
    std::array<unsigned char, 32> raw{};
    std::size_t size = raw.size();
    ARTEL_REQUIRE(get(key_.get(), raw.data(), &size) == 1, "a key has bytes");
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  }
  [[nodiscard]] std::string signature(std::string_view text) const {
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                          &EVP_MD_CTX_free);
    std::array<unsigned char, 64> bytes{};
    std::size_t size = bytes.size();
    const Bytes message(text.begin(), text.end());
    ARTEL_REQUIRE(
        EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_.get()) == 1 &&
            EVP_DigestSign(context.get(), bytes.data(), &size, message.data(), message.size()) == 1,
        "OpenSSL signs");
    return {bytes.begin(), bytes.end()};
  }

  std::uint8_t kind_;
  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key_;
};

constexpr std::string_view kAccount =
    R"("type":"account","limits":{"subs":-1,"data":-1,"payload":-1,"imports":-1,"exports":-1,)"
    R"("wildcards":true,"conn":-1,"leaf":-1,"mem_storage":-1,"disk_storage":-1,"streams":-1,)"
    R"("consumer":-1})";
constexpr std::string_view kUser =
    R"("type":"user","pub":{},"sub":{},"subs":-1,"data":-1,"payload":-1)";

// A server of an operator with one account.
class Credentials : public testing::Test {
 protected:
  Credentials()
      : server_(
            start(fmt::format("operator: {}\nsystem_account: {}\nresolver: MEMORY\n"
                              "resolver_preload: {{ {}: {}\n {}: {} }}\n",
                              operator_.token(operator_, R"("type":"operator")"), system_.name(),
                              system_.name(), operator_.token(system_, R"("type":"account")"),
                              account_.name(), operator_.token(account_, kAccount)))),
        options_(server_.cluster()) {
    options_.credentials = folder_.path() / "ann.creds";
  }

  static LocalServer start(std::string settings) {
    auto server = LocalServer::start({.settings = std::move(settings), .token = false});
    ARTEL_REQUIRE(server.has_value(), "the server starts", to_string(server.error()));
    return *std::move(server);
  }

  // As nsc writes it.
  static std::string file_of(std::string_view token, std::string_view seed) {
    return fmt::format(
        "-----BEGIN NATS USER JWT-----\n{}\n------END NATS USER JWT------\n\n"
        "************************* IMPORTANT *************************\n"
        "NKEY Seed printed below can be used to sign and prove identity.\n"
        "NKEYs are sensitive and should be treated as secrets.\n\n"
        "-----BEGIN USER NKEY SEED-----\n{}\n------END USER NKEY SEED------\n",
        token, seed);
  }
  void write(const std::string& text) const { std::ofstream(options_.credentials) << text; }

  [[nodiscard]] std::string refusal() const {
    const auto connection = Connection::connect(options_);
    return connection ? "" : to_string(connection.error());
  }

  const Party operator_{'O'};
  const Party system_{'A'};
  const Party account_{'A'};
  const Party ann_{'U'};
  TemporaryFolder folder_;
  LocalServer server_;
  ClusterOptions options_;
};

TEST_F(Credentials, OfAUserOfTheAccountGetIn) {
  write(file_of(account_.token(ann_, kUser), ann_.seed()));
  const auto connection = Connection::connect(options_);
  ASSERT_TRUE(connection) << to_string(connection.error());
  const auto jetstream = connection->require_jetstream();
  EXPECT_TRUE(jetstream) << to_string(jetstream.error());
}

TEST_F(Credentials, AreNeeded) {
  options_.credentials.clear();
  EXPECT_THAT(refusal(), HasSubstr("do not log in"));
}

TEST_F(Credentials, OfSomebodyElseAreRefused) {
  const Party stranger('A');
  const Party bob('U');
  for (const std::string& file : {
           file_of(stranger.token(ann_, kUser), ann_.seed()),  // of no account here
           file_of(account_.token(ann_, kUser), bob.seed()),   // another one's key
       }) {
    write(file);
    EXPECT_THAT(refusal(), AllOf(HasSubstr("refuses these credentials"), Not(HasSubstr("SU"))));
  }
}

TEST_F(Credentials, AMistakeInTheFileIsSaid) {
  const std::string token = account_.token(ann_, kUser);
  const std::string half = ann_.seed().substr(0, 40);
  for (const std::string& file : {
           std::string("nothing of the kind\n"),
           token + "\n",
           fmt::format("-----BEGIN NATS USER JWT-----\n{}\n------END NATS USER JWT------\n", token),
           file_of(token, half),
       }) {
    write(file);
    EXPECT_THAT(refusal(), AllOf(HasSubstr("ann.creds"), HasSubstr("credentials"),
                                 Not(HasSubstr(half)), Not(HasSubstr("/build/"))));
  }
  std::filesystem::remove(options_.credentials);
  EXPECT_THAT(refusal(), HasSubstr("ann.creds"));
}

}  // namespace
}  // namespace artel::cluster
