// Any words are refused or a command, and any items arrive whole: the script for a shell has none
// of them in it. The first byte picks who reads it; null bytes separate words, the last one is the
// item.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "artel/command/command_template.hpp"
#include "artel/core/require.hpp"

namespace artel::command {
namespace {

void check(const std::vector<std::string>& words, const std::string& item,
           const TemplateOptions& options) {
  const auto command = CommandTemplate::parse(words, options);
  if (!command) return;
  const std::vector<std::string> items{item, "other"};
  const auto expanded = command->expand({.items = items});
  ARTEL_REQUIRE(!expanded.empty(), "there is a program");
  if (options.reader == Reader::program) return;
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
  using artel::command::TemplateOptions;
  std::string_view text(reinterpret_cast<const char*>(bytes), size);  // NOLINT(*-cast)
  if (text.empty()) return 0;
  const auto choice = static_cast<unsigned char>(text.front());
  const TemplateOptions options{.reader = (choice & 1U) != 0 ? Reader::shell : Reader::program,
                                .shell = (choice & 2U) != 0 ? "/bin/bash" : "/bin/sh"};
  text.remove_prefix(1);
  std::vector<std::string> words;
  while (true) {
    const auto end = text.find('\0');
    if (end == std::string_view::npos) break;
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  artel::command::check(words, std::string(text), options);
  return 0;
}
