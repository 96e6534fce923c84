#pragma once

#include <memory>

#include "artel/fleet/detail/server.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::fleet::detail {

/// The server that the settings describe; `dice` are its own.
[[nodiscard]] std::unique_ptr<Server> make_server(const scenario::WorkerSettings& settings,
                                                  const random::Stream& dice);

}  // namespace artel::fleet::detail
