// The server of a simulated cluster.

#include <fmt/core.h>

#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/worker_action.hpp"
#include "artel/cluster/protocol/worker_event.hpp"
#include "artel/core/instant.hpp"
#include "tests/cluster/overloaded.hpp"
#include "tests/cluster/simulated_cluster.hpp"
#include "tests/cluster/simulated_queue.hpp"

namespace artel::cluster::simulated {

Server::Server(World& world, std::vector<ClientId> masters)
    : queue(world.scenario.tries, std::move(masters)), world_(world) {}

void Server::on(ToServer& message) {
  if (down) return;
  queue.advance(now(), outs_);
  if (auto* const forward = std::get_if<Forward>(&message.what)) {
    if (forward->whom == Forward::Whom::one) {
      world_.to_client(forward->one, std::move(forward->event));
    } else {
      const bool workers = forward->whom == Forward::Whom::workers;
      const std::size_t first = workers ? world_.masters.size() : 0;
      const std::size_t count = workers ? world_.workers.size() : world_.masters.size();
      for (std::size_t i = 0; i < count; ++i) world_.to_client(first + i, forward->event);
    }
  } else if (!silent) {
    if (auto* const master = std::get_if<MasterAction>(&message.what)) {
      serve(message.from, *master);
    } else {
      // A dead worker's requests find nobody at the other end.
      auto& what = std::get<WorkerAction>(message.what);
      const bool pulls = std::holds_alternative<Pull>(what);
      if (!pulls || message.life == world_.client(message.from).life) {
        serve(message.from, what, message.lease);
      }
    }
  }
  flush();
}

void Server::serve(ClientId from, MasterAction& what) {
  const auto reply = [&](MasterEvent event) { outs_.push_back({from, std::move(event)}); };
  const auto reply_late = [&](MasterEvent event) {
    emit_self(Late{{from, std::move(event)}}, world_.scenario.late);
  };
  std::visit(
      Overloaded{[&](const SendChunk& x) {
                   const ChunkAddress chunk{x.order->job, x.order->index};
                   if (full) return reply(ChunkNotStored{chunk, true, "no room"});
                   const std::string& queue_name =
                       x.worker.empty() ? x.queue : Subjects::own_consumer(x.worker);
                   const auto number = queue.publish(queue_name, x.order, now(), outs_);
                   if (number) return reply(ChunkStored{chunk, x.order->epoch, *number});
                   reply(ChunkNotStored{chunk});
                 },
                 [&](LookUpChunk& x) {
                   if (!x.worker.empty()) x.worker = Subjects::own_consumer(x.worker);
                   reply(queue.look_up(x));
                 },
                 [&](const MakeQueue& x) {
                   if (x.anew) queue.drop(x.queue);
                   queue.make(x.queue, now(), outs_);
                 },
                 [&](const MakeOwnQueue& x) {
                   queue.make(Subjects::own_consumer(x.worker), now(), outs_);
                   reply_late(OwnQueueMade{x.worker, true});
                 },
                 [&](const DropOwnQueue& x) { queue.drop(Subjects::own_consumer(x.worker)); },
                 [&](const EraseMessage& x) { queue.erase(x.number); },
                 [&](const BuryLetter& x) { queue.erase(x.number); },
                 [&](const SweepJob& x) {
                   queue.sweep(x.job);
                   reply(JobSwept{x.job, true});
                 },
                 [&](const ReadMessage& x) { reply(MessageRead{x.number, queue.read(x.number)}); },
                 [&](const SendBeacon& x) {
                   const auto number =
                       queue.publish_beacon(Subjects::own_consumer(x.worker),
                                            {x.number, fmt::format("{}", from)}, now(), outs_);
                   if (number) reply_late(BeaconStored{x.worker, *number});
                 },
                 [](const auto&) {}},
      what);
}

void Server::serve(ClientId from, WorkerAction& what, Duration lease) {
  if (const auto* const pull = std::get_if<Pull>(&what)) queue.pull(from, *pull, now(), outs_);
  if (const auto* const tell = std::get_if<TellServer>(&what)) {
    queue.tell(tell->ack, tell->word, lease, now(), outs_);
  }
  if (const auto* const look = std::get_if<LookUpQueue>(&what)) {
    outs_.push_back({from, WorkerEvent(QueueLookedUp{look->queue, queue.has(look->queue)})});
  }
}

void Server::on(const Tick& tick) {
  if (tick.at == planned_) planned_ = kNever;
  wake();
}

void Server::on(const Late& late) {
  if (!down && !silent) world_.to_client(late.answer.to, late.answer.event);
}

void Server::wake() {
  if (down || silent) return;
  queue.advance(now(), outs_);
  flush();
}

void Server::flush() {
  for (const auto& ended : std::exchange(queue.ended_leases, {})) world_.check_lease(ended);
  for (auto& out : std::exchange(outs_, {})) world_.to_client(out.to, std::move(out.event));
  const Instant next = silent ? kNever : queue.next_end();
  if (next < planned_) {
    planned_ = next;
    emit_self(Tick{0, next}, next - now());
  }
}

}  // namespace artel::cluster::simulated
