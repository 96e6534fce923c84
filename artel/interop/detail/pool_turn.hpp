#pragma once

#include <utility>

#include "artel/pool/pool.hpp"

namespace artel::interop::detail {

/// A task that says what became of it: `run()` when its turn comes, `dropped()` when it never will,
/// because the pool refused or cancelled it. One of the two, once; the owner may be gone
/// afterwards.
template <class Owner>
class PoolTurn {
 public:
  explicit PoolTurn(Owner& owner) noexcept : owner_(&owner) {}
  PoolTurn(PoolTurn&& other) noexcept : owner_(std::exchange(other.owner_, nullptr)) {}
  PoolTurn& operator=(PoolTurn&&) = delete;
  ~PoolTurn() {
    if (owner_ != nullptr) owner_->dropped();
  }

  void operator()() noexcept { std::exchange(owner_, nullptr)->run(); }

 private:
  Owner* owner_;
};

/// The owner may be gone when this returns.
template <class Owner>
void post_turn(pool::Pool& pool, Owner& owner) noexcept {
  try {
    static_cast<void>(pool.post(PoolTurn<Owner>(owner)));
  } catch (...) {  // NOLINT(bugprone-empty-catch): no memory; the turn was dropped, and has said so
  }
}

}  // namespace artel::interop::detail
