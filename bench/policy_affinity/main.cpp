// How many decisions per second affinity makes on one core: alone, its view of the caches given,
// and as a router does it, which looks the prompt up in one cache per worker, decides, and brings
// the cache up to date. The shortest of all queues is beside it.
#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "artel/core/id.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_array.hpp"
#include "artel/dispatch/policy.hpp"
#include "artel/dispatch/prefix_cache.hpp"
#include "artel/random/stream.hpp"
#include "bench/measure.hpp"

namespace artel::bench {
namespace {

constexpr std::size_t kTalks = 2000;
constexpr std::size_t kBlocksMax = 60;  // of a prompt; 30 on average
constexpr std::uint32_t kCacheBlocks = 10'000;

// Prompts are beginnings of talks.
std::vector<std::span<const std::uint64_t>> prompts(const std::vector<std::uint64_t>& keys) {
  constexpr std::size_t kPrompts = 1U << 16U;
  random::Stream dice(Seed{1}, "prompts");
  std::vector<std::span<const std::uint64_t>> all;
  for (std::size_t i = 0; i < kPrompts; ++i)
    all.push_back(
        std::span(keys).subspan(dice.below(kTalks) * kBlocksMax, 1 + dice.below(kBlocksMax)));
  return all;
}

class Router {
 public:
  Router(std::size_t workers, dispatch::Policy policy)
      : policy_(std::move(policy)),
        loads_(std::vector<dispatch::Load>(workers)),
        caches_(workers, dispatch::PrefixCache(kCacheBlocks)),
        matched_(workers) {}

  void look(std::span<const std::uint64_t> prompt) {
    for (std::size_t w = 0; w < caches_.size(); ++w)
      matched_[w] =
          static_cast<float>(caches_[w].matched(prompt)) / static_cast<float>(prompt.size());
  }
  WorkerId decide() {
    ++turn_;
    const dispatch::Draw draw{
        .turn = turn_, .dice = turn_ * 0x9E3779B97F4A7C15U, .matched = matched_};
    const auto id = choose(policy_, loads_, draw).value_or(WorkerId{});
    // Each has had so many of the last tasks.
    auto load = loads_.load(id);
    ++load.queued;
    loads_.set(id, load);
    recent_.push_back(id);
    if (recent_.size() > 4 * caches_.size()) {
      auto done = loads_.load(recent_[oldest_]);
      --done.queued;
      loads_.set(recent_[oldest_++], done);
    }
    return id;
  }
  void use(WorkerId id, std::span<const std::uint64_t> prompt) { caches_[index(id)].use(prompt); }

 private:
  dispatch::Policy policy_;
  dispatch::LoadArray loads_;
  std::vector<dispatch::PrefixCache> caches_;
  std::vector<float> matched_;
  std::uint64_t turn_ = 0;
  std::vector<WorkerId> recent_;
  std::size_t oldest_ = 0;
};

int run(int argc, char** argv) {
  Comparison comparison("policy_affinity", argc, argv);
  std::vector<std::uint64_t> keys;
  random::Stream dice(Seed{1}, "keys");
  for (std::size_t i = 0; i < kTalks * kBlocksMax; ++i) keys.push_back(dice());
  const auto all = prompts(keys);
  const std::size_t decisions = comparison.smoke() ? 2'000 : 1'000'000;
  const auto add = [&](std::string contender, std::size_t workers, const dispatch::Policy& policy,
                       bool caches) {
    comparison.add({.contender = std::move(contender),
                    .workload = fmt::format("{} workers", workers),
                    .run = [&all, decisions, workers, policy, caches] {
                      Router router(workers, policy);
                      const auto turn = [&](std::size_t i) {
                        const auto prompt = all[i % all.size()];
                        if (caches) router.look(prompt);
                        const auto id = router.decide();
                        if (caches) router.use(id, prompt);
                      };
                      for (std::size_t i = 0; i < decisions / 4; ++i) turn(i);  // caches fill
                      const double seconds = seconds_of([&] {
                        for (std::size_t i = 0; i < decisions; ++i) turn(i);
                      });
                      return Outcome{
                          .figures = {{.metric = "decisions_per_s",
                                       .unit = "1/s",
                                       .value = static_cast<double>(decisions) / seconds}},
                          .answer = ""};
                    }});
  };
  for (const std::size_t workers : {8U, 16U, 64U}) {
    add("affinity", workers, dispatch::Affinity{}, false);
    add("affinity, with caches", workers, dispatch::Affinity{}, true);
    add("cache_aware, with caches", workers, dispatch::CacheAware{}, true);
    add("jsq(all)", workers, dispatch::Jsq{.d = dispatch::Jsq::kAll}, false);
  }
  return comparison.run();
}

}  // namespace
}  // namespace artel::bench

int main(int argc, char** argv) { return artel::bench::run(argc, argv); }
