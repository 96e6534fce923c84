#include "artel/cluster/engine_handle.hpp"

#include <nats/nats.h>

#include <array>
#include <cstddef>
#include <span>

namespace artel::cluster {
namespace {

class HeldMessages {
 public:
  HeldMessages() = default;
  HeldMessages(const HeldMessages&) = delete;
  HeldMessages& operator=(const HeldMessages&) = delete;
  ~HeldMessages() { destroy(); }

  void add(natsMsg* message) {
    messages_[count_++] = message;
    bytes_ += static_cast<std::size_t>(natsMsg_GetDataLength(message));
    if (count_ == messages_.size() || bytes_ >= EngineDelete::kHeldBytesMax) destroy();
  }

 private:
  void destroy() {
    for (natsMsg* message : std::span(messages_).first(count_)) natsMsg_Destroy(message);
    count_ = 0;
    bytes_ = 0;
  }

  std::array<natsMsg*, EngineDelete::kHeldMax> messages_{};
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace

void EngineDelete::operator()(natsMsg* handle) const {
  thread_local HeldMessages held;
  held.add(handle);
}

}  // namespace artel::cluster
