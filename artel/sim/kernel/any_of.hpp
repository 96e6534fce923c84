#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "artel/error/contract.hpp"
#include "artel/sim/kernel/task_wait.hpp"
#include "artel/sim/kernel/wait.hpp"

namespace artel::sim {

/// Waits for the first of several: gives a variant whose index says which. The others are
/// withdrawn; tasks among them are cancelled. What is ready at once counts, the first of them wins.
template <Awaitable... Ops>
class AnyOf final : public Wait {
 public:
  using Result = std::variant<detail::Regular<typename Ops::Result>...>;

  explicit AnyOf(Ops... ops) : ops_(std::move(ops)...) {}
  AnyOf(AnyOf&&) = default;

  bool start(Wait* parent, ProcessState& process) {
    begin(parent, process);
    visit([&](std::size_t i, auto& op) {
      if (winner_ == kNobody && op.start(this, process)) winner_ = i;
    });
    if (winner_ == kNobody) return false;
    withdraw();
    return true;
  }
  void withdraw() {
    visit([&](std::size_t i, auto& op) {
      if (i != winner_) op.withdraw();
    });
  }
  Result take() { return take_at<0>(); }
  void child_finished(Wait& child) override {
    visit([&](std::size_t i, auto& op) {
      if (&op == &child) winner_ = i;
    });
    withdraw();
    finish();
  }
  void keep() override {
    visit([&](std::size_t i, auto& op) {
      if (i == winner_) op.keep();
    });
  }
  void describe(std::string& text) const override {
    const char* separator = "any of ";
    std::apply(
        [&](const auto&... op) {
          ((text += std::exchange(separator, " or "), op.describe(text)), ...);
        },
        ops_);
  }

 private:
  static constexpr std::size_t kNobody = sizeof...(Ops);

  template <class Visit>
  void visit(const Visit& each) {
    std::size_t i = 0;
    std::apply([&](auto&... op) { (each(i++, op), ...); }, ops_);
  }
  template <std::size_t kIndex>
  Result take_at() {
    if constexpr (kIndex + 1 < sizeof...(Ops)) {
      if (winner_ != kIndex) return take_at<kIndex + 1>();
    }
    return Result(std::in_place_index<kIndex>, detail::take_regular(std::get<kIndex>(ops_)));
  }

  std::tuple<Ops...> ops_;
  std::size_t winner_ = kNobody;
};

/// The same for any number of waits of one type: gives index and result. Shape: not empty.
template <Awaitable Op>
class AnyOfMany final : public Wait {
 public:
  struct Result {
    std::size_t index;
    detail::Regular<typename Op::Result> value;
  };

  explicit AnyOfMany(std::vector<Op> ops) : ops_(std::move(ops)), winner_(ops_.size()) {
    ARTEL_REQUIRE(!ops_.empty(), "any_of needs something to wait for");
  }
  AnyOfMany(AnyOfMany&&) = default;

  bool start(Wait* parent, ProcessState& process) {
    begin(parent, process);
    for (std::size_t i = 0; i < ops_.size(); ++i) {
      if (!ops_[i].start(this, process)) continue;
      winner_ = i;
      withdraw();
      return true;
    }
    return false;
  }
  void withdraw() {
    for (std::size_t i = 0; i < ops_.size(); ++i) {
      if (i != winner_) ops_[i].withdraw();
    }
  }
  Result take() { return {winner_, detail::take_regular(ops_[winner_])}; }
  void child_finished(Wait& child) override {
    winner_ = static_cast<std::size_t>(static_cast<Op*>(&child) - ops_.data());
    withdraw();
    finish();
  }
  void keep() override { ops_[winner_].keep(); }
  void describe(std::string& text) const override {
    text += "any of " + std::to_string(ops_.size()) + " like: ";
    ops_.front().describe(text);
  }

 private:
  std::vector<Op> ops_;
  std::size_t winner_;
};

/// `co_await any_of(context.next<Ack>(), context.sleep(1s), channel.receive())`. Takes waits, tasks
/// and processes.
template <class... Parts>
[[nodiscard]] auto any_of(Parts... parts) {
  return AnyOf<decltype(detail::as_wait(std::move(parts)))...>(
      detail::as_wait(std::move(parts))...);
}
template <Awaitable Op>
[[nodiscard]] AnyOfMany<Op> any_of(std::vector<Op> ops) {
  return AnyOfMany<Op>(std::move(ops));
}

}  // namespace artel::sim
