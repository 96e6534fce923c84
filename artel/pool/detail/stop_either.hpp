#pragma once

#include <memory>
#include <stop_token>
#include <utility>

namespace artel::pool::detail {

/// A stop token that is requested when one of two others is.
///
/// Cost:    an allocation, if both can be.
/// Threads: one at a time.
class StopEither {
 public:
  StopEither(const std::stop_token& one, std::stop_token other) : token_(std::move(other)) {
    if (!one.stop_possible()) return;
    link_ = std::make_unique<Link>(one, token_);
    token_ = link_->either.get_token();
  }

  [[nodiscard]] const std::stop_token& token() const { return token_; }

 private:
  struct Request {
    std::stop_source* source;
    void operator()() const { source->request_stop(); }
  };
  struct Link {
    Link(const std::stop_token& one, const std::stop_token& other)
        : on_one(one, Request{&either}), on_other(other, Request{&either}) {}
    std::stop_source either;
    std::stop_callback<Request> on_one;
    std::stop_callback<Request> on_other;
  };

  std::stop_token token_;
  std::unique_ptr<Link> link_;
};

}  // namespace artel::pool::detail
