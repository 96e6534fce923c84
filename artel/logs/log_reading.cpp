#include "artel/logs/log_reading.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/join.hpp"

namespace artel::logs {
namespace {

// "120 000"
std::string grouped(std::uint64_t number) {
  auto text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ' ');
  return text;
}

}  // namespace

std::string LogReading::summary() const {
  auto text = fmt::format("{}, {} task{}, {} field{} used", title, grouped(tasks),
                          tasks == 1 ? "" : "s", fields.size(), fields.size() == 1 ? "" : "s");
  if (!fields.empty()) text += fmt::format(" ({})", join(fields, ", "));
  return text;
}

std::vector<std::string> LogReading::notes() const {
  std::vector<std::string> notes;
  if (passed_over > 0) {
    notes.push_back(fmt::format("{} lines are not about a task that ended; they are passed over",
                                grouped(passed_over)));
  }
  if (bad > 0 && first_bad) {
    notes.push_back(fmt::format("{} lines could not be read; the first: {}", grouped(bad),
                                to_string(*first_bad)));
  }
  if (whole_seconds) {
    notes.emplace_back(
        "times are known to the second only: each is drawn at random from its second, so what "
        "happens within a second is a guess");
  }
  if (zoneless) notes.emplace_back("times have no zone: they are taken as they stand");
  if (clock_changes > 0) {
    notes.push_back(fmt::format(
        "the clock goes back an hour {}: summer time ended; later times are moved by that hour",
        clock_changes == 1 ? "once" : fmt::format("{} times", clock_changes)));
  }
  return notes;
}

}  // namespace artel::logs
