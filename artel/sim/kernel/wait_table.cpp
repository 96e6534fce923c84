#include "artel/sim/kernel/wait_table.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/next.hpp"
#include "artel/sim/kernel/payload.hpp"
#include "artel/unit/id.hpp"

namespace artel::sim {
namespace {

std::uint64_t mixed(std::uint64_t x) {  // the finaliser of MurmurHash3
  x = (x ^ x >> 33U) * 0xff51afd7ed558ccd;
  x = (x ^ x >> 33U) * 0xc4ceb9fe1a85ec53;
  return x ^ x >> 33U;
}

/// Absent source and key count as numbers that they cannot have by themselves.
std::uint64_t hash(ComponentId dst, std::uint32_t type, bool with_src, ComponentId src,
                   bool with_key, std::uint64_t key) {
  const std::uint64_t source = with_src ? index(src) + 1 : 0;
  const std::uint64_t who = std::uint64_t{index(dst)} << 32U ^ source;
  return mixed(mixed(who) ^ (with_key ? mixed(key + 1) : 0) ^ std::uint64_t{type} << 48U);
}

}  // namespace

std::size_t WaitTable::place(const EventWait& wait) const {
  return hash(wait.context_->id(), wait.type_, wait.with_src_, wait.src_, wait.with_key_,
              wait.key_) &
         (chains_.size() - 1);
}

std::size_t WaitTable::kind_of(const EventWait& wait) {
  return kind(wait.with_key_, wait.with_src_);
}

void WaitTable::insert(EventWait& wait) {
  ++of_kind_[kind_of(wait)];
  if (++size_ > chains_.size()) grow();
  append(wait);
}

void WaitTable::append(EventWait& wait) {
  Chain& chain = chains_[place(wait)];
  wait.before_ = chain.back;
  wait.behind_ = nullptr;
  (chain.back == nullptr ? chain.front : chain.back->behind_) = &wait;
  chain.back = &wait;
}

void WaitTable::remove(EventWait& wait) {
  --of_kind_[kind_of(wait)];
  --size_;
  if (wait.before_ != nullptr && wait.behind_ != nullptr) {
    wait.before_->behind_ = wait.behind_;
    wait.behind_->before_ = wait.before_;
    return;
  }
  Chain& chain = chains_[place(wait)];
  (wait.before_ == nullptr ? chain.front : wait.before_->behind_) = wait.behind_;
  (wait.behind_ == nullptr ? chain.back : wait.behind_->before_) = wait.before_;
}

EventWait* WaitTable::find(const Event& event) const {
  std::uint64_t key = 0;
  const PayloadType& type = payload_type(event.type());
  if (type.key != nullptr) {
    key = type.key(PayloadAccess::get_untyped(event));
    for (const bool with_src : {true, false}) {
      if (EventWait* wait = find_in(event, true, key, with_src)) return wait;
    }
  }
  for (const bool with_src : {true, false}) {
    if (EventWait* wait = find_in(event, false, 0, with_src)) return wait;
  }
  return nullptr;
}

EventWait* WaitTable::find_in(const Event& event, bool with_key, std::uint64_t key,
                              bool with_src) const {
  if (of_kind_[kind(with_key, with_src)] == 0) return nullptr;
  const std::uint64_t at =
      hash(event.dst_, event.type(), with_src, event.src_, with_key, key) & (chains_.size() - 1);
  for (EventWait* wait = chains_[at].front; wait != nullptr; wait = wait->behind_) {
    if (wait->type_ == event.type() && wait->context_->id() == event.dst_ &&
        wait->with_key_ == with_key && wait->with_src_ == with_src && wait->key_ == key &&
        (!with_src || wait->src_ == event.src_) && wait->wants(event)) {
      return wait;
    }
  }
  return nullptr;
}

void WaitTable::grow() {
  const std::vector<Chain> old = std::exchange(chains_, std::vector<Chain>(2 * chains_.size()));
  for (const Chain& chain : old) {
    for (EventWait* wait = chain.front; wait != nullptr;) {
      EventWait* behind = wait->behind_;
      append(*wait);
      wait = behind;
    }
  }
}

}  // namespace artel::sim
