// A service whose workers hold connections that wear out, through an outage and back.
#include <fmt/core.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/pool/future.hpp"
#include "artel/service/pool_registry.hpp"
#include "artel/service/service_options.hpp"
#include "artel/service/service_pool.hpp"
#include "artel/service/service_stats.hpp"

namespace {

using namespace artel;
using namespace std::chrono_literals;

// What the workers connect to.
struct Backend {
  std::atomic<bool> up = true;
};

struct Square {
  int number;
};

// One worker: a connection of its own, which breaks after ten requests.
class Connection {
 public:
  explicit Connection(const Backend* backend) : backend_(backend) {
    if (!backend_->up) throw std::runtime_error("the backend refuses connections");
  }

  int handle(const Square& request) {
    if (++served_ > 10 || !backend_->up) throw service::WorkerFailure("connection lost");
    return request.number * request.number;
  }

 private:
  const Backend* backend_;
  int served_ = 0;
};

using Squares = service::ServicePool<Connection>;

void ask(Squares& squares, int from, int to) {
  std::vector<pool::Future<int>> answers;
  for (int i = from; i <= to; ++i) answers.push_back(squares.call(Square{i}));
  int sum = 0;
  for (auto& answer : answers) sum += answer.get();
  const auto stats = squares.stats();
  fmt::print("squares of {} to {} add up to {}; connections so far: {}, requests tried again: {}\n",
             from, to, sum, stats.built, stats.retried);
}

}  // namespace

int main() {
  Backend backend;
  service::PoolRegistry pools;
  auto made = pools.make<Squares>({.pool = {.name = "squares", .workers = 1},
                                   .supervision = {.restarts_max = 20,
                                                   .restarts_within = 1h,
                                                   .backoff_first = 100us,
                                                   .backoff_max = 1ms},
                                   .retries = 1},
                                  &backend);
  if (!made) {
    fmt::print("{}\n", to_string(made.error()));
    return 1;
  }
  Squares& squares = **made;
  ask(squares, 1, 100);

  backend.up = false;
  static_cast<void>(squares.cast(Square{1}));  // finds out that the connection is gone
  static_cast<void>(squares.wait_idle());      // and ends with the service giving up
  const auto refused = squares.call(Square{1}).result();
  fmt::print("outage: {}\n", refused ? "?" : refused.error().what);

  backend.up = true;
  squares.restart();
  ask(squares, 1, 10);

  const auto misspelt = pools.find<Squares>("sqares");
  fmt::print("{}\n", misspelt ? "?" : misspelt.error().what);
}
