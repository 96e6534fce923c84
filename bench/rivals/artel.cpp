// artel's own pool, with each of the policies.
#include <utility>
#include <vector>

#include "artel/dispatch/policy.hpp"
#include "artel/pool/pool.hpp"
#include "artel/pool/promise.hpp"
#include "bench/rivals/rivals.hpp"
#include "bench/rivals/throughput.hpp"

namespace artel::bench {
namespace {

class ArtelPool {
 public:
  ArtelPool(unsigned workers, dispatch::Policy policy)
      : pool_({.workers = workers, .dispatch = std::move(policy)}) {}

  template <class F>
  void post(F&& fn) {
    static_cast<void>(pool_.post(std::forward<F>(fn)));
  }
  template <class F>
  auto submit(F&& fn) {
    return pool_.submit(std::forward<F>(fn));
  }

  // Who waits for it in a task makes room for other tasks.
  class Promise {
   public:
    auto get_future() { return promise_.future(); }
    void set_value() { promise_.set_value(); }

   private:
    pool::Promise<void> promise_;
  };

 private:
  pool::Pool pool_;
};

int fib(pool::Pool& pool, int n) {
  if (n < 2) return n;
  auto left = pool.submit([&pool, n] { return fib(pool, n - 1); });
  const int right = fib(pool, n - 2);
  return left.get() + right;
}

Rival with(const dispatch::Policy& policy) {
  return {.name = "artel-" + dispatch::name(policy),
          .run = every_workload([policy](unsigned workers) { return ArtelPool(workers, policy); }),
          .fib = [policy](const Fib& what) {
            pool::Pool pool({.workers = what.workers, .dispatch = policy});
            return what.run([&] { return pool.submit([&] { return fib(pool, what.n); }).get(); });
          }};
}

std::vector<Rival> with_each(const std::vector<dispatch::Policy>& policies) {
  std::vector<Rival> all;
  for (const auto& policy : policies) all.push_back(with(policy));
  return all;
}

}  // namespace

Rival artel_rival() { return with(dispatch::LeastLoaded{}); }

std::vector<Rival> artel_policies() {
  return with_each({dispatch::Jsq{}, dispatch::RoundRobin{}, dispatch::Random{}, dispatch::Jiq{},
                    dispatch::ClosedLoop{}});
}

std::vector<Rival> artel_further_policies() {
  return with_each({dispatch::WeightedRoundRobin{}, dispatch::LeastWorkLeft{}, dispatch::Sita{},
                    dispatch::LeastLoaded{{dispatch::Measure::occupancy}},
                    dispatch::LeastLoaded{{dispatch::Measure::delay}}, dispatch::PeakEwma{},
                    dispatch::C3{.d = 2}, dispatch::Jbt{}, dispatch::Prequal{}});
}

}  // namespace artel::bench
