#include "artel/dispatch/load_policy_plugin.hpp"

#include <dlfcn.h>
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <tl/expected.hpp>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/dispatch/any_loads.hpp"
#include "artel/dispatch/artel_policy.h"
#include "artel/dispatch/custom.hpp"
#include "artel/dispatch/draw.hpp"
#include "artel/dispatch/load.hpp"
#include "artel/dispatch/load_view.hpp"
#include "artel/dispatch/policy_input.hpp"

namespace artel::dispatch {
namespace {

constexpr bool reads_as(std::uint32_t bit, PolicyInput field) {
  return PolicyInputs(field).bits == bit;
}
static_assert(reads_as(ARTEL_READS_WEIGHT, PolicyInput::weight) &&
              reads_as(ARTEL_READS_WORK, PolicyInput::work) &&
              reads_as(ARTEL_READS_DELAY, PolicyInput::delay) &&
              reads_as(ARTEL_READS_LATENCY, PolicyInput::latency) &&
              reads_as(ARTEL_READS_FAILURES, PolicyInput::failures) &&
              reads_as(ARTEL_READS_NOW, PolicyInput::now) &&
              reads_as(ARTEL_READS_SIZE, PolicyInput::size) &&
              reads_as(ARTEL_READS_KEY, PolicyInput::key) &&
              reads_as(ARTEL_READS_CLASS, PolicyInput::task_class) &&
              reads_as(ARTEL_READS_DEADLINE, PolicyInput::deadline) &&
              reads_as(ARTEL_READS_MATCHED, PolicyInput::matched) &&
              reads_as(ARTEL_READS_AGE, PolicyInput::age));
static_assert(PolicyInputs::kCount == 12, "a new field of loads or draws is a new version");
static_assert(ARTEL_UNBOUNDED == kUnbounded);
static_assert(ARTEL_NEVER == kNever.time_since_epoch().count());
static_assert(ARTEL_NOT_HEARD == kNotHeard.time_since_epoch().count());

std::int64_t nanoseconds(Instant time) { return time.time_since_epoch().count(); }

// What a decision asks. A worker that does not exist is noted, as C has no exceptions.
struct Asked {
  const AnyLoads* loads;
  mutable std::optional<std::uint32_t> beyond{};
};

void read(const void* host, std::uint32_t id, artel_load* out) {
  const auto* const asked = static_cast<const Asked*>(host);
  if (id >= asked->loads->size()) {
    asked->beyond = id;
    *out = {};
    return;
  }
  const Load load = asked->loads->load(WorkerId{id});
  *out = {.queued = load.queued,
          .capacity = load.capacity,
          .weight = load.weight,
          .failures = load.failures,
          .work = load.work.count(),
          .delay = load.delay.count(),
          .latency = load.latency.count(),
          .heard = nanoseconds(load.heard)};
}

std::int64_t next(const void* host, artel_group wanted, std::uint32_t from) {
  const Group group = wanted == ARTEL_IDLE   ? Group::idle
                      : wanted == ARTEL_OPEN ? Group::open
                                             : Group::members;
  const AnyLoads& loads = *static_cast<const Asked*>(host)->loads;
  const auto id = loads.next(group, WorkerId{from < loads.size() ? from : 0});
  return id ? static_cast<std::int64_t>(index(*id)) : ARTEL_ANY_WORKER;
}

// A policy of a file, asked.
class Plugin {
 public:
  Plugin(const artel_policy& policy, const std::filesystem::path& file)
      : policy_(policy), label_(fmt::format("policy {} ({})", policy.name, file.string())) {}

  std::optional<WorkerId> operator()(const AnyLoads& view, const Draw& draw) const {
    const Asked asked{&view};
    const artel_loads loads{.workers = static_cast<std::uint32_t>(view.size()),
                            .host = &asked,
                            .read = read,
                            .next = next};
    const artel_draw drawn{.turn = draw.turn,
                           .dice = draw.dice,
                           .now = nanoseconds(draw.now),
                           .size = draw.size.count(),
                           .key = draw.key,
                           .task_class = draw.task_class,
                           .matched_to = static_cast<std::uint32_t>(draw.matched.size()),
                           .deadline = nanoseconds(draw.deadline),
                           .matched = draw.matched.data(),
                           .age = draw.age.count()};
    const std::int64_t answer = ask(loads, drawn);
    if (asked.beyond) {
      throw PolicyFailure(fmt::format("{}: read worker {}, allowed: 0 to {}", label_, *asked.beyond,
                                      loads.workers - 1));
    }
    if (answer == ARTEL_ANY_WORKER) return std::nullopt;
    if (answer < 0 || answer >= std::int64_t{loads.workers}) {
      throw PolicyFailure(fmt::format("{}: found worker {}, allowed: 0 to {}, or {} for any",
                                      label_, answer, loads.workers - 1, ARTEL_ANY_WORKER));
    }
    return worker(static_cast<std::size_t>(answer));
  }

