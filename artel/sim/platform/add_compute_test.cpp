#include "artel/sim/platform/add_compute.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/model/compute.hpp"
#include "artel/sim/platform/load_platform.hpp"
#include "artel/sim/platform/platform.hpp"

namespace artel::sim {
namespace {

using namespace std::chrono_literals;

/// A folder with a platform and its profiles.
struct AddCompute : testing::Test {
  AddCompute() { std::filesystem::create_directories(folder); }
  ~AddCompute() override { std::filesystem::remove_all(folder); }

  [[nodiscard]] std::string write(const std::string& name, std::string_view text) const {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  }
  static std::string errors_of(const std::string& file) {
    const auto read = load_platform(file);
    if (read) return "no error";
    std::string text;
    for (const auto& error : read.error()) {
      text += to_string(error).substr(to_string(error).find("site"));
    }
    return text;
  }

  std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) /
      ("add_compute." + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

// Full speed, half of it from 2 s on, none from 4 s; down from 3 s to 5 s of every 10 s.
void expect_profiles_followed(const HostSpec& host) {
  Simulation simulation;
  const Compute& compute = add_compute(simulation, host);
  const auto at = [&](Duration time) { simulation.run_until(Instant{time}); };
  at(1s);
  EXPECT_EQ(compute.speed(), 8e9);
  at(2500ms);
  EXPECT_EQ(compute.speed(), 4e9);
  EXPECT_TRUE(compute.is_up());
  at(4500ms);
  EXPECT_EQ(compute.speed(), 0);
  EXPECT_FALSE(compute.is_up());
  at(6s);
  EXPECT_TRUE(compute.is_up());
  at(14s);
  EXPECT_FALSE(compute.is_up());
  simulation.run();  // the state changes for ever, and nothing waits for it
  EXPECT_EQ(simulation.now(), Instant{14s});
}

TEST_F(AddCompute, FollowsTheProfilesThatTheFileNames) {
  (void)write("a.speeds", "0 1\n2 0.5\n4 0\n");
  (void)write("a.states", "PERIODICITY 10\n3 0\n5 1\n");
  const auto site = load_platform(write("site.toml",
                                        "[[hosts]]\nname = 'a'\nspeed = '8Gf'\ncores = 2\n"
                                        "speeds = 'a.speeds'\nstates = 'a.states'\n"
                                        "power = { idle = 50, full = 150 }\n"));
  ASSERT_TRUE(site.has_value());
  const HostSpec& host = site->hosts.front();
  EXPECT_EQ(host.power.off, 0);
  EXPECT_EQ(host.power.idle, 50);
  EXPECT_EQ(host.power.full, 150);
  expect_profiles_followed(host);
}

TEST_F(AddCompute, SoDoesOneOfSimGrids) {
  (void)write("a.speeds", "0 1\n2 0.5\n4 0\n");
  (void)write("a.states", "PERIODICITY 10\n3 0\n5 1\n");
  for (const std::string attribute : {"speed_file", "availability_file"}) {
    const auto site = load_platform(
        write("site.xml",
              "<platform version='4.1'><zone id='z' routing='Full'><host id='a' "
              "speed='8Gf' core='2' " +
                  attribute + "='a.speeds' state_file='a.states'/></zone></platform>"));
    ASSERT_TRUE(site.has_value());
    expect_profiles_followed(site->hosts.front());
  }
}

TEST_F(AddCompute, DrawsWhatTheFileSays) {
  const auto site = load_platform(write("site.toml",
                                        "[[clusters]]\nname = 'c'\ncount = 2\nspeed = '1Gf'\n"
                                        "bandwidth = '1Gbps'\n"
                                        "power = { off = 1, idle = 50, full = 150 }\n"));
  ASSERT_TRUE(site.has_value());
  Simulation simulation;
  Compute& compute = add_compute(simulation, site->hosts.back());
  simulation.run_until(Instant{2s});
  EXPECT_EQ(compute.energy(), 100);
  compute.set_up(false);
  simulation.run_until(Instant{3s});
  EXPECT_EQ(compute.energy(), 101);
}

TEST_F(AddCompute, MistakesInProfilesAreToldWithTheirPlaces) {
  (void)write("site.states", "0 1\n0 0\n");
  EXPECT_EQ(
      errors_of(
          write("site.toml", "[[hosts]]\nname = 'a'\nspeed = '1Gf'\nstates = 'site.states'\n")),
      "site.toml:4:10: states: " + (folder / "site.states").string() + ":2: the times must ascend");
  const std::string missing =
      errors_of(write("site.toml", "[[hosts]]\nname = 'a'\nspeed = '1Gf'\nspeeds = 'none'\n"));
  EXPECT_NE(missing.find("site.toml:4:10: speeds: "), std::string::npos) << missing;
  EXPECT_NE(missing.find("none"), std::string::npos) << missing;
}

}  // namespace
}  // namespace artel::sim
