#include "artel/pool/detail/running_type.hpp"

#include <cxxabi.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <typeinfo>

namespace artel::pool::detail {
namespace {

// "a<b, c<d>>" to "c<d>"; a type without arguments as it is.
std::string_view last_argument(std::string_view type) {
  if (type.empty() || type.back() != '>') return type;
  int depth = 0;
  for (std::size_t i = type.size(); i-- > 0;) {
    const char c = type[i];
    if (c == '>' || c == ')' || c == '}') ++depth;
    if (c == '<' || c == '(' || c == '{') --depth;
    const bool between = depth == 1 && c == ',';
    if (!between && !(depth == 0 && c == '<')) continue;
    std::string_view argument = type.substr(i + 1, type.size() - i - 2);
    while (!argument.empty() && argument.front() == ' ') argument.remove_prefix(1);
    while (!argument.empty() && argument.back() == ' ') argument.remove_suffix(1);
    return argument;
  }
  return type;
}

}  // namespace

std::string name_of_task(const std::type_info& type) {
  constexpr std::string_view kWrappers = "artel::pool::detail::";
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> demangled(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), std::free);
  std::string_view name = status == 0 ? demangled.get() : type.name();
  while (name.starts_with(kWrappers)) {
    const std::string_view inner = last_argument(name);
    if (inner.size() == name.size()) break;
    name = inner;
  }
  return std::string(name);
}

}  // namespace artel::pool::detail
