#include "artel/cluster/detail/engine_exit.hpp"

#include <nats/nats.h>
#include <nats/status.h>
#include <openssl/crypto.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

namespace artel::cluster::detail {
namespace {

constexpr std::int64_t kPatienceMs = 2000;  // connections of others may be left

decltype(::getpid()) engine_of = 0;

}  // namespace

void EngineExit::prepare() {
  static const bool prepared = [] {
    engine_of = ::getpid();
    // These register what they do at exit, and what is registered later runs earlier.
    return nats_Open(-1) == NATS_OK && OPENSSL_init_crypto(0, nullptr) == 1 &&
           std::atexit(end) == 0;
  }();
  static_cast<void>(prepared);
}

void EngineExit::end() {
  // A child of fork() has none of the engine's threads to wait for.
  if (connections == 0 && ::getpid() == engine_of)
    static_cast<void>(nats_CloseAndWait(kPatienceMs));
}

}  // namespace artel::cluster::detail
