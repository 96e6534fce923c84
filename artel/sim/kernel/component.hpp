#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

#include "artel/sim/kernel/context.hpp"
#include "artel/sim/kernel/detail/process_wake.hpp"
#include "artel/sim/kernel/event.hpp"
#include "artel/sim/kernel/payload.hpp"

namespace artel::sim {

/// How components of one class are handled: a function per payload type, found by its number.
struct ComponentClass {
  using Handler = void (*)(Context& component, Event& event);

  std::string_view name;
  std::size_t size = 0;
  /// Ends the component; gives the memory that it lay in.
  void* (*destroy)(Context& component) = nullptr;
  std::vector<Handler> handlers;  ///< by payload number; nullptr or beyond the end: not handled
};

/// Base of a model's components: say which payloads they handle, and write `on` for each.
///
///     struct Ping { double sent; };
///     struct Pong { double sent; };
///     struct Server : sim::Component<Ping> {
///       void on(const Ping& ping, const sim::Event& event) {
///         emit(Pong{ping.sent}, event.src(), 2ms);
///       }
///     };
///     Server& server = simulation.add<Server>("server");
///
/// `on` may leave out the event, and may take the payload by value or by mutable reference to move
/// from it. An event of a type that the component does not list, and that no process awaits, is
/// dropped: see Simulation::unhandled_count.
/// Cost: a delivery is one table look-up and one indirect call, however many types there are.
template <class... Payloads>
class Component : public Context {};

namespace detail {

template <class... Payloads>
struct PayloadList {};

template <class... Payloads>
PayloadList<Payloads...> payloads_of(const Component<Payloads...>*);

/// Calls `on`, in the form in which the component has it. A component that keeps it private, since
/// it handles only events of its own, makes this its friend.
struct HandlerAccess {
  template <class C, class T>
  static void handle(Context& context, Event& event) {
    auto& component = static_cast<C&>(context);
    T& payload = detail::PayloadAccess::get<T>(event);
    if constexpr (requires { component.on(payload, std::as_const(event)); }) {
      component.on(payload, std::as_const(event));
    } else if constexpr (requires { component.on(payload); }) {
      component.on(payload);
    } else if constexpr (requires { component.on(std::move(payload), std::as_const(event)); }) {
      component.on(std::move(payload), std::as_const(event));
    } else {
      component.on(std::move(payload));
    }
  }
};

template <class C, class... Payloads>
ComponentClass make_component_class(PayloadList<Payloads...>) {
  ComponentClass made;
  made.name = short_type_name<C>();
  made.size = sizeof(C);
  made.destroy = [](Context& context) -> void* {
    C* component = &static_cast<C&>(context);  // with virtual functions not where its Context is
    std::destroy_at(component);
    return component;
  };
  const auto set = [&](std::uint32_t number, ComponentClass::Handler handler) {
    if (made.handlers.size() <= number) made.handlers.resize(number + 1);
    made.handlers[number] = handler;
  };
  (set(detail::payload_number<Payloads>, &HandlerAccess::handle<C, Payloads>), ...);
  set(detail::payload_number<detail::ProcessWake>, &handle_wake);
  set(detail::payload_number<detail::TimerEnd>, &handle_timer);
  return made;
}

/// The class of C, made at first use.
template <class C>
const ComponentClass& component_class() {
  static const ComponentClass made =
      make_component_class<C>(decltype(payloads_of(static_cast<const C*>(nullptr))){});
  return made;
}

}  // namespace detail

/// A class that Simulation::add can make.
template <class C>
concept AnyComponent = std::is_base_of_v<Context, C> &&
                       requires(const C* component) { detail::payloads_of(component); };

}  // namespace artel::sim
