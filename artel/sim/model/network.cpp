#include "artel/sim/model/network.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/next.hpp"
#include "artel/sim/kernel/statistics.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/this_context.hpp"
#include "artel/sim/model/constant_network.hpp"
#include "artel/sim/model/detail/local_network.hpp"
#include "artel/sim/model/max_min.hpp"
#include "artel/sim/model/network_model.hpp"
#include "artel/sim/model/operation_id.hpp"
#include "artel/sim/model/topology.hpp"
#include "artel/trace/fingerprint.hpp"

namespace artel::sim {
namespace {

CarriedId carried(OperationId id) { return CarriedId{static_cast<std::uint32_t>(index(id))}; }

std::unique_ptr<NetworkModel> inside_nodes(Duration latency, double bandwidth) {
  if (std::isinf(bandwidth)) return std::make_unique<ConstantNetwork>(latency, bandwidth);
  return std::make_unique<detail::LocalNetwork>(latency, bandwidth);
}

}  // namespace

void add_to(trace::Fingerprint& print, const TransferEnded& ended) {
  print.add(index(ended.operation));
  print.add(std::bit_cast<std::uint64_t>(ended.bytes));
  print.add(index(ended.outcome));
}

Network::Network(NetworkOptions options)
    : model_(std::move(options.model)),
      local_(inside_nodes(options.local_latency, options.local_bandwidth)),
      jitter_(std::move(options.jitter)),
      message_loss_(0) {
  ARTEL_REQUIRE(model_ != nullptr, "a network needs a model");
  set_message_loss(options.message_loss);
}

Network::~Network() {
  for (const OperationId id : transfers_.ids()) transfers_.find(id)->listener.detach();
}

void Network::place(ComponentId component, NodeId node) {
  if (nodes_.size() <= index(component)) nodes_.resize(index(component) + 1);
  nodes_[index(component)] = node;
}

NodeId Network::node_of(ComponentId component) const {
  ARTEL_REQUIRE(index(component) < nodes_.size() && nodes_[index(component)],
                "the component is on no node: place() it", index(component));
  return *nodes_[index(component)];  // NOLINT(bugprone-unchecked-optional-access): just checked
}

OperationId Network::start_transfer(NodeId from, NodeId to, double bytes, ComponentId notify) {
  return begin({from, to, bytes}, {.component = notify});
}

Task<TransferOutcome> Network::transfer(NodeId from, NodeId to, double bytes) {
  Context& caller = co_await this_context();
  Awaited<Network> operation(*this, caller);
  operation.began(begin({from, to, bytes}, {caller.id(), &operation}));
  const auto ended = co_await caller.next<TransferEnded>().key(operation.key()).from(id());
  co_return ended->outcome;
}

bool Network::cancel(OperationId id) {
  const Transfer* transfer = transfers_.find(id);
  if (transfer == nullptr) return false;
  give_up(id, *transfer);
  transfer->listener.detach();
  transfers_.remove(id);
  note_change();
  return true;
}

std::optional<double> Network::left(OperationId id) {
  const Transfer* transfer = transfers_.find(id);
  if (transfer == nullptr) return std::nullopt;
  if (transfer->stage == Stage::shared) return model_of(*transfer).left(now(), carried(id));
  return transfer->leg.bytes;
}

void Network::partition(std::span<const std::vector<NodeId>> groups) {
  group_of_.clear();
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (const NodeId node : groups[group]) {
      if (group_of_.size() <= index(node)) group_of_.resize(index(node) + 1);
      group_of_[index(node)] = static_cast<std::uint32_t>(group + 1);
    }
  }
  for (const OperationId id : transfers_.ids()) {
    const Transfer& transfer = *transfers_.find(id);
    if (!separated(transfer.leg.from, transfer.leg.to)) continue;
    give_up(id, transfer);
    end(id, TransferOutcome::unreachable);
  }
}

void Network::set_message_loss(double probability) {
  ARTEL_REQUIRE(probability >= 0 && probability <= 1, "a probability is between 0 and 1",
                probability);
  message_loss_ = probability;
}

void Network::set_up(LinkId link, bool up) {
  cut_.clear();
  model_->set_up(now(), link, up, cut_);
  for (const CarriedId id : cut_) end(carried_[index(id)], TransferOutcome::unreachable);
  share_anew();
}

void Network::set_bandwidth(LinkId link, double bandwidth) {
  model_->set_bandwidth(now(), link, bandwidth);
  share_anew();
}

