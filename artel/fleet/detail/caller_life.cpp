#include "artel/fleet/detail/caller_life.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "artel/core/instant.hpp"
#include "artel/core/rounded_digit.hpp"
#include "artel/scenario/caller_settings.hpp"

namespace artel::fleet::detail {
CallerStep CallerLife::on(CallerNews news, CallerState& state, Instant now, Duration after) {
  using TakeBack = CallerStep::TakeBack;
  switch (news) {
    case CallerNews::due:
      return begin_try(state, now);
    case CallerNews::began:
      return {.take_back = settings_.tied ? TakeBack::waiting : TakeBack::none};
    case CallerNews::answered:
      note_answer(after);
      if (breaker_) breaker_->ended(now, false, state.decides);
      return {.take_back = TakeBack::all, .ends = true};
    case CallerNews::failed:
      if (--state.open > 0) return {};
      [[fallthrough]];
    case CallerNews::timed_out:
      if (breaker_) breaker_->ended(now, true, state.decides);
      return after_failure(state);
    case CallerNews::hedge_due:
      break;
  }
  if (!pay()) return {};
  CallerStep step{.send = 1};
  if (settings_.hedge && ++state.hedges < settings_.hedge->most) step.hedge = hedge_after();
  return step;
}

CallerStep CallerLife::begin_try(CallerState& state, Instant now) {
  if (state.tries++ == 0 && settings_.budget)
    tokens_ = std::min(settings_.burst, tokens_ + *settings_.budget);
  state.hedges = 0;
  if (breaker_ && !breaker_->allows(now)) return after_failure(state);
  state.decides = breaker_ && breaker_->deciding();
  CallerStep step{.send = settings_.copies};
  if (settings_.timeout) step.timeout = from_seconds(std::max(0.0, (*settings_.timeout)(dice_)));
  step.hedge = hedge_after();
  return step;
}

CallerStep CallerLife::after_failure(CallerState& state) {
  CallerStep step{.take_back = CallerStep::TakeBack::all};
  state.open = 0;
  if (state.tries <= settings_.retry.most && pay()) {
    step.retry = backoff(state.tries);
  } else {
    step.ends = true;
  }
  return step;
}

Duration CallerLife::backoff(std::uint32_t retry) {
  const auto& settings = settings_.retry;
  const double longest = to_seconds(settings.longest);
  const double whole =
      std::min(longest, to_seconds(settings.backoff) * std::pow(settings.factor, retry - 1));
  switch (settings.jitter) {
    case scenario::Jitter::none:
      break;
    case scenario::Jitter::equal:
      return from_seconds(whole * (0.5 + 0.5 * dice_.uniform()));
    case scenario::Jitter::full:
      return from_seconds(whole * dice_.uniform());
  }
  return from_seconds(whole);
}

std::optional<Duration> CallerLife::hedge_after() const {
  if (!settings_.hedge) return {};
  return settings_.hedge->quantile > 0 ? percentile_ : settings_.hedge->after;
}

void CallerLife::note_answer(Duration after) {
  if (!settings_.hedge || settings_.hedge->quantile == 0) return;
  answers_.record(static_cast<std::uint64_t>(after.count()));
  const auto answers = answers_.count();
  if (answers < look_again_at_) return;
  look_again_at_ = answers + answers / 8;
  percentile_ = from_seconds(1e-9 * answers_.quantile(settings_.hedge->quantile));
}

bool CallerLife::pay() {
  if (!settings_.budget) return true;
  if (near_floor(tokens_) < 1) return false;  // ten times 0.1 is one
  tokens_ = std::max(0.0, tokens_ - 1);
  return true;
}

}  // namespace artel::fleet::detail
