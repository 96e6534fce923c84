#include "artel/pool/detail/body_blocks.hpp"

#include <array>
#include <cstddef>
#include <mutex>
#include <new>
#include <utility>

#include "artel/core/poison.hpp"
#include "artel/sync/spin_lock.hpp"

namespace artel::pool::detail {
namespace {

struct Block {
  Block* next;
};

// A list of blocks, and how many.
struct Batch {
  Block* first = nullptr;
  std::size_t size = 0;

  void push(void* block) {
    first = ::new (block) Block{first};
    ++size;
    poison(first + 1, BodyBlocks::kBytes - sizeof(Block));
  }
  [[nodiscard]] void* pop() {
    Block* const block = first;
    first = block->next;
    --size;
    unpoison(block + 1, BodyBlocks::kBytes - sizeof(Block));
    return block;
  }
  void free() {
    while (size != 0) ::operator delete(pop());
  }
};

// Full batches, for any thread.
class Exchange {
 public:
  // An empty batch when there is none.
  Batch take() {
    const std::lock_guard lock(lock_);
    return size_ == 0 ? Batch{} : std::exchange(batches_[--size_], Batch{});
  }
  // False: enough are kept.
  bool give(Batch batch) {
    const std::lock_guard lock(lock_);
    if (size_ == batches_.size()) return false;
    batches_[size_++] = batch;
    return true;
  }

 private:
  sync::SpinLock lock_;
  std::size_t size_ = 0;
  std::array<Batch, BodyBlocks::kBatchesKept> batches_{};
};

// Never destroyed: pools of static lifetime may outlive everything else.
Exchange& exchange() {
  static Exchange& only = *new Exchange;
  return only;
}

// What this thread keeps; trivially destructible, so that it can be used until the thread's end.
thread_local Batch kept;
thread_local bool ending = false;

void give_to_others(Batch batch) {
  if (!exchange().give(batch)) batch.free();
}

struct AtThreadEnd {
  AtThreadEnd() = default;
  AtThreadEnd(const AtThreadEnd&) = delete;
  AtThreadEnd& operator=(const AtThreadEnd&) = delete;
  ~AtThreadEnd() {
    ending = true;
    std::exchange(kept, Batch{}).free();
  }
  void touch() {}
};
thread_local AtThreadEnd at_thread_end;

}  // namespace

void* BodyBlocks::take() {
  if (kept.size == 0 && !ending) {
    at_thread_end.touch();
    kept = exchange().take();
  }
  return kept.size == 0 ? ::operator new(kBytes) : kept.pop();
}

void BodyBlocks::give(void* block) noexcept {
  if (ending) {
    ::operator delete(block);
    return;
  }
  if (kept.size == 0) at_thread_end.touch();
  kept.push(block);
  // One batch stays, so that a thread on the edge does not go to the exchange every time.
  if (kept.size < 2 * kBatch) return;
  Batch full;
  while (full.size < kBatch) full.push(kept.pop());
  give_to_others(full);
}

}  // namespace artel::pool::detail
