#include "artel/cluster/detail/bytes_of.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace artel::cluster::detail {

std::string bytes_of(std::uint64_t number) {
  std::string bytes(kNumberBytes, '\0');
  for (std::size_t i = 0; i < kNumberBytes; ++i) {
    bytes[i] = static_cast<char>(static_cast<unsigned char>(number >> (8 * i)));
  }
  return bytes;
}

std::uint64_t number_of(std::string_view bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = kNumberBytes; i-- > 0;) {
    number = number << 8U | static_cast<unsigned char>(bytes[i]);
  }
  return number;
}

}  // namespace artel::cluster::detail
