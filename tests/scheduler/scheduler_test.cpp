#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <iterator>
#include <ostream>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "tests/scheduler/program.hpp"

namespace artel::scheduler_test {

// What RapidCheck prints of a program that it has shrunk.
std::ostream& operator<<(std::ostream& out, const Step& step) {
  constexpr const char* kNames[kKinds] = {"sleep",
                                          "send",
                                          "receive",
                                          "try_send",
                                          "try_receive",
                                          "close",
                                          "acquire",
                                          "release",
                                          "down",
                                          "up",
                                          "wait_flag",
                                          "set_flag",
                                          "reset_flag",
                                          "wait_condition",
                                          "notify",
                                          "arrive",
                                          "next",
                                          "next_key",
                                          "emit",
                                          "spawn",
                                          "join",
                                          "cancel",
                                          "fail",
                                          "next_within",
                                          "receive_within",
                                          "receive_any",
                                          "send_or_receive",
                                          "run_within"};
  return out << kNames[static_cast<std::size_t>(step.what)] << '(' << step.a << ',' << step.b
             << ')';
}

namespace {

/// Rarely what stops a program early; often what makes others run on.
Do kind_of(std::size_t number) {
  constexpr Do kMore[] = {Do::sleep,       Do::sleep,          Do::sleep,       Do::emit,
                          Do::emit,        Do::emit,           Do::spawn,       Do::spawn,
                          Do::spawn,       Do::spawn,          Do::send,        Do::receive,
                          Do::up,          Do::notify,         Do::set_flag,    Do::release,
                          Do::next_within, Do::receive_within, Do::receive_any, Do::send_or_receive,
                          Do::run_within,  Do::run_within,     Do::cancel,      Do::acquire};
  if (number < std::size(kMore)) return kMore[number];
  return static_cast<Do>((number - std::size(kMore)) % kKinds);
}

rc::Gen<Step> any_step() {
  const auto number = rc::gen::resize(1000, rc::gen::inRange(0, 24 + 28 * 2));
  return rc::gen::map(rc::gen::tuple(number, rc::gen::inRange(0, 12), rc::gen::inRange(0, 5)),
                      [](const std::tuple<int, int, int>& numbers) {
                        const auto [kind, a, b] = numbers;
                        // Half of the failures and closed channels are left out.
                        const Do what = kind_of(static_cast<std::size_t>(kind));
                        const bool spare = kind % 2 == 0 && (what == Do::fail || what == Do::close);
                        return Step{spare ? Do::sleep : what, a, b};
                      });
}

template <class T>
rc::Gen<std::vector<T>> between(std::size_t least, std::size_t most, const rc::Gen<T>& element) {
  return rc::gen::mapcat(rc::gen::inRange(least, most + 1), [element](std::size_t count) {
    return rc::gen::container<std::vector<T>>(count, element);
  });
}

rc::Gen<Program> any_program() {
  return rc::gen::resize(1000, between<Script>(1, 6, between<Step>(1, 16, any_step())));
}

std::string text_of(const Trace& trace) {
  std::ostringstream out;
  for (const Line& line : trace) {
    out << line.time << " ns, process " << line.process << ", step " << line.step << ": "
        << line.value << '\n';
  }
  return out.str();
}

/// Counts the lines of all traces, so that the test sees that something happened.
void expect_equal_runs(const Program& program, std::size_t& lines) {
  const Trace expected = reference_run(program);
  lines += expected.size();
  const Trace actual = kernel_run(program);
  RC_LOG() << "expected:\n" << text_of(expected) << "actual:\n" << text_of(actual);
  RC_ASSERT(actual == expected);
}

TEST(Scheduler, RandomProgramsRunAsInTheReference) {
  const rc::detail::TestMetadata metadata{.id = "scheduler", .description = "random programs"};
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = 8'000;
  std::size_t lines = 0;
  const auto result = rc::detail::checkTestable([&] { expect_equal_runs(*any_program(), lines); },
                                                metadata, params);
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  EXPECT_TRUE(result.template is<rc::detail::SuccessResult>()) << text.str();
  EXPECT_GT(lines, 80'000U);
}

TEST(Scheduler, TheReferenceTellsProgramsApart) {
  const Program once = {{{Do::sleep, 0, 2}}};
  const Program twice = {{{Do::sleep, 0, 1}, {Do::sleep, 0, 1}}};
  EXPECT_NE(reference_run(once), reference_run(twice));
  EXPECT_EQ(text_of(reference_run(once)),
            "2 ns, process 0, step 0: 0\n2 ns, process 0, step 0: -4\n"
            "0 ns, process 0, step 0: 1\n");
}

}  // namespace
}  // namespace artel::scheduler_test
