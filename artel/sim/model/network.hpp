#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "artel/random/distribution.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/model/lease.hpp"
#include "artel/sim/model/max_min.hpp"
#include "artel/sim/model/network_model.hpp"
#include "artel/sim/model/topology.hpp"
#include "artel/trace/fingerprint.hpp"
#include "artel/unit/instant.hpp"

namespace artel::sim {

/// Names one transfer of a Network. Stays harmless after the transfer ended.
enum class TransferId : std::uint64_t {};

enum class TransferOutcome : std::uint8_t {
  done,
  unreachable,  ///< there was no way when it began, or it was cut on the way
};

/// What a Network tells whoever started a transfer, when it has ended.
struct TransferEnded {
  TransferId id{};
  double bytes = 0;  ///< of the whole transfer
  TransferOutcome outcome{};
};
inline std::uint64_t key_of(const TransferEnded& ended) {
  return static_cast<std::uint64_t>(ended.id);
}
void add_to(trace::Fingerprint& print, const TransferEnded& ended);

namespace detail {
struct BeginTransfer {
  TransferId id{};
};
struct EndTransfer {
  TransferId id{};
};
struct LocalTransfersEnd {};
struct TransfersEnd {};
}  // namespace detail

struct NetworkOptions {
  /// How bytes get from node to node; needed.
  std::unique_ptr<NetworkModel> model;
  /// Inside a node: bytes per second, shared by its transfers; infinity: they take no time.
  double local_bandwidth = std::numeric_limits<double>::infinity();
  Duration local_latency{};
  /// Seconds to add to every latency between nodes; negative draws count as 0.
  std::optional<random::Distribution> jitter = std::nullopt;
  /// Probability that a message between nodes is lost. Transfers are reliable.
  double message_loss = 0;
};

/// Carries messages and bytes between nodes.
///
///     auto& network = simulation.add<sim::Network>("network", sim::NetworkOptions{
///         .model = std::make_unique<sim::SharedNetwork>(500ms, 1e9)});
///     network.place(server.id(), host_3);
///
/// A message (`send`) arrives after the latency between the two components' nodes. A transfer takes
/// the latency, then what the model says for its bytes. Callbacks: start_transfer() and an
/// `on(const TransferEnded&)`. Coroutines: `co_await network.transfer(from, to, bytes)`. Both cause
/// the same events.
/// Models: ConstantNetwork, SharedNetwork, RoutedNetwork, or the user's NetworkModel.
/// Cost:   three events per transfer, and the model's.
/// Units:  bytes; bytes per second.
class Network final : public Component<detail::BeginTransfer, detail::EndTransfer,
                                       detail::LocalTransfersEnd, detail::TransfersEnd> {
 public:
  explicit Network(NetworkOptions options);

  /// Says on which node a component lives; it may move.
  void place(ComponentId component, NodeId node);
  /// Shape: the component was placed.
  [[nodiscard]] NodeId node_of(ComponentId component) const;

  /// A message from one placed component to another, any payload; false when it is lost: by chance,
  /// by a partition, or because there is no way.
  template <class T>
  bool send(ComponentId src, T payload, ComponentId dst) {
    const std::optional<Duration> delay = message_delay(src, dst);
    if (!delay) return false;
    emit_as(src, std::move(payload), dst, *delay);
    return true;
  }

  /// Shape: 0 <= bytes, finite.
  TransferId start_transfer(NodeId from, NodeId to, double bytes, ComponentId notify);
  /// Nobody is told; false when it has ended already.
  bool cancel_transfer(TransferId id);
  /// For coroutines; cancelled with the process that awaits it.
  Task<TransferOutcome> transfer(NodeId from, NodeId to, double bytes);
  /// Bytes that a transfer still has to go; nothing when it has ended.
  [[nodiscard]] std::optional<double> left(TransferId id);
  [[nodiscard]] std::size_t transfer_count() const { return live_; }

  /// Nodes of different groups do not reach each other until heal(); those that are in none form
  /// one more group. Transfers between groups are cut; messages on their way arrive.
  void partition(std::span<const std::vector<NodeId>> groups);
  void heal() { group_of_.clear(); }
  void set_message_loss(double probability);

  // Of networks with links.

  /// Transfers over a link that goes down are cut; later ones take another way, if there is one.
  void set_up(LinkId link, bool up);
  void set_bandwidth(LinkId link, double bandwidth);

  void on(const detail::BeginTransfer& begin);
  void on(const detail::EndTransfer& end);
  void on(const detail::LocalTransfersEnd&);
  void on(const detail::TransfersEnd&);

 private:
  enum class Stage : std::uint8_t { free, latency, fixed, shared, ended };
  struct Transfer {
    TransferId id{};
    NetworkModel::Leg leg;
    EventId next;  // the event that is to come: begin, a fixed end, or that it has ended
    ComponentId notify{};
    Stage stage = Stage::free;
    bool leased = false;  // a coroutine awaits it, and frees it
  };
  struct Alarm {  // the pending event for a model's next end
    Instant at = kNever;
    EventId event;
  };

  [[nodiscard]] Transfer* find(TransferId id);
  [[nodiscard]] bool separated(NodeId a, NodeId b) const;
  [[nodiscard]] std::optional<Duration> latency(NodeId from, NodeId to);
  [[nodiscard]] std::optional<Duration> message_delay(ComponentId src, ComponentId dst);
  TransferId begin_latency(const NetworkModel::Leg& leg, ComponentId notify, bool leased);
  void end(Transfer& transfer, TransferOutcome outcome);
  void give_up(Transfer& transfer);
  void release(TransferId id);
  void free(Transfer& transfer);
  [[nodiscard]] NetworkModel& model_of(const Transfer& transfer);
  void changed(const Transfer& transfer);
  template <class Due>
  void set_alarm(NetworkModel& model, Alarm& alarm, bool at_once);
  template <class Due>
  void ring(NetworkModel& model, Alarm& alarm);

  std::unique_ptr<NetworkModel> model_;
  std::unique_ptr<NetworkModel> local_;
  std::optional<random::Distribution> jitter_;
  double message_loss_;
  std::vector<std::optional<NodeId>> nodes_;  // by component
  std::vector<std::uint32_t> group_of_;       // by node; beyond the end: 0
  std::vector<Transfer> transfers_;           // by CarriedId
  std::vector<std::uint32_t> free_;
  std::size_t live_ = 0;
  Alarm alarm_;
  Alarm local_alarm_;
  std::vector<CarriedId> cut_;
  LeaseHolder leases_;
};

}  // namespace artel::sim
