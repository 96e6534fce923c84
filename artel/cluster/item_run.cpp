#include "artel/cluster/item_run.hpp"

#include <cxxabi.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <typeinfo>

#include "artel/core/error.hpp"

namespace artel::cluster {
namespace {

// The type of the exception being handled, as in the source.
std::string current_exception_type() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (type == nullptr) return "unknown";
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(type->name(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : type->name();
}

std::string current_exception_what() {
  try {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  } catch (const std::string& text) {
    return text;
  } catch (const char* text) {
    return text;
  } catch (...) {
    return "an exception without a text";
  }
}

}  // namespace

void ItemRun::note_failure(std::uint32_t i, std::uint32_t attempts) {
  problems.push_back({first + i, attempts, current_exception_type(), current_exception_what()});
}

void ItemRun::note_unreadable(std::uint32_t i, const Error& error) {
  unreadable = true;
  problems.push_back({first + i, 0, "", to_string(error)});
}

}  // namespace artel::cluster
