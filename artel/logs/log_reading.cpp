#include "artel/logs/log_reading.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/how_many.hpp"
#include "artel/core/instant.hpp"
#include "artel/core/join.hpp"

namespace artel::logs {
namespace {

// "120 000"
std::string grouped(std::uint64_t number) {
  auto text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ' ');
  return text;
}

// Of a file that is of the same time as others.
std::string clock_note(const ClockCheck& check) {
  const auto text = fmt::format(
      "{} is of the same time as files before it: they are merged as their clocks say, ",
      check.name);
  if (!check.skew) return text + "and how far these differ is not known";
  const auto [ahead, precision] = *check.skew;
  constexpr const char* kWhy = "by how the loads go up and down together";
  if (std::chrono::abs(ahead) <= precision)
    return text + fmt::format("which agree within {}, {}", format_duration(precision), kWhy);
  return text + fmt::format("of which its is {} {} (within {}), {}",
                            format_duration(std::chrono::abs(ahead)),
                            ahead > Duration::zero() ? "ahead" : "behind",
                            format_duration(precision), kWhy);
}

// The same as how_many(), of a number that may be long.
std::string how_many_grouped(std::uint64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
}

}  // namespace

Result<void> LogReading::add(const LogReading& other) {
  if (other.knows != knows) {
    return fail(ErrorCode::invalid,
                fmt::format("this {} does not say the same of its tasks as the {} before it",
                            other.title, title));
  }
  if (other.earliest < latest && earliest < other.latest) {
    overlaps.push_back({other.name, arrivals.skew_of(other.arrivals)});
  } else {
    arrivals.add(other.arrivals);
  }
  began += other.began;
  ended += other.ended;
  earliest = std::min(earliest, other.earliest);
  latest = std::max(latest, other.latest);
  files += other.files;
  tasks += other.tasks;
  passed_over += other.passed_over;
  bad += other.bad;
  if (!first_bad) first_bad = other.first_bad;
  whole_seconds = whole_seconds || other.whole_seconds;
  zoneless = zoneless || other.zoneless;
  clock_changes += other.clock_changes;
  clock_jumps += other.clock_jumps;
  return {};
}

std::string LogReading::summary() const {
  const auto from = files > 1 ? fmt::format(" in {} files", files) : "";
  auto text = fmt::format("{}{}, {}, {} used", title, from, how_many_grouped(tasks, "task"),
                          how_many(fields.size(), "field"));
  if (!fields.empty()) text += fmt::format(" ({})", join(fields, ", "));
  return text;
}

std::vector<std::string> LogReading::notes() const {
  std::vector<std::string> notes;
  if (passed_over > 0) {
    notes.push_back(fmt::format("passed over: {} not about a task that ended{}",
                                how_many_grouped(passed_over, "line"),
                                filtered ? ", or not what is asked for" : ""));
  }
  if (bad > 0 && first_bad) {
    notes.push_back(fmt::format("{} could not be read; the first: {}",
                                how_many_grouped(bad, "line"), to_string(*first_bad)));
  }
  if (whole_seconds) {
    notes.emplace_back(
        "times are known to the second only: each is drawn at random from its second, so what "
        "happens within a second is a guess");
  }
  for (const auto& check : overlaps) notes.push_back(clock_note(check));
  if (began > 0 || ended > 0) {
    notes.push_back(fmt::format(
        "{} of the workers' processes began and {} ended while the others went on: they were "
        "restarted, or the fleet grew or shrank",
        began, ended));
  }
  if (!class_by.empty()) {
    notes.push_back(fmt::format(
        "the values of {} are kept, as names of {} class{}{}", class_by, classes.size(),
        classes.size() == 1 ? "" : "es",
        classes_seen <= classes.size()
            ? ""
            : fmt::format(": of the {} that there are those of most tasks, the others are one",
                          grouped(classes_seen))));
  }
  if (gap) {
    notes.push_back(fmt::format(
        "nothing came for {}, from {} after the begin on: a gap in the log, or nobody asked; rates "
        "are over all of the time",
        format_duration(gap->length), format_duration(gap->after)));
  }
  if (!remark.empty()) notes.push_back(remark);
  if (zoneless) notes.emplace_back("times have no zone: they are taken as they stand");
  const auto times = [](std::uint64_t number) {
    return number == 1 ? std::string("once") : fmt::format("{} times", number);
  };
  if (clock_changes > 0) {
    notes.push_back(fmt::format(
        "the clock goes back an hour {}: summer time ended; later times are moved by that hour",
        times(clock_changes)));
  }
  if (clock_jumps > 0) {
    notes.push_back(
        fmt::format("the clock leaves out an hour {}: summer time began; later times are moved by "
                    "that hour",
                    times(clock_jumps)));
  }
  return notes;
}

}  // namespace artel::logs
