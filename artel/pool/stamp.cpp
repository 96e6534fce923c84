#include "artel/pool/stamp.hpp"

#include <string_view>

namespace artel::pool {

std::string_view name(Outcome outcome) {
  switch (outcome) {
    case Outcome::done:
      return "done";
    case Outcome::failed:
      return "failed";
    case Outcome::cancelled:
      return "cancelled";
    case Outcome::expired:
      return "expired";
  }
  return "";
}

}  // namespace artel::pool
