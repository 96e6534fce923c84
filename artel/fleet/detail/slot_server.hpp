#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "artel/fleet/detail/server.hpp"
#include "artel/fleet/detail/waiting_room.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::fleet::detail {

/// Slots that serve a job each, at full speed; who waits comes in the order of the discipline. A
/// job that was interrupted goes on where it was.
///
/// Cost: O(log slots + log waiting) per job; a job that finds all slots busy looks through them if
///       it may interrupt.
class SlotServer final : public Server {
 public:
  struct Options {
    scenario::Discipline discipline = scenario::Discipline::fifo;
    bool interrupts = false;  ///< a job that ranks before one in service takes its slot
    std::uint32_t slots = 1;
  };
  explicit SlotServer(const Options& options) : options_(options), waiting_(options.discipline) {}

  void enter(const ServerJob& job, Instant now, ServerNews& news) override;
  [[nodiscard]] double until_change() const override;
  void advance(double clock) override { clock_ += clock; }
  void change(Instant now, ServerNews& news) override;
  [[nodiscard]] std::uint32_t busy() const override {
    return static_cast<std::uint32_t>(running_.size());
  }
  bool withdraw(std::uint32_t id) override { return waiting_.remove_new(id); }
  bool cancel(std::uint32_t id, Instant now, ServerNews& news) override;
  void restart() override;
  void lose(Instant now, ServerNews& news) override;
  void lose_waiting(ServerNews& news) override {
    while (!waiting_.empty()) news.ended.push_back(waiting_.pop().job.id);
  }

 private:
  struct Running {
    double begun = 0;  // on the clock
    double end = 0;    // likewise
    WaitingJob job;
  };

  void begin(Instant now, ServerNews& news) override;
  void start(WaitingJob job, ServerNews& news);
  bool interrupt_for(const WaitingJob& coming, ServerNews& news);
  void fill(ServerNews& news);
  [[nodiscard]] double left_of(const Running& running) const;
  void order_running();
  // In service, and would be the last to be taken; as it is now.
  [[nodiscard]] std::size_t least_urgent(WaitingJob& job) const;

  Options options_;
  WaitingRoom waiting_;
  std::vector<Running> running_;  // a heap, the next end first
  double clock_ = 0;
  std::uint64_t arrived_ = 0;
};

}  // namespace artel::fleet::detail
