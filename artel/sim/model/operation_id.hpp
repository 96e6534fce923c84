#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"

namespace artel::sim {

/// What somebody asked of a model: a read, a computation. Unique among the operations of that
/// model, and harmless after the operation ended. Never 0.
enum class OperationId : std::uint64_t {};

/// The operations of a model that have not ended.
/// Cost: O(1); nothing is allocated below the peak. Threads: its simulation's.
template <class Record>
class OperationTable {
 public:
  /// A number for one more.
  OperationId add(Record record) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(slots_.size()));
      slots_.push_back({.id = OperationId{kGeneration | slots_.size()}});
    }
    Slot& slot = slots_[free_.back()];
    free_.pop_back();
    slot.record = std::move(record);
    slot.live = true;
    return slot.id;
  }

  /// nullptr when it has ended; valid until the next add.
  [[nodiscard]] Record* find(OperationId id) {
    return const_cast<Record*>(std::as_const(*this).find(id));
  }
  [[nodiscard]] const Record* find(OperationId id) const {
    const std::size_t at = slot(id);
    if (at >= slots_.size() || slots_[at].id != id || !slots_[at].live) return nullptr;
    return &slots_[at].record;
  }

  /// Requires: it has not ended.
  void remove(OperationId id) {
    const std::size_t at = slot(id);
    slots_[at].record = {};
    slots_[at].live = false;
    slots_[at].id = OperationId{index(id) + kGeneration};
    free_.push_back(static_cast<std::uint32_t>(at));
  }

  /// A dense number below the peak of operations at once, an operation's own until it ends: for
  /// arrays of what belongs to it.
  [[nodiscard]] static std::size_t slot(OperationId id) { return index(id) % kGeneration; }

  [[nodiscard]] std::size_t size() const { return slots_.size() - free_.size(); }

  /// Those that have not ended, in an order that depends on nothing but the calls so far.
  [[nodiscard]] std::vector<OperationId> ids() const {
    std::vector<OperationId> found;
    for (const Slot& slot : slots_) {
      if (slot.live) found.push_back(slot.id);
    }
    return found;
  }

 private:
  static constexpr std::uint64_t kGeneration = std::uint64_t{1} << 32U;  // slots below, uses above

  struct Slot {
    OperationId id{};
    bool live = false;
    Record record{};
  };

  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
};

/// An operation that a coroutine awaits, in its frame: given up when the coroutine is cancelled.
///
///     Task<DiskOutcome> Disk::read(std::uint64_t bytes) {
///       Context& caller = co_await this_context();
///       Awaited<Disk> operation(*this, caller);
///       operation.began(begin_read(bytes, {caller.id(), &operation}));
///       … co_await caller.next<DiskReadDone>().key(operation.key()).from(id()) …
///
/// Without it a completion on its way would reach who no longer waits. Threads: its simulation's.
/// Cost: O(1).
template <class Model>
class Awaited {
 public:
  Awaited(Model& model, Context& caller) : model_(&model), caller_(&caller) {}
  Awaited(const Awaited&) = delete;
  Awaited& operator=(const Awaited&) = delete;
  ~Awaited() {
    for (const EventId notice : notices_) caller_->cancel(notice);
    if (model_ != nullptr) model_->cancel(id_);
  }

  void began(OperationId id) { id_ = id; }
  [[nodiscard]] std::uint64_t key() const { return index(id_); }

  // For the model:

  /// Something about the operation was sent; up to two at one instant.
  void sent(EventId notice) { notices_ = {notices_[1], notice}; }
  /// There is nothing left to give up: the operation ended, or the model did.
  void detach() { model_ = nullptr; }

 private:
  Model* model_;
  Context* caller_;
  OperationId id_{};
  std::array<EventId, 2> notices_{};
};

/// Who hears of an operation.
template <class Model>
struct Listener {
  ComponentId component{};
  Awaited<Model>* awaited = nullptr;  ///< none: not awaited by a task of the model

  /// At this instant, in the model's name.
  template <class Payload>
  void tell(Model& model, Payload payload) const {
    const EventId notice = model.emit_now(std::move(payload), component);
    if (awaited != nullptr) awaited->sent(notice);
  }
  /// The same, and the operation is over.
  template <class Payload>
  void tell_end(Model& model, Payload payload) const {
    tell(model, std::move(payload));
    detach();
  }
  /// The operation is over: a coroutine that awaits it has nothing left to give up.
  void detach() const {
    if (awaited != nullptr) awaited->detach();
  }
};

}  // namespace artel::sim
