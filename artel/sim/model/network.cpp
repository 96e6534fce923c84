#include "artel/sim/model/network.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "artel/error/contract.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/next.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/this_context.hpp"
#include "artel/sim/model/constant_network.hpp"
#include "artel/sim/model/lease.hpp"
#include "artel/sim/model/local_network.hpp"
#include "artel/sim/model/max_min.hpp"
#include "artel/sim/model/network_model.hpp"
#include "artel/sim/model/topology.hpp"
#include "artel/trace/fingerprint.hpp"
#include "artel/unit/id.hpp"
#include "artel/unit/instant.hpp"

namespace artel::sim {
namespace {

constexpr std::uint64_t kSlotMask = 0xffff'ffffU;

std::size_t slot(TransferId id) { return index(id) & kSlotMask; }

CarriedId carried(TransferId id) { return CarriedId{static_cast<std::uint32_t>(slot(id))}; }

std::unique_ptr<NetworkModel> inside_nodes(Duration latency, double bandwidth) {
  if (std::isinf(bandwidth)) return std::make_unique<ConstantNetwork>(latency, bandwidth);
  return std::make_unique<LocalNetwork>(latency, bandwidth);
}

}  // namespace

void add_to(trace::Fingerprint& print, const TransferEnded& ended) {
  print.add(index(ended.id));
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

void Network::place(ComponentId component, NodeId node) {
  if (nodes_.size() <= index(component)) nodes_.resize(index(component) + 1);
  nodes_[index(component)] = node;
}

NodeId Network::node_of(ComponentId component) const {
  ARTEL_REQUIRE(index(component) < nodes_.size() && nodes_[index(component)],
                "the component is on no node: place() it", index(component));
  return *nodes_[index(component)];  // NOLINT(bugprone-unchecked-optional-access): just checked
}

TransferId Network::start_transfer(NodeId from, NodeId to, double bytes, ComponentId notify) {
  return begin_latency({from, to, bytes}, notify, false);
}

Task<TransferOutcome> Network::transfer(NodeId from, NodeId to, double bytes) {
  Context& caller = co_await this_context();
  const TransferId id = begin_latency({from, to, bytes}, caller.id(), true);
  const Lease lease(leases_, [this, id] { release(id); });
  const auto ended = co_await caller.next<TransferEnded>().from(this->id()).key(index(id));
  co_return ended->outcome;
}

bool Network::cancel_transfer(TransferId id) {
  Transfer* transfer = find(id);
  if (transfer == nullptr || transfer->stage == Stage::ended) return false;
  give_up(*transfer);
  free(*transfer);
  return true;
}

std::optional<double> Network::left(TransferId id) {
  const Transfer* transfer = find(id);
  if (transfer == nullptr || transfer->stage == Stage::ended) return std::nullopt;
  if (transfer->stage == Stage::latency) return transfer->leg.bytes;
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
  for (Transfer& transfer : transfers_) {
    const bool under_way = transfer.stage != Stage::free && transfer.stage != Stage::ended;
    if (!under_way || !separated(transfer.leg.from, transfer.leg.to)) continue;
    give_up(transfer);
    end(transfer, TransferOutcome::unreachable);
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
  for (const CarriedId id : cut_) end(transfers_[index(id)], TransferOutcome::unreachable);
  set_alarm<detail::TransfersEnd>(*model_, alarm_, false);
}

void Network::set_bandwidth(LinkId link, double bandwidth) {
  model_->set_bandwidth(now(), link, bandwidth);
  set_alarm<detail::TransfersEnd>(*model_, alarm_, false);
}

void Network::on(const detail::BeginTransfer& begin) {
  Transfer& transfer = transfers_[slot(begin.id)];
  const NetworkModel::Leg& leg = transfer.leg;
  std::optional<Duration> takes;
  if (!separated(leg.from, leg.to)) takes = model_of(transfer).begin(now(), carried(begin.id), leg);
  if (!takes) {
    end(transfer, TransferOutcome::unreachable);
  } else if (*takes == kForever) {
    transfer.stage = Stage::shared;
    changed(transfer);
  } else {
    transfer.stage = Stage::fixed;
    transfer.next = emit_self(detail::EndTransfer{begin.id}, *takes);
  }
}

void Network::on(const detail::EndTransfer& due) {
  end(transfers_[slot(due.id)], TransferOutcome::done);
}

void Network::on(const detail::LocalTransfersEnd&) {
  ring<detail::LocalTransfersEnd>(*local_, local_alarm_);
}

void Network::on(const detail::TransfersEnd&) { ring<detail::TransfersEnd>(*model_, alarm_); }

Network::Transfer* Network::find(TransferId id) {
  if (slot(id) >= transfers_.size()) return nullptr;
  Transfer& transfer = transfers_[slot(id)];
  return transfer.stage != Stage::free && transfer.id == id ? &transfer : nullptr;
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

TransferId Network::begin_latency(const NetworkModel::Leg& leg, ComponentId notify, bool leased) {
  ARTEL_REQUIRE(leg.bytes >= 0 && std::isfinite(leg.bytes),
                "a number of bytes is finite and not negative", leg.bytes);
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(transfers_.size()));
    transfers_.push_back({.id = TransferId{transfers_.size()}});
  }
  Transfer& transfer = transfers_[free_.back()];
  free_.pop_back();
  ++live_;
  transfer.leg = leg;
  transfer.notify = notify;
  transfer.leased = leased;
  const TransferId id = transfer.id;
  if (const auto delay = latency(leg.from, leg.to)) {
    transfer.stage = Stage::latency;
    transfer.next = emit_self(detail::BeginTransfer{id}, *delay);
  } else {
    end(transfer, TransferOutcome::unreachable);
  }
  return id;
}

// Tells who waits. A leased transfer stays until the coroutine has heard of it or is gone.
void Network::end(Transfer& transfer, TransferOutcome outcome) {
  transfer.next =
      emit_now(TransferEnded{transfer.id, transfer.leg.bytes, outcome}, transfer.notify);
  transfer.stage = Stage::ended;
  if (!transfer.leased) free(transfer);
}

// Takes a transfer out of wherever it is.
void Network::give_up(Transfer& transfer) {
  if (transfer.stage == Stage::shared) {
    model_of(transfer).give_up(now(), carried(transfer.id));
    changed(transfer);
  } else {
    cancel(transfer.next);
  }
}

// The coroutine of a leased transfer has got its end, or is gone.
void Network::release(TransferId id) {
  Transfer& transfer = transfers_[slot(id)];
  give_up(transfer);
  free(transfer);
}

void Network::free(Transfer& transfer) {
  transfer.stage = Stage::free;
  transfer.id = TransferId{index(transfer.id) + kSlotMask + 1};
  free_.push_back(static_cast<std::uint32_t>(slot(transfer.id)));
  --live_;
}

NetworkModel& Network::model_of(const Transfer& transfer) {
  return transfer.leg.from == transfer.leg.to ? *local_ : *model_;
}

void Network::changed(const Transfer& transfer) {
  if (transfer.leg.from == transfer.leg.to) {
    set_alarm<detail::LocalTransfersEnd>(*local_, local_alarm_, true);
  } else {
    set_alarm<detail::TransfersEnd>(*model_, alarm_, !model_->settles_in_batches());
  }
}

// Has the model's next end come up as an event; or, if asking is dear, an event at this instant,
// after all its changes, to ask then.
template <class Due>
void Network::set_alarm(NetworkModel& model, Alarm& alarm, bool at_once) {
  const Instant at = at_once ? model.next_end() : now();
  if (at == alarm.at) return;
  if (alarm.at != kNever) cancel(alarm.event);
  alarm.at = at;
  if (at != kNever) alarm.event = emit_self(Due{}, at - now());
}

template <class Due>
void Network::ring(NetworkModel& model, Alarm& alarm) {
  alarm.at = kNever;
  while (const auto id = model.take_ended(now())) {
    end(transfers_[index(*id)], TransferOutcome::done);
  }
  set_alarm<Due>(model, alarm, true);
}

}  // namespace artel::sim