void Network::on(const detail::BeginTransfer& due) {
  Transfer& transfer = *transfers_.find(due.operation);
  const NetworkModel::Leg& leg = transfer.leg;
  std::optional<Duration> takes;
  if (!separated(leg.from, leg.to)) {
    takes = model_of(transfer).begin(now(), carried(due.operation), leg);
  }
  if (!takes) {
    end(due.operation, TransferOutcome::unreachable);
  } else if (*takes == kForever) {
    transfer.stage = Stage::shared;
    share_anew(transfer);
  } else {
    transfer.stage = Stage::fixed;
    transfer.next = emit_self(detail::EndTransfer{due.operation}, *takes);
  }
}

void Network::on(const detail::EndTransfer& due) { end(due.operation, TransferOutcome::done); }

void Network::on(const detail::LocalTransfersEnd&) {
  local_alarm_.rang();
  end_due(*local_);
  local_alarm_.set(*this, local_->next_end(), {});
}

void Network::on(const detail::TransfersEnd&) {
  alarm_.rang();
  end_due(*model_);
  alarm_.set(*this, model_->next_end(), {});
}

bool Network::separated(NodeId a, NodeId b) const {
  const auto group = [this](NodeId node) {
    return index(node) < group_of_.size() ? group_of_[index(node)] : 0;
  };
  return group(a) != group(b);
}

std::optional<Duration> Network::latency(NodeId from, NodeId to) {
  if (from == to) return local_->latency(from, to);
  if (separated(from, to)) return std::nullopt;
  std::optional<Duration> latency = model_->latency(from, to);
  if (latency && jitter_) *latency += from_seconds(std::max(0.0, (*jitter_)(random())));
  return latency;
}

std::optional<Duration> Network::message_delay(ComponentId src, ComponentId dst) {
  const NodeId from = node_of(src);
  const NodeId to = node_of(dst);
  if (from != to && message_loss_ > 0 && random().uniform() < message_loss_) return std::nullopt;
  return latency(from, to);
}

OperationId Network::begin(const NetworkModel::Leg& leg, const Listener<Network>& listener) {
  ARTEL_REQUIRE(leg.bytes >= 0 && std::isfinite(leg.bytes),
                "a number of bytes is finite and not negative", leg.bytes);
  const OperationId id = transfers_.add({.leg = leg, .listener = listener, .started = now()});
  note_change();
  const std::size_t slot = OperationTable<Transfer>::slot(id);
  if (carried_.size() <= slot) carried_.resize(slot + 1);
  carried_[slot] = id;
  if (const auto delay = latency(leg.from, leg.to)) {
    transfers_.find(id)->next = emit_self(detail::BeginTransfer{id}, *delay);
  } else {
    end(id, TransferOutcome::unreachable);
  }
  return id;
}

void Network::end(OperationId id, TransferOutcome outcome) {
  const Transfer& transfer = *transfers_.find(id);
  if (usage_) usage_->waited(now() - transfer.started);
  transfer.listener.tell_end(*this, TransferEnded{id, transfer.leg.bytes, outcome});
  transfers_.remove(id);
  note_change();
}

void Network::note_change() const {
  if (usage_) usage_->set(transfers_.size() > 0 ? 1 : 0, transfers_.size());
}

void Network::measure(Statistics& statistics, std::string_view name) {
  usage_ = statistics.usage(name, {.utilisation = "busy", .queue = "transfers", .wait = "time"});
  note_change();
}

// Takes a transfer out of wherever it is.
void Network::give_up(OperationId id, const Transfer& transfer) {
  if (transfer.stage == Stage::shared) {
    model_of(transfer).give_up(now(), carried(id));
    share_anew(transfer);
  } else {
    cancel(transfer.next);
  }
}

NetworkModel& Network::model_of(const Transfer& transfer) {
  return transfer.leg.from == transfer.leg.to ? *local_ : *model_;
}

// A transfer has begun or been given up: the others' ends have moved.
void Network::share_anew(const Transfer& transfer) {
  if (transfer.leg.from == transfer.leg.to) {
    local_alarm_.set(*this, local_->next_end(), {});
  } else {
    share_anew();
  }
}

// If asking is dear, it waits until all changes of this instant are known.
void Network::share_anew() {
  alarm_.set(*this, model_->settles_in_batches() ? now() : model_->next_end(), {});
}

void Network::end_due(NetworkModel& model) {
  while (const auto id = model.take_ended(now())) {
    end(carried_[index(*id)], TransferOutcome::done);
  }
}

}  // namespace artel::sim
