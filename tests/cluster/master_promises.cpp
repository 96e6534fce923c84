#include "tests/cluster/master_promises.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/worker_report.hpp"
#include "artel/core/instant.hpp"
#include "tests/cluster/overloaded.hpp"

namespace artel::cluster::simulated {
namespace {

constexpr std::size_t kLooksPerTick = 64;
constexpr Duration kSoon = std::chrono::milliseconds(100);
constexpr double kShare = 0.1;  // of the latest response in what is usual
constexpr double kRounding = 1e-6;

}  // namespace

void MasterPromises::told(const MasterEvent& event, Instant now) {
  now_ = now;
  tick_ = std::holds_alternative<MasterTick>(event) && !disconnected_;
  looks_ = 0;
  std::visit(Overloaded{[&](const ReportCame& x) {
                          for (const LeasedChunk& held : x.report.held) {
                            if (held.job == job_) mentioned(held.index);
                          }
                        },
                        [&](const ResultCame& x) {
                          const ChunkResult& result = x.result;
                          if (result.job == job_ && result.outcome == ChunkOutcome::refused)
                            doubted(result.index);
                        },
                        [&](const ChunkNotStored& x) {
                          if (x.chunk.job == job_) doubted(x.chunk.index);
                        },
                        [&](const ChunkFound& x) {
                          if (x.chunk.job == job_ && x.state == MessageState::gone &&
                              out_.contains(x.chunk.index))
                            doubt_all();
                        },
                        [&](const MessageRead& x) {
                          trials_ = trials_ || (x.order && x.order->job == job_);
                        },
                        [&](const MasterDisconnected&) { disconnected_ = true; },
                        [&](const MasterReconnected&) {
                          disconnected_ = false;
                          doubt_all();
                        },
                        [](const auto&) {}},
             event);
}

std::vector<std::string> MasterPromises::did(const MasterActions& actions) {
  for (const MasterAction& action : actions) {
    std::visit(Overloaded{[&](const SendChunk& x) { sent(x); },
                          [&](const LookUpChunk& x) { looked_up(x.chunk.index); },
                          [&](const FinishChunk& x) { ended(x.result.index); },
                          [&](const FailChunk& x) { ended(x.chunk.index); },
                          [&](const GiveUpChunk& x) { ended(x.chunk.index); }, [](const auto&) {}},
               action);
  }
  if (tick_ && !trials_ && looks_ < kLooksPerTick) {
    for (const auto& [index, chunk] : out_) {
      if (chunk.look_by <= now_) {
        broken(index,
               fmt::format("is looked for {} too late", format_duration(now_ - chunk.look_by)));
      }
    }
  }
  return std::exchange(broken_, {});
}

void MasterPromises::mentioned(std::uint64_t index) {
  const auto at = out_.find(index);
  if (at != out_.end()) at->second.look_from = at->second.look_by = later(now_, options_.patience);
}

void MasterPromises::doubted(std::uint64_t index) {
  const auto at = out_.find(index);
  if (at == out_.end()) return;
  at->second.look_from = now_;
  at->second.look_by = later(now_, kSoon);
}

// Who was to be looked for sooner still is.
void MasterPromises::doubt_all() {
  for (auto& [index, chunk] : out_) {
    chunk.look_from = now_;
    chunk.look_by = std::min(chunk.look_by, later(now_, kSoon));
  }
}

void MasterPromises::ended(std::uint64_t index) {
  const auto at = out_.find(index);
  if (at == out_.end()) return;
  const auto response = static_cast<double>((now_ - at->second.issued).count());
  usual_ns_ += (responses_++ == 0 ? 1 : kShare) * (response - usual_ns_);
  out_.erase(at);
}

void MasterPromises::sent(const SendChunk& action) {
  const std::uint64_t index = action.order->index;
  asked_ = now_;
  const auto [at, first] = out_.try_emplace(index, Out{.issued = now_});
  Out& chunk = at->second;
  chunk.look_by = later(now_, options_.patience);
  if (first || !tick_) chunk.look_from = chunk.look_by;
  // At a tick, without queues of the workers' own, nothing else is sent twice.
  if (first || !tick_ || options_.dispatch) return;
  const auto age = static_cast<double>((now_ - chunk.issued).count());
  const double least = std::max(options_.speculation * usual_ns_,
                                static_cast<double>(options_.speculation_min.count()));
  if (responses_ == 0 || age < least * (1 - kRounding)) {
    broken(index, fmt::format("is sent a second time after {}; {} is usual",
                              format_duration(now_ - chunk.issued),
                              format_duration(Duration(static_cast<Duration::rep>(usual_ns_)))));
  }
}

void MasterPromises::looked_up(std::uint64_t index) {
  ++looks_;
  const bool probes = now_ - std::exchange(asked_, now_) >= options_.patience;
  const auto at = out_.find(index);
  if (at == out_.end()) return broken(index, "is looked for, though it is not out");
  if (now_ < at->second.look_from && !trials_ && !probes) {
    broken(index,
           fmt::format("is looked for {} too early", format_duration(at->second.look_from - now_)));
  }
  mentioned(index);
}

void MasterPromises::broken(std::uint64_t index, const std::string& what) {
  broken_.push_back(fmt::format("chunk {} {}", index, what));
}

}  // namespace artel::cluster::simulated
