#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "artel/sim/kernel/task_wait.hpp"
#include "artel/sim/kernel/wait.hpp"

namespace artel::sim {

/// Waits for all of several: gives a tuple of their results (std::monostate for none). If some
/// fail, the first exception arrives when all have ended.
template <Awaitable... Ops>
class AllOf final : public Wait {
 public:
  using Result = std::tuple<detail::Regular<typename Ops::Result>...>;

  explicit AllOf(Ops... ops) : ops_(std::move(ops)...) {}
  AllOf(AllOf&&) = default;

  bool start(Wait* parent, ProcessState& process) {
    begin(parent, process);
    std::apply([&](auto&... op) { ((missing_ -= op.start(this, process) ? 1 : 0), ...); }, ops_);
    return missing_ == 0;
  }
  void withdraw() {
    std::apply([](auto&... op) { (op.withdraw(), ...); }, ops_);
  }
  Result take() {
    return std::apply([](auto&... op) { return Result{detail::take_regular(op)...}; }, ops_);
  }
  void child_finished(Wait& child) override {
    child.keep();
    if (--missing_ == 0) finish();
  }
  void describe(std::string& text) const override {
    const char* separator = "all of ";
    std::apply(
        [&](const auto&... op) {
          ((text += std::exchange(separator, " and "), op.describe(text)), ...);
        },
        ops_);
  }

 private:
  std::tuple<Ops...> ops_;
  std::size_t missing_ = sizeof...(Ops);
};

/// The same for any number of waits of one type: gives a vector.
template <Awaitable Op>
class AllOfMany final : public Wait {
 public:
  using Result = std::vector<detail::Regular<typename Op::Result>>;

  explicit AllOfMany(std::vector<Op> ops) : ops_(std::move(ops)), missing_(ops_.size()) {}
  AllOfMany(AllOfMany&&) = default;

  bool start(Wait* parent, ProcessState& process) {
    begin(parent, process);
    for (Op& op : ops_) missing_ -= op.start(this, process) ? 1 : 0;
    return missing_ == 0;
  }
  void withdraw() {
    for (Op& op : ops_) op.withdraw();
  }
  Result take() {
    Result results;
    results.reserve(ops_.size());
    for (Op& op : ops_) results.push_back(detail::take_regular(op));
    return results;
  }
  void child_finished(Wait& child) override {
    child.keep();
    if (--missing_ == 0) finish();
  }
  void describe(std::string& text) const override {
    text += std::to_string(missing_) + " more of " + std::to_string(ops_.size()) + " like: ";
    ops_.front().describe(text);
  }

 private:
  std::vector<Op> ops_;
  std::size_t missing_;
};

/// `auto [a, b] = co_await all_of(download(context, x), download(context, y))`. Takes waits, tasks
/// and processes.
template <class... Parts>
[[nodiscard]] auto all_of(Parts... parts) {
  return AllOf<decltype(detail::as_wait(std::move(parts)))...>(
      detail::as_wait(std::move(parts))...);
}
template <Awaitable Op>
[[nodiscard]] AllOfMany<Op> all_of(std::vector<Op> ops) {
  return AllOfMany<Op>(std::move(ops));
}

}  // namespace artel::sim
