#pragma once

#include <nats/nats.h>

#include <cstddef>
#include <memory>

namespace artel::cluster {

/// Gives back what nats.c has made.
///
/// Messages together with others of this thread: the engine frees them on a thread of its own, and
/// wakes it for every one that comes alone, a good part of what a short task costs. So they are
/// kept until they are kHeldMax, or have kHeldBytesMax together: for every thread that has any.
struct EngineDelete {
  static constexpr std::size_t kHeldMax = 64;
  static constexpr std::size_t kHeldBytesMax = 65'536;

  void operator()(natsOptions* handle) const { natsOptions_Destroy(handle); }
  void operator()(natsMsg* handle) const;
  /// Where no message can be on its way to it: see engine_subscription.hpp.
  void operator()(natsSubscription* handle) const { natsSubscription_Destroy(handle); }
  void operator()(natsInbox* handle) const { natsInbox_Destroy(handle); }
  void operator()(jsCtx* handle) const { jsCtx_Destroy(handle); }
  void operator()(jsAccountInfo* handle) const { jsAccountInfo_Destroy(handle); }
  void operator()(jsStreamInfo* handle) const { jsStreamInfo_Destroy(handle); }
  void operator()(jsConsumerInfo* handle) const { jsConsumerInfo_Destroy(handle); }
};

/// Owns something of nats.c: `EngineHandle<natsMsg>`.
template <class T>
using EngineHandle = std::unique_ptr<T, EngineDelete>;

/// For functions that return by a pointer to a pointer: `call(OutHandle(handle))`.
template <class T>
class OutHandle {
 public:
  explicit OutHandle(EngineHandle<T>& handle) : handle_(handle) {}
  OutHandle(const OutHandle&) = delete;
  OutHandle& operator=(const OutHandle&) = delete;
  ~OutHandle() { handle_.reset(received_); }
  // NOLINTNEXTLINE(google-explicit-constructor): stands for the pointer that the call wants
  operator T**() { return &received_; }

 private:
  EngineHandle<T>& handle_;
  T* received_ = nullptr;
};

}  // namespace artel::cluster
