// Commands run for many items, as many at a time as there are processors: jobs per second and the
// memory of whoever runs them. A program that does nothing shows what a job costs; checksums of
// this machine's header files show what is left of it beside work. xargs neither keeps outputs
// apart nor in order; "bare" is the least that has to be done (bare_spawn.hpp).
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "artel/core/cpu_quota.hpp"
#include "artel/file/make_temporary_folder.hpp"
#include "artel/trace/fingerprint.hpp"
#include "bench/map_cli/bare_spawn.hpp"
#include "bench/measure.hpp"

namespace artel::bench {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// A folder that goes when we do.
class Scratch {
 public:
  Scratch() : folder_(file::make_temporary_folder("artel-bench-").value()) {}
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return folder_ / name; }

 private:
  fs::path folder_;
};

// What a process has used so far, its children not counted. (rusage tells the memory of whoever
// started it, if that is more, and the time of its children.)
struct Usage {
  double peak_mb = 0;
  double processor_s = 0;
};

void look_at(pid_t process, Usage& usage) {
  const auto folder = "/proc/" + std::to_string(process);
  std::ifstream status(folder + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) usage.peak_mb = std::stod(line.substr(6)) / 1024;
  }
  std::ifstream stat(folder + "/stat");
  stat.ignore(std::numeric_limits<std::streamsize>::max(), ')');  // after its name
  std::string skipped;
  for (int field = 3; field < 14; ++field) stat >> skipped;
  double user = 0;
  double system = 0;
  if (stat >> user >> system && user + system > 0) {
    usage.processor_s = (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  }
}

// Runs a command to its end; looks what it uses fifty times a second.
Usage run(const Words& words, const std::string& in, const std::string& out) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, in.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));  // NOLINT
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failed =
      ::posix_spawnp(&child, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed != 0) throw std::runtime_error("cannot run " + words.front());
  // glibc 2.36 declares pidfd_open, but not for C++.
  const auto file = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  pollfd ended{.fd = file, .events = POLLIN, .revents = 0};
  Usage usage;
  do {
    look_at(child, usage);
  } while (::poll(&ended, 1, 20) == 0);
  ::close(ended.fd);
  int status = 0;
  if (::waitpid(child, &status, 0) != child || status != 0) {
    throw std::runtime_error(words.front() + " failed");
  }
  return usage;
}

Words lines_of(std::istream& in) {
  Words lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Of the lines in any order.
std::string answer_of(const std::string& file) {
  std::ifstream in(file);
  Words lines = lines_of(in);
  std::ranges::sort(lines);
  trace::Fingerprint fingerprint;
  for (const auto& line : lines) fingerprint.add(line);
  return fingerprint.text();
}

bool is_installed(const std::string& program) {
  const char* const variable = std::getenv("PATH");
  std::istringstream path(variable != nullptr ? variable : "");
  for (std::string folder; std::getline(path, folder, ':');) {
    if (::access((folder + '/' + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

// Regular files with names that need no quoting, which xargs would ask for.
Words header_files(std::size_t most) {
  Words files;
  for (const auto& entry : fs::recursive_directory_iterator("/usr/include")) {
    const auto name = entry.path().string();
    if (entry.is_regular_file() && name.find_first_of(" '\"\\") == std::string::npos) {
      files.push_back(name);
    }
  }
  std::ranges::sort(files);
  files.resize(std::min(files.size(), most));
  return files;
}

class Suite {
 public:
  explicit Suite(Comparison& comparison) : comparison_(comparison) {}

  // `slow` repetitions for GNU parallel, which takes ten times as long as the others.
  void add(const std::string& workload, const std::string& program, const Words& items, int slow) {
    const auto in = scratch_.file(workload.substr(0, workload.find('/')));
    std::ofstream file(in);
    for (const auto& item : items) file << item << '\n';
    const auto jobs = std::to_string(usable_cpus());
    const auto count = static_cast<double>(items.size());
    add_one("artel", workload, {ARTEL_COMMAND, "map", "-j", jobs, "--", program}, in, count, 1000);
    add_one("bare", workload, {"/proc/self/exe", "bare", jobs, program}, in, count, 1000);
    add_one("xargs", workload, {"xargs", "-P", jobs, "-n", "1", program}, in, count, 1000);
    if (is_installed("parallel")) {
      add_one("gnu-parallel", workload, {"parallel", "--will-cite", "-k", "-j", jobs, program}, in,
              count, slow);
    }
  }

  // fd gives a program what it finds: a folder with an empty file for each item.
  void add_fd(const std::string& workload, const std::string& program, const Words& items) {
    const std::string fd = is_installed("fdfind") ? "fdfind" : "fd";
    if (!is_installed(fd)) return;
    const fs::path folder = scratch_.file("found");
    fs::create_directory(folder);
    for (const auto& item : items) std::ofstream(folder / item).flush();
    const auto jobs = std::to_string(usable_cpus());
    add_one("fd", workload, {fd, "-j", jobs, ".", folder, "-x", program}, "/dev/null",
            static_cast<double>(items.size()), 1000);
  }

 private:
  void add_one(const std::string& contender, const std::string& workload, const Words& command,
               const std::string& in, double jobs, int repetitions) {
    const auto out = scratch_.file("out");
    comparison_.add({contender, workload,
                     [=] {
                       Usage usage;
                       const double seconds = seconds_of([&] { usage = run(command, in, out); });
                       return Outcome{
                           {{"jobs_per_s", "1/s", jobs / seconds},
                            {"own_processor_time_per_job", "us", 1e6 * usage.processor_s / jobs},
                            {"peak_memory", "MB", usage.peak_mb}},
                           answer_of(out)};
                     },
                     repetitions});
  }

  Comparison& comparison_;
  Scratch scratch_;
};

}  // namespace
}  // namespace artel::bench

int main(int argc, char** argv) {
  using namespace artel::bench;
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 3 && words[0] == "bare") {
    bare_spawn(std::stoul(words[1]), words[2], lines_of(std::cin));
    return 0;
  }
  Comparison comparison("map_cli", argc, argv);
  Suite suite(comparison);
  const bool smoke = comparison.smoke();
  std::vector<std::string> numbers;
  for (std::size_t i = 0; i < (smoke ? 20U : 10'000U); ++i) numbers.push_back(std::to_string(i));
  suite.add("true/10000", "/bin/true", numbers, 1);
  suite.add_fd("true/10000", "/bin/true", numbers);
  suite.add("sha256sum/1000", "sha256sum", header_files(smoke ? 20 : 1'000), 3);
  return comparison.run();
}
