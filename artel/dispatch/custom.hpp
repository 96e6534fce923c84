#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "artel/core/id.hpp"
#include "artel/core/require.hpp"
#include "artel/dispatch/busyness.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"

namespace artel::dispatch {

/// Any LoadView behind one type, for functions that cannot be templates. Itself a LoadView.
///
/// Cost: one virtual call per question.
class AnyLoads {
 public:
  AnyLoads(const AnyLoads&) = delete;
  AnyLoads& operator=(const AnyLoads&) = delete;
  virtual ~AnyLoads() = default;

  [[nodiscard]] virtual std::size_t size() const = 0;
  [[nodiscard]] virtual Load load(WorkerId id) const = 0;
  [[nodiscard]] virtual std::optional<WorkerId> least(const Busyness& busyness) const = 0;
  [[nodiscard]] virtual std::size_t count(Group group) const = 0;
  [[nodiscard]] virtual std::optional<WorkerId> nth(Group group, std::size_t k) const = 0;
  [[nodiscard]] virtual std::optional<WorkerId> next(Group group, WorkerId from) const = 0;

 protected:
  AnyLoads() = default;
};

/// Refers to a view, which must outlive it.
template <LoadView View>
class AnyLoadsOf final : public AnyLoads {
 public:
  explicit AnyLoadsOf(const View& view) : view_(&view) {}

  [[nodiscard]] std::size_t size() const override { return view_->size(); }
  [[nodiscard]] Load load(WorkerId id) const override { return view_->load(id); }
  [[nodiscard]] std::optional<WorkerId> least(const Busyness& busyness) const override {
    return view_->least(busyness);
  }
  [[nodiscard]] std::size_t count(Group group) const override { return view_->count(group); }
  [[nodiscard]] std::optional<WorkerId> nth(Group group, std::size_t k) const override {
    return view_->nth(group, k);
  }
  [[nodiscard]] std::optional<WorkerId> next(Group group, WorkerId from) const override {
    return view_->next(group, from);
  }

 private:
  const View* view_;
};

/// The user's own policy. It should depend on loads and draw alone, so that decisions can be
/// replayed, and may call other policies on the loads it is given.
///
/// A full worker, or none, stands for the next one with room (after it, or from worker 0 on).
/// Cost:    the user's; one std::function call and a virtual call per question.
/// Errors:  none; nullopt when no worker has room. Naming a worker that does not exist breaks the
///          contract.
/// Threads: as the user's function.
struct Custom {
  using Function = std::function<std::optional<WorkerId>(const AnyLoads&, const Draw&)>;

  Function function{};
  std::string name = "custom";

  template <LoadView View>
  [[nodiscard]] std::optional<WorkerId> choose(const View& view, const Draw& draw) const {
    ARTEL_REQUIRE(function != nullptr, "a custom policy needs a function");
    const auto id = function(AnyLoadsOf<View>(view), draw);
    if (!id) return view.next(Group::open, WorkerId{0});
    ARTEL_REQUIRE(index(*id) < view.size(), "no such worker", index(*id), view.size());
    if (view.load(*id).room() > 0) return id;
    return view.next(Group::open, *id);
  }
};

}  // namespace artel::dispatch
