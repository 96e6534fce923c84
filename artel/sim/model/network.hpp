#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "artel/random/distribution.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/statistics.hpp"
#include "artel/sim/kernel/task.hpp"
#include "artel/sim/kernel/usage.hpp"
#include "artel/sim/model/detail/alarm.hpp"
#include "artel/sim/model/max_min.hpp"
#include "artel/sim/model/message_rule.hpp"
#include "artel/sim/model/network_model.hpp"
#include "artel/sim/model/operation_id.hpp"
#include "artel/sim/model/topology.hpp"
#include "artel/trace/fingerprint.hpp"

namespace artel::sim {

/// How a transfer ended.
enum class TransferOutcome : std::uint8_t {
  done,         ///< all bytes have arrived
  unreachable,  ///< there was no way when it began, or it was cut on the way
};

/// What a Network tells whoever started a transfer, when it has ended.
struct TransferEnded {
  OperationId operation{};
  double bytes = 0;  ///< of the whole transfer
  TransferOutcome outcome{};
};
[[nodiscard]] inline std::uint64_t key_of(const TransferEnded& ended) {
  return index(ended.operation);
}
void add_to(trace::Fingerprint& print, const TransferEnded& ended);

namespace detail {
/// The latency of a transfer has passed.
struct BeginTransfer {
  OperationId operation{};
};
/// A transfer ends whose end was known when it began.
struct EndTransfer {
  OperationId operation{};
};
/// The next of the transfers ends that share something, inside nodes or between them.
struct LocalTransfersEnd {};
struct TransfersEnd {};
}  // namespace detail

/// How bytes get from node to node, and inside of one.
struct NetworkOptions {
  /// How bytes get from node to node; needed.
  std::unique_ptr<NetworkModel> model;
  /// Inside a node: bytes per second, shared by its transfers; infinity: they take no time.
  double local_bandwidth = std::numeric_limits<double>::infinity();
  Duration local_latency{};  ///< inside a node
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
/// Units:  bytes; bytes per second. Threads: its simulation's.
class Network final : public Component<detail::BeginTransfer, detail::EndTransfer,
                                       detail::LocalTransfersEnd, detail::TransfersEnd> {
 public:
  explicit Network(NetworkOptions options);
  ~Network();

  /// Says on which node a component lives; it may move.
  void place(ComponentId component, NodeId node);
  /// Requires: the component was placed.
  [[nodiscard]] NodeId node_of(ComponentId component) const;

  /// A message from one placed component to another, any payload; false when it is lost: by chance,
  /// by a partition, or because there is no way.
  template <class T>
  bool send(ComponentId src, T payload, ComponentId dst) {
    MessageFate fate;
    if (rule_) fate = rule_(SentMessage(src, dst, payload));
    if (fate.lost) return false;
    const std::optional<Duration> delay = message_delay(src, dst);
    if constexpr (std::is_copy_constructible_v<T>) {
      for (std::uint32_t copy = 0; copy < fate.copies; ++copy) {
        if (const auto other = message_delay(src, dst))
          emit_as(src, payload, dst, *other + fate.delay);
      }
    } else {
      ARTEL_REQUIRE(fate.copies == 0, "a message that cannot be copied cannot be doubled");
    }
    if (!delay) return false;
    emit_as(src, std::move(payload), dst, *delay + fate.delay);
    return true;
  }
  /// From now on decides over every message, also inside a node; an empty one: nothing is done.
  void set_message_rule(MessageRule rule) { rule_ = std::move(rule); }

  /// `notify` gets a TransferEnded. Requires: 0 <= bytes, finite.
  OperationId start_transfer(NodeId from, NodeId to, double bytes, ComponentId notify);
  /// Given up when the process is cancelled, as losers of any_of are; a network that is removed
  /// leaves who awaits it waiting.
  [[nodiscard]] Task<TransferOutcome> transfer(NodeId from, NodeId to, double bytes);

  using Context::cancel;
  /// Ends a transfer without a word to who asked for it; false when it has ended.
  bool cancel(OperationId transfer);
  /// Bytes that a transfer still has to go; nothing when it has ended.
  [[nodiscard]] std::optional<double> left(OperationId transfer);
  [[nodiscard]] std::size_t transfer_count() const { return transfers_.size(); }

  /// Nodes of different groups do not reach each other until heal(); those that are in none form
  /// one more group. Transfers between groups are cut; messages on their way arrive.
  void partition(std::span<const std::vector<NodeId>> groups);
  void heal() { group_of_.clear(); }
  /// Of messages sent from now on, each by itself. Requires: 0 <= probability <= 1.
  void set_message_loss(double probability);

  /// name.busy (1 while there is a transfer), name.transfers and name.time of each, from start to
  /// end. See Statistics::watch.
  void measure(Statistics& statistics, std::string_view name);

  // Of networks with links.

  /// Transfers over a link that goes down are cut; later ones take another way, if there is one.
  void set_up(LinkId link, bool up);
  /// Bytes per second from now on, for transfers under way, too.
  void set_bandwidth(LinkId link, double bandwidth);

 private:
  friend struct detail::HandlerAccess;
  void on(const detail::BeginTransfer& due);
  void on(const detail::EndTransfer& due);
  void on(const detail::LocalTransfersEnd&);
  void on(const detail::TransfersEnd&);

  enum class Stage : std::uint8_t { latency, fixed, shared };
  struct Transfer {
    NetworkModel::Leg leg;
    Listener<Network> listener;
    EventId next;  // that is to come: it begins; or, if that was known then, it ends
    Stage stage = Stage::latency;
    Instant started{};
  };

  [[nodiscard]] bool separated(NodeId a, NodeId b) const;
  [[nodiscard]] std::optional<Duration> latency(NodeId from, NodeId to);
  [[nodiscard]] std::optional<Duration> message_delay(ComponentId src, ComponentId dst);
  OperationId begin(const NetworkModel::Leg& leg, const Listener<Network>& listener);
  void end(OperationId id, TransferOutcome outcome);
  void give_up(OperationId id, const Transfer& transfer);
  [[nodiscard]] NetworkModel& model_of(const Transfer& transfer);
  void share_anew(const Transfer& transfer);
  void share_anew();
  void end_due(NetworkModel& model);
  void note_change() const;

  std::unique_ptr<NetworkModel> model_;
  std::unique_ptr<NetworkModel> local_;
  std::optional<random::Distribution> jitter_;
  double message_loss_;
  MessageRule rule_;
  std::vector<std::optional<NodeId>> nodes_;  // by component
  std::vector<std::uint32_t> group_of_;       // by node; beyond the end: 0
  OperationTable<Transfer> transfers_;
  std::vector<OperationId> carried_;  // by CarriedId
  detail::Alarm<detail::TransfersEnd> alarm_;
  detail::Alarm<detail::LocalTransfersEnd> local_alarm_;
  std::vector<CarriedId> cut_;
  std::shared_ptr<Usage> usage_;  // who wants to know
};

}  // namespace artel::sim
