#include "artel/file/whole_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "artel/file/read_text_file.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::file {
namespace {

namespace fs = std::filesystem;

std::size_t files(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

std::string text(const fs::path& path) {
  return read_text_file(path, 1000).value_or("not to be read");
}

TEST(WholeFile, AppearsWithCommit) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a";
  auto file = WholeFile::create(path);
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->write("one "));
  EXPECT_TRUE(file->write("two"));
  EXPECT_FALSE(fs::exists(path));
  EXPECT_TRUE(file->commit());
  EXPECT_EQ(text(path), "one two");
  EXPECT_EQ(files(folder.path()), 1U);
}

TEST(WholeFile, WithoutCommitNothingStaysAndTheOldOneDoes) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a";
  {
    auto old = WholeFile::create(path);
    ASSERT_TRUE(old && old->write("old") && old->commit());
    auto file = WholeFile::create(path);
    ASSERT_TRUE(file && file->write("new"));
    EXPECT_EQ(files(folder.path()), 2U);
  }
  EXPECT_EQ(text(path), "old");
  EXPECT_EQ(files(folder.path()), 1U);
}

TEST(WholeFile, ReplacesTheFileBehindALinkAndKeepsTheLink) {
  const TemporaryFolder folder;
  fs::create_directory(folder.path() / "real");
  std::ofstream(folder.path() / "real" / "a") << "old";
  fs::create_symlink("real/a", folder.path() / "link");
  auto file = WholeFile::create(folder.path() / "link");
  ASSERT_TRUE(file && file->write("new") && file->commit());
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
  EXPECT_EQ(text(folder.path() / "real" / "a"), "new");
  EXPECT_EQ(files(folder.path() / "real"), 1U);
}

// The numbers of open files have names, which are neither opened again nor replaced.
TEST(WholeFile, AppendsToAFileThatIsOpenAlready) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a";
  const int open = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_GE(open, 0);
  ASSERT_TRUE(write_all(open, "one "));
  auto file = WholeFile::create("/dev/fd/" + std::to_string(open));
  ASSERT_TRUE(file && file->write("two ") && file->commit());
  ASSERT_TRUE(write_all(open, "three"));
  ::close(open);
  EXPECT_EQ(text(path), "one two three");
  EXPECT_EQ(files(folder.path()), 1U);
}

TEST(WholeFile, MovedFromItDiscardsNothing) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "a";
  auto file = WholeFile::create(path);
  ASSERT_TRUE(file);
  {
    WholeFile mine = *std::move(file);
    ASSERT_TRUE(mine.write("whole") && mine.commit());
  }
  EXPECT_EQ(text(path), "whole");
}

// From now on renameat2 says what it says where the file system knows no flags, as NFS.
bool forget_flags_of_rename() {
  std::array filter{sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                    sock_filter BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat2, 0, 1),
                    sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
                    sock_filter BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog program{.len = filter.size(), .filter = filter.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST(WholeFileDeathTest, ReplacesNothingWhereRenameCannotSaySo) {
  const TemporaryFolder folder;
  const auto create = [&](const char* name) {
    return WholeFile::create(folder.path() / name, {.replace = false});
  };
  const auto in_child = [&] {
    auto alone = create("alone");
    auto late = create("late");
    std::ofstream(folder.path() / "late") << "of another";
    if (!forget_flags_of_rename() || !alone || !late) ::_exit(2);
    ::_exit(alone->commit() && !late->commit() ? 0 : 1);
  };
  EXPECT_EXIT(in_child(), ::testing::ExitedWithCode(0), "");
  EXPECT_TRUE(fs::exists(folder.path() / "alone"));
  EXPECT_EQ(text(folder.path() / "late"), "of another");
  EXPECT_EQ(files(folder.path()), 2U);
}

}  // namespace
}  // namespace artel::file
