// Any words are a command, and any items arrive whole: the script for a shell has none of them in
// it. The first byte picks program or shell; null bytes separate words, the last one is the item.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "artel/command/command_template.hpp"
#include "artel/core/require.hpp"

namespace artel::command {
namespace {

void check(const std::vector<std::string>& words, const std::string& item, Reader reader) {
  const auto command = CommandTemplate::parse(words, reader);
  ARTEL_REQUIRE(command.has_value() == !words.empty(), "any words are a command");
  if (!command) return;
  const std::vector<std::string> items{item, "other"};
  const auto expanded = command->expand({.items = items});
  if (reader == Reader::program) {
    ARTEL_REQUIRE(expanded.size() >= words.size(), "no word is lost", expanded.size());
    ARTEL_REQUIRE(expanded.size() <= 2 * words.size() + 2, "no item is split", expanded.size());
    return;
  }
  const std::vector<std::string> others{"x", "y"};
  const auto same = command->expand({.items = others});
  ARTEL_REQUIRE(expanded[2] == same[2], "the script does not depend on items", expanded[2]);
  ARTEL_REQUIRE(expanded.size() == same.size(), "nor does the number of its parameters");
}

}  // namespace
}  // namespace artel::command

// The name that libFuzzer asks for.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {  // NOLINT
  using artel::command::Reader;
  std::string_view text(reinterpret_cast<const char*>(bytes), size);  // NOLINT(*-cast)
  if (text.empty()) return 0;
  const auto reader =
      (static_cast<unsigned char>(text.front()) & 1U) != 0 ? Reader::shell : Reader::program;
  text.remove_prefix(1);
  std::vector<std::string> words;
  while (true) {
    const auto end = text.find('\0');
    if (end == std::string_view::npos) break;
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  artel::command::check(words, std::string(text), reader);
  return 0;
}
