#pragma once

#include <utility>

namespace artel::service {

/// What `Worker::handle` returns for a Request.
template <class Worker, class Request>
using ReplyOf = decltype(std::declval<Worker&>().handle(std::declval<Request>()));

/// A class whose objects answer a Request.
template <class Worker, class Request>
concept Handles = requires { typename ReplyOf<Worker, Request>; };

}  // namespace artel::service
