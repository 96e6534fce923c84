#include "artel/cluster/detail/self_signed.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/pem.h>
#include <openssl/types.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "artel/cluster/secret.hpp"
#include "artel/core/error.hpp"

namespace artel::cluster::detail {
namespace {

template <class T>
using Handle = std::unique_ptr<T, void (*)(T*)>;

constexpr long kDays = 3650;
constexpr long kSecondsPerDay = 86'400;
constexpr int kSerialBits = 127;
constexpr std::size_t kNameMax = 253;
constexpr std::string_view kOfNames =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.:_";

bool is_address(const std::string& name) {
  in6_addr six{};
  in_addr four{};
  return ::inet_pton(AF_INET, name.c_str(), &four) == 1 ||
         ::inet_pton(AF_INET6, name.c_str(), &six) == 1;
}

// "DNS:broker.example,IP:127.0.0.1"
Result<std::string> alternative_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    const bool address = is_address(name);
    if (name.empty() || name.size() > kNameMax ||
        name.find_first_not_of(kOfNames) != std::string::npos ||
        (!address && name.find(':') != std::string::npos)) {
      return fail(ErrorCode::invalid, "not the name of a host", name);
    }
    text += (text.empty() ? "" : ",") + std::string(address ? "IP:" : "DNS:") + name;
  }
  return text;
}

bool add_extension(X509* certificate, int kind, const std::string& value) {
  X509V3_CTX context{};
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  const Handle<X509_EXTENSION> extension(
      X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()), X509_EXTENSION_free);
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

bool fill(X509* certificate, EVP_PKEY* key, const std::string& common, const std::string& names) {
  const Handle<BIGNUM> serial(BN_new(), BN_free);
  if (!serial || BN_rand(serial.get(), kSerialBits, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) != 1 ||
      BN_to_ASN1_INTEGER(serial.get(), X509_get_serialNumber(certificate)) == nullptr) {
    return false;
  }
  constexpr long kVersion3 = 2;  // counted from 0
  X509_set_version(certificate, kVersion3);
  // From yesterday on, for clocks that are behind.
  X509_gmtime_adj(X509_getm_notBefore(certificate), -kSecondsPerDay);
  X509_gmtime_adj(X509_getm_notAfter(certificate), kDays * kSecondsPerDay);
  X509_set_pubkey(certificate, key);
  X509_NAME* const name = X509_get_subject_name(certificate);
  // NOLINTNEXTLINE(*-reinterpret-cast): the call's type
  const auto* const text = reinterpret_cast<const unsigned char*>(common.c_str());
  return X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, text, -1, -1, 0) == 1 &&
         X509_set_issuer_name(certificate, name) == 1 &&
         add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE") &&
         add_extension(certificate, NID_subject_key_identifier, "hash") &&
         add_extension(certificate, NID_subject_alt_name, names) &&
         X509_sign(certificate, key, EVP_sha256()) > 0;
}

std::string text_of(BIO* written) {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(written, &bytes);  // NOLINT(*-cstyle-cast): a macro's
  return {bytes, static_cast<std::size_t>(size)};
}

}  // namespace

Result<SelfSigned> make_self_signed(const std::vector<std::string>& names) {
  auto alternatives = alternative_names(names);
  if (!alternatives) return fail(alternatives);
  const Handle<EVP_PKEY> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const Handle<X509> certificate(X509_new(), X509_free);
  const Handle<BIO> open(BIO_new(BIO_s_mem()), BIO_free_all);
  const Handle<BIO> closed(BIO_new(BIO_s_secmem()), BIO_free_all);
  if (!key || !certificate || !open || !closed ||
      !fill(certificate.get(), key.get(), "artel", *alternatives) ||
      PEM_write_bio_X509(open.get(), certificate.get()) != 1 ||
      PEM_write_bio_PrivateKey(closed.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) !=
          1) {
    return fail(ErrorCode::unsupported, "this OpenSSL cannot make a certificate");
  }
  return SelfSigned{text_of(open.get()), Secret(text_of(closed.get()))};
}

}  // namespace artel::cluster::detail
