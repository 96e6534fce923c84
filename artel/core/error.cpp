#include "artel/core/error.hpp"
#include <string>
#include <string_view>

namespace artel {

std::string_view name(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid:
      return "invalid";
    case ErrorCode::parse:
      return "parse";
    case ErrorCode::not_found:
      return "not_found";
    case ErrorCode::io:
      return "io";
    case ErrorCode::too_large:
      return "too_large";
    case ErrorCode::full:
      return "full";
    case ErrorCode::closed:
      return "closed";
    case ErrorCode::timeout:
      return "timeout";
    case ErrorCode::cancelled:
      return "cancelled";
    case ErrorCode::expired:
      return "expired";
    case ErrorCode::unsupported:
      return "unsupported";
  }
  return "unknown";
}

std::string to_string(const Error& error) {
  return error.where.empty() ? error.what : error.where + ": " + error.what;
}

}  // namespace artel