 private:
  // C++ in the file may throw.
  [[nodiscard]] std::int64_t ask(const artel_loads& loads, const artel_draw& draw) const {
    try {
      return policy_.choose(policy_.self, &loads, &draw);
    } catch (const std::exception& thrown) {
      throw PolicyFailure(fmt::format("{}: threw: {}", label_, thrown.what()));
    } catch (...) {
      throw PolicyFailure(label_ + ": threw something that is no std::exception");
    }
  }

  artel_policy policy_;
  std::string label_;  // for messages
};

tl::unexpected<Error> refuse(std::string what, const std::filesystem::path& file) {
  return fail(ErrorCode::invalid, std::move(what), file.string());
}

// What is wrong with a policy that was filled; nothing if all is well.
std::optional<std::string> mistake_of(const artel_policy& policy) {
  constexpr std::size_t kNameMax = 64;
  const std::string_view name = policy.name == nullptr ? "" : policy.name;
  const bool fits =
      !name.empty() && name.size() <= kNameMax && std::all_of(name.begin(), name.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string_view("_-.()").find(c) != std::string_view::npos;
      });
  if (!fits) {
    return fmt::format("found a policy's name of {} bytes, allowed: 1 to {} of A-Z a-z 0-9 _-.()",
                       name.size(), kNameMax);
  }
  if (policy.choose == nullptr) return "found no choose(), which a policy must have";
  if ((policy.reads & ~std::uint32_t{PolicyInputs::all().bits}) != 0)
    return fmt::format("found reads {:#x}, allowed: ARTEL_READS_…", policy.reads);
  if (policy.latency_mean > 1)
    return fmt::format("found latency_mean {}, allowed: 0, 1", policy.latency_mean);
  if (policy.latency_decay < 0)
    return fmt::format("found latency_decay {} ns, allowed: 0 or more", policy.latency_decay);
  return std::nullopt;
}

Custom policy_of(const artel_policy& filled, const std::filesystem::path& file,
                 const std::string& options) {
  Custom policy{.function = Plugin(filled, file), .name = filled.name};
  PolicyInputs reads;
  reads.bits = static_cast<std::uint16_t>(filled.reads);
  policy.reads = reads;
  policy.latency.peak = filled.latency_mean == 0;
  if (filled.latency_decay > 0) policy.latency.decay = Duration{filled.latency_decay};
  policy.text = fmt::format("plugin(file={}{}{})", file.string(),
                            options.empty() ? "" : "; options=", options);
  return policy;
}

}  // namespace

Result<Custom> load_policy_plugin(const std::filesystem::path& file, const std::string& options) {
  std::error_code problem;
  const auto path = std::filesystem::absolute(file, problem);  // else it is looked for elsewhere
  void* const handle = problem ? nullptr : ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    if (!problem && !std::filesystem::exists(path, problem))
      return fail(ErrorCode::not_found, "no such file", file.string());
    return refuse(fmt::format("cannot load it: {}", problem ? problem.message() : ::dlerror()),
                  file);
  }
  const auto* abi = static_cast<const std::uint32_t*>(::dlsym(handle, "artel_policy_abi"));
  if (abi == nullptr) return refuse("is no policy: it has no artel_policy_abi", file);
  if (*abi != ARTEL_POLICY_ABI) {
    return refuse(fmt::format("was made for version {} of artel_policy.h, allowed: {}", *abi,
                              ARTEL_POLICY_ABI),
                  file);
  }
  auto* const make =
      reinterpret_cast<decltype(&artel_make_policy)>(::dlsym(handle, "artel_make_policy"));
  if (make == nullptr) return refuse("is no policy: it has no artel_make_policy()", file);
  artel_policy filled{};
  try {
    if (const char* why = make(options.c_str(), &filled)) return refuse(why, file);
  } catch (const std::exception& thrown) {
    return refuse(fmt::format("artel_make_policy() threw: {}", thrown.what()), file);
  }
  if (const auto mistake = mistake_of(filled)) return refuse(*mistake, file);
  return policy_of(filled, file, options);
}

}  // namespace artel::dispatch
