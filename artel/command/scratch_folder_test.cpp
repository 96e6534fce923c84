#include "artel/command/scratch_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

#include "artel/core/error.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::command {
namespace {

namespace fs = std::filesystem;

TEST(ScratchFolder, IsNewItsOwnersAndGoesAtTheEnd) {
  const TemporaryFolder parent;
  fs::path path;
  {
    auto one = ScratchFolder::make("one-", parent.path());
    const auto other = ScratchFolder::make("one-", parent.path());
    ASSERT_TRUE(one && other);
    path = one->path();
    EXPECT_NE(path, other->path());
    EXPECT_EQ(path.parent_path(), parent.path());
    EXPECT_TRUE(path.filename().string().starts_with("one-"));
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    fs::create_directory(path / "more");
    std::ofstream(path / "more" / "file") << "text";
    const ScratchFolder moved = std::move(*one);
    EXPECT_TRUE(fs::exists(path));
  }
  EXPECT_TRUE(fs::is_empty(parent.path()));
}

TEST(ScratchFolder, SaysWhyItCannot) {
  const auto none = ScratchFolder::make("x-", "/there/is/none");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::io);
  EXPECT_EQ(none.error().where, "/there/is/none");
  EXPECT_THAT(none.error().what, testing::HasSubstr("No such file or directory"));
}

TEST(ScratchFolder, MayStandWhereNamesAreStrange) {
  const TemporaryFolder parent;
  for (const char* name : {"a b", "'\"$(x)", "two\nlines", "ends\n"}) {
    const auto strange = parent.path() / name;
    fs::create_directory(strange);
    const auto made = ScratchFolder::make("-p ", strange);
    ASSERT_TRUE(made) << to_string(made.error());
    EXPECT_EQ(made->path().parent_path(), strange);
    EXPECT_TRUE(fs::is_directory(made->path()));
  }
}

// Killed as soon as the folder is to be seen, which is before make() has returned.
TEST(ScratchFolder, GoesWithAProcessThatIsKilled) {
  const TemporaryFolder parent;
  const auto ends = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  for (int round = 0; round < 20; ++round) {
    const pid_t process = ::fork();
    if (process == 0) {
      const auto made = ScratchFolder::make("gone-", parent.path());
      if (made) std::ofstream(made->path() / "file") << "text";
      ::pause();
      ::_exit(0);
    }
    while (fs::is_empty(parent.path()) && std::chrono::steady_clock::now() < ends)
      std::this_thread::yield();
    ::kill(process, SIGKILL);
    ASSERT_EQ(::waitpid(process, nullptr, 0), process);
    while (!fs::is_empty(parent.path()) && std::chrono::steady_clock::now() < ends)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ASSERT_TRUE(fs::is_empty(parent.path())) << "round " << round;
  }
}

}  // namespace
}  // namespace artel::command
