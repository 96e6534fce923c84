#include "artel/cluster/secret.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdlib>
#include <fstream>
#include <ostream>
#include <string>
#include <type_traits>

#include "artel/core/error.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::cluster {
namespace {

template <class T>
concept Streamable = requires(std::ostream& out, const T& value) { out << value; };

static_assert(!std::is_convertible_v<Secret, std::string>);
static_assert(!Streamable<Secret>);
static_assert(!fmt::is_formattable<Secret>::value);

TEST(Secret, IsTheFirstLineOfAFile) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "password";
  std::ofstream(file) << "open sesame\r\nsecond line\n";
  EXPECT_EQ(Secret::from_file(file).value().reveal(), "open sesame");
}

TEST(Secret, FileThatIsMissingOrEmptyIsNamed) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "password";
  EXPECT_THAT(to_string(Secret::from_file(file).error()), testing::HasSubstr(file.string()));
  std::ofstream(file) << "\n";
  EXPECT_THAT(to_string(Secret::from_file(file).error()),
              testing::AllOf(testing::HasSubstr(file.string()), testing::HasSubstr("empty")));
}

TEST(Secret, IsTakenOutOfTheEnvironment) {
  std::string entry = "ARTEL_TEST_SECRET=open sesame";
  ASSERT_EQ(::putenv(entry.data()), 0);  // as in a process that was started with it: no copy
  EXPECT_EQ(Secret::take_from_environment("ARTEL_TEST_SECRET").reveal(), "open sesame");
  EXPECT_EQ(entry.find("sesame"), std::string::npos);
  EXPECT_EQ(std::getenv("ARTEL_TEST_SECRET"), nullptr);  // NOLINT(concurrency-mt-unsafe)
  EXPECT_TRUE(Secret::take_from_environment("ARTEL_TEST_SECRET").empty());
}

}  // namespace
}  // namespace artel::cluster
