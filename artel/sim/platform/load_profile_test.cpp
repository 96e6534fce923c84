#include "artel/sim/platform/load_profile.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

TEST(LoadProfile, ReadsAFileAndNamesIt) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "speed.txt";
  std::ofstream(path) << "0 1\n10 0.5\nPERIODICITY 20\n";
  const auto profile = load_profile(path);
  ASSERT_TRUE(profile) << to_string(profile.error());
  EXPECT_EQ(profile->changes.size(), 2U);
  EXPECT_EQ(profile->period, Duration{20s});
  std::ofstream(path) << "0 1\nnow 2\n";
  EXPECT_EQ(load_profile(path).error().where, path.string() + ":2");
  EXPECT_EQ(load_profile(folder.path() / "none").error().code, ErrorCode::not_found);
}

}  // namespace
}  // namespace artel::sim
