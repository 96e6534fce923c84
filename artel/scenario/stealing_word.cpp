#include "artel/scenario/stealing_word.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "artel/dispatch/stealing.hpp"

namespace artel::scenario {
namespace {

using dispatch::Stealing;

struct Entry {
  Stealing stealing;
  std::string_view word;
};

constexpr std::array kWords{Entry{Stealing::none, "none"},
                            Entry{Stealing::before_held, "before_common"},
                            Entry{Stealing::after_held, "after_common"}};

}  // namespace

std::string_view stealing_word(Stealing stealing) {
  const auto* const entry = std::ranges::find(kWords, stealing, &Entry::stealing);
  return entry == kWords.end() ? std::string_view() : entry->word;
}

Stealing stealing_of(std::string_view word) {
  const auto* const entry = std::ranges::find(kWords, word, &Entry::word);
  return entry == kWords.end() ? Stealing::none : entry->stealing;
}

}  // namespace artel::scenario
