#include "artel/cluster/detail/ack_subject.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "artel/core/parse_number.hpp"

namespace artel::cluster::detail {

// Servers that know of domains put two tokens before the stream.
AckSubject read_ack_subject(std::string_view subject) {
  constexpr std::size_t kShort = 9;  // tokens
  const auto tokens = static_cast<std::size_t>(std::ranges::count(subject, '.')) + 1;
  const auto next = [&] {
    const std::string_view token = subject.substr(0, subject.find('.'));
    subject.remove_prefix(std::min(subject.size(), token.size() + 1));
    return token;
  };
  for (std::size_t skip = tokens > kShort ? 5 : 3; skip > 0; --skip) static_cast<void>(next());
  AckSubject read{.consumer = std::string(next())};
  read.delivery = std::max(parse_number<std::uint32_t>(next()).value_or(1), 1U);
  return read;
}

}  // namespace artel::cluster::detail
