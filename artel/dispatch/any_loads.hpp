#pragma once

#include <cstddef>
#include <optional>

#include "artel/core/id.hpp"
#include "artel/dispatch/busyness.hpp"
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

  /// As LoadView says: load(), least(), count(), nth(), next().
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

}  // namespace artel::dispatch
