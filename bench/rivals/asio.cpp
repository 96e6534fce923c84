// asio::thread_pool (Debian).
#include <asio/post.hpp>
#include <asio/thread_pool.hpp>
#include <asio/use_future.hpp>
#include <utility>

#include "bench/rivals/rivals.hpp"

namespace artel::bench {
namespace {

class AsioPool {
 public:
  explicit AsioPool(unsigned workers) : pool_(workers) {}
  AsioPool(const AsioPool&) = delete;
  AsioPool& operator=(const AsioPool&) = delete;
  ~AsioPool() { pool_.join(); }

  template <class F>
  void post(F&& fn) {
    asio::post(pool_, std::forward<F>(fn));
  }
  template <class F>
  auto submit(F&& fn) {
    return asio::post(pool_, asio::use_future(std::forward<F>(fn)));
  }

 private:
  asio::thread_pool pool_;
};

}  // namespace

Rival asio_rival() {
  return {.name = "asio",
          .run = every_workload([](unsigned workers) { return AsioPool(workers); })};
}

}  // namespace artel::bench
