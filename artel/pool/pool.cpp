#include "artel/pool/pool.hpp"

#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "artel/error/contract.hpp"
#include "artel/error/error.hpp"
#include "artel/pool/common_queue.hpp"
#include "artel/pool/crew.hpp"
#include "artel/pool/future_node.hpp"
#include "artel/pool/job.hpp"
#include "artel/pool/monitor.hpp"
#include "artel/pool/place.hpp"
#include "artel/pool/pool_core.hpp"
#include "artel/pool/pool_options.hpp"
#include "artel/pool/producer.hpp"
#include "artel/pool/stamp.hpp"
#include "artel/pool/worker.hpp"
#include "artel/unit/id.hpp"
#include "artel/unit/instant.hpp"

namespace artel::pool {
namespace {

PoolOptions checked(PoolOptions options) {
  auto result = check(std::move(options));
  ARTEL_REQUIRE(result.has_value(), "pool options", result.error().what);
  return std::move(*result);
}

}  // namespace

Pool::Pool(PoolOptions options)
    : core_(std::make_unique<PoolCore>(checked(std::move(options)))),
      crew_(std::make_unique<Crew>(*core_)),
      monitor_(std::make_unique<Monitor>(*core_, *crew_)) {
  try {
    crew_->start(core_->options().workers);
    if (monitor_->needed()) monitor_->start();
  } catch (...) {
    stop();
    throw;
  }
}

Result<std::unique_ptr<Pool>> Pool::create(PoolOptions options) {
  auto result = check(std::move(options));
  if (!result) return fail(result);
  try {
    return std::make_unique<Pool>(std::move(*result));
  } catch (const std::system_error& error) {
    return fail(ErrorCode::unsupported, std::string("cannot start the workers: ") + error.what());
  }
}

Pool::~Pool() {
  stop();
  static_cast<void>(stop_recording());
}

void Pool::fill(Ticket& ticket, const SubmitOptions& options, bool measured) {
  static_cast<Stamp&>(ticket) = core_->stamp(core_->producer(), measured);
  ticket.ticketed = 1;
  ticket.deadline = options.deadline;
  ticket.stop = options.stop;
  ticket.size = options.size;
}

bool Pool::label(FutureNode& node, const SubmitOptions& options) {
  Producer& producer = core_->producer();
  const bool conditions =
      options.deadline != kNever || options.stop.stop_possible() || options.size > Duration::zero();
  const bool measured = conditions || PoolCore::measures_next(producer);
  if (measured || core_->recording()) {
    fill(node.ticket(), options, measured);
  } else {
    ++producer.unstamped;
  }
  return conditions;
}

Admission Pool::enqueue(FutureNode& node, const SubmitOptions& options, Instant until) {
  const bool conditions = label(node, options);
  node.enqueue(*core_, options.claimable);
  node.add_reference();  // the queue's
  if (!conditions && options.priority == Priority::normal &&
      core_->place_again(core_->producer(),
                         [&node](void* at) { ::new (at) Job(NodeBody{&node}); })) {
    return Admission::accepted;
  }
  Job job(NodeBody{&node});
  const Admission admission = core_->admit(job, options.priority, options.size, until);
  if (admission != Admission::accepted) node.release();
  return admission;
}

void Pool::stop(StopMode mode) {
  monitor_->stop();  // nothing is under way between queues any more
  crew_->close();
  if (mode == StopMode::cancel) core_->cancel_pending();
  core_->wake_all();
  if (worker_of(*core_) != nullptr) return;
  crew_->join_all();
  core_->wait_for_claims();
}

Result<void> Pool::resize(unsigned workers) {
  auto result = crew_->resize(workers);
  if (result && core_->options().shrink_timeout != kForever) monitor_->start();
  return result;
}

void Pool::attend(WorkerId id) {
  ARTEL_REQUIRE(index(id) < core_->options().workers_max, "no such worker", index(id));
  Place& place = core_->places()[index(id)];
  place.attention.store(true);  // before the wake-up: parking.hpp, P1
  core_->wake(place);
}

bool Pool::wait_resized(Instant until) { return crew_->wait_resized(until); }

bool Pool::wait_idle(Instant until) { return core_->wait_idle(until); }

unsigned Pool::size() const { return crew_->size(); }

std::optional<WorkerId> Pool::this_worker() const {
  const Worker* const worker = worker_of(*core_);
  if (worker == nullptr || worker->place() == nullptr) return std::nullopt;
  return worker->place()->id;
}

}  // namespace artel::pool
