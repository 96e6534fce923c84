#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <string_view>

#include "tests/explore/execution.hpp"

namespace artel::explore {
namespace {

// "job_ring.hpp:96 try_push"
std::string place_of(const std::source_location& where) {
  std::string_view file = where.file_name();
  file.remove_prefix(file.rfind('/') + 1);
  std::string_view function = where.function_name();
  function = function.substr(0, function.find('('));
  function.remove_prefix(std::max(function.rfind(' ') + 1, function.rfind(':') + 1));
  return fmt::format("{}:{} {}", file, where.line(), function);
}

}  // namespace

void Execution::trace(const std::string& what) { trace_ += what + "\n"; }

void Execution::trace(Location location, std::string_view operation, std::uint64_t before,
                      std::uint64_t after, Where where) {
  const auto* const address = static_cast<const std::byte*>(addresses_[location]);
  std::string object = fmt::format("#{}", location);
  for (const Named& named : named_) {
    if (address < named.begin || address >= named.begin + named.bytes) continue;
    object = fmt::format("{}+{}", named.name, address - named.begin);
  }
  trace(fmt::format("{:<12} {:<20} {:<16} {:>4}{}  {}", threads_[self_].name, object, operation,
                    before, before == after ? std::string() : fmt::format(" -> {}", after),
                    place_of(where)));
}

}  // namespace artel::explore
