#include "artel/pool/worker_handle.hpp"

#include "artel/core/require.hpp"
#include "artel/pool/detail/pool_core.hpp"
#include "artel/pool/detail/worker.hpp"

namespace artel::pool {

WorkerHandle WorkerHandle::of_this_thread() {
  detail::Worker* const worker = detail::this_worker();
  ARTEL_REQUIRE(worker != nullptr, "WorkerHandle: this is no thread of a pool");
  return WorkerHandle(*worker);
}

bool WorkerHandle::pause() { return worker_->pause(); }

void WorkerHandle::resume() { worker_->resume(); }

bool WorkerHandle::owns_slot() const { return worker_->owns_home(); }

bool WorkerHandle::pool_closed() const { return worker_->core().queues.closed(); }

bool WorkerHandle::leaving() const {
  const detail::PoolCore& core = worker_->core();
  return core.queues.cancelling() || (!core.queues.closed() && !worker_->home_is_member());
}

}  // namespace artel::pool
