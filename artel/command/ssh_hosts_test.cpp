#include "artel/command/ssh_hosts.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "artel/command/child.hpp"
#include "artel/file/open_file.hpp"

namespace artel::command {
namespace {

using Words = std::vector<std::string>;

struct Pipe {
  file::OpenFile read;
  file::OpenFile write;
  Pipe() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    read = file::OpenFile(ends[0]);
    write = file::OpenFile(ends[1]);
  }
};

// A server's shell that runs a command of ours; its input goes on until `in` is closed.
struct Served {
  Pipe in;
  Pipe out;
  Child child;

  explicit Served(const Words& command)
      : child(*Child::start("/bin/sh", Words{"sh", "-c", ssh_script(command)},
                            {.in = in.read.get(), .out = out.write.get(), .err = 2})) {
    out.write.close();
  }
  std::string text() const {  // NOLINT(modernize-use-nodiscard)
    std::string all;
    std::array<char, 4096> piece{};
    for (ssize_t count = 0; (count = ::read(out.read.get(), piece.data(), piece.size())) > 0;) {
      all.append(piece.data(), static_cast<std::size_t>(count));
    }
    return all;
  }
};

TEST(SshHosts, AreNamedAsForSsh) {
  const auto hosts = parse_ssh_hosts("alpha,4/ann@beta,:");
  ASSERT_TRUE(hosts);
  ASSERT_EQ(hosts->size(), 3);
  EXPECT_EQ((*hosts)[0].name, "alpha");
  EXPECT_EQ((*hosts)[0].slots, 0);
  EXPECT_EQ((*hosts)[1].name, "ann@beta");
  EXPECT_EQ((*hosts)[1].slots, 4);
  EXPECT_EQ((*hosts)[2].name, ":");
  for (const char* const wrong : {"", "a,", "0/a", "x/a", "9999/a", "4/", "-oProxyCommand=x"}) {
    EXPECT_FALSE(parse_ssh_hosts(wrong)) << wrong;
  }
}

TEST(SshScript, HandsWordsOverAsTheyAre) {
  const Words words{"it's", "$(id)", "`id`", "a  b", "*", "", "-n", "two\nlines", "\\", "\"", "!x"};
  Words command{"printf", "<%s>"};
  command.insert(command.end(), words.begin(), words.end());
  std::string expected;
  for (const auto& word : words) expected += '<' + word + '>';
  Served served(command);
  EXPECT_EQ(served.text(), expected);
  EXPECT_EQ(served.child.wait().exit_status, 0);
}

TEST(SshScript, EndsAsTheCommandDoes) {
  for (const int status : {0, 3, 127, 255}) {
    Served served({"sh", "-c", "cat; exit " + std::to_string(status)});  // there is nothing to read
    EXPECT_EQ(served.child.wait().exit_status, status);
  }
}

TEST(SshScript, EndsWithAllThatItHasStartedWhenItsInputEnds) {
  Served served({"sh", "-c", "trap '' TERM; sleep 1000 & echo; wait"});
  char line = 0;
  ASSERT_EQ(::read(served.out.read.get(), &line, 1), 1);  // it is there
  served.in.write.close();
  EXPECT_EQ(served.text(), "");  // nobody holds its output any more
  EXPECT_NE(served.child.wait().signal, 0);
}

}  // namespace
}  // namespace artel::command
