#include "tests/simgrid/simgrid_run.hpp"

#include <simgrid/forward.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Comm.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Host.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/core/require.hpp"
#include "tests/simgrid/workload.hpp"

namespace artel::sim::simgrid_check {
namespace {

namespace s4u = simgrid::s4u;

using Numbers = std::vector<double>;

/// Where a run leaves its numbers, one for each part of a plan.
class Report {
 public:
  Report(std::size_t count, int channel) : numbers_(count), channel_(channel) {}
  [[nodiscard]] double& at(std::size_t number) { return numbers_[number]; }
  /// Ends the program, the engine in whatever state.
  [[noreturn]] void send() const {
    const auto bytes = numbers_.size() * sizeof(double);
    const bool told = write(channel_, numbers_.data(), bytes) == static_cast<ssize_t>(bytes);
    _exit(told ? 0 : 1);
  }

 private:
  Numbers numbers_;
  int channel_;
};

// Runs the body in a program of its own, and gives back the numbers that it leaves.
Numbers run_apart(std::size_t count, const std::function<void(Report&)>& body) {
  int channel[2];
  ARTEL_REQUIRE(pipe(channel) == 0, "no pipe for a run of SimGrid");
  const pid_t child = fork();
  ARTEL_REQUIRE(child >= 0, "no process for a run of SimGrid");
  if (child == 0) {
    try {
      Report report(count, channel[1]);
      body(report);
      report.send();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "SimGrid: %s\n", error.what());
      _exit(2);
    }
  }
  close(channel[1]);
  Numbers numbers;
  double number = 0;
  while (read(channel[0], &number, sizeof number) == sizeof number) numbers.push_back(number);
  close(channel[0]);
  int status = 0;
  waitpid(child, &status, 0);
  ARTEL_REQUIRE(numbers.size() == count && status == 0, "a run of SimGrid failed", status,
                numbers.size(), count);
  return numbers;
}

// SimGrid reads files only.
class PlatformFile {
 public:
  explicit PlatformFile(const std::string& xml)
      : path_(std::filesystem::temp_directory_path() /
              ("artel-simgrid-" + std::to_string(getpid()) + ".xml")) {
    std::ofstream(path_) << xml;
  }
  ~PlatformFile() { std::filesystem::remove(path_); }
  PlatformFile(const PlatformFile&) = delete;
  PlatformFile& operator=(const PlatformFile&) = delete;
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

constexpr std::string_view kLazy = "Lazy";  // the default
constexpr std::string_view kFull = "Full";

void run_engine(const std::string& xml, std::string_view optim,
                const std::function<void()>& spawn) {
  std::array<std::string, 6> arguments = {"simgrid",
                                          "--cfg=network/model:CM02",
                                          "--cfg=network/TCP-gamma:0",
                                          "--cfg=network/crosstraffic:0",
                                          "--cfg=network/optim:" + std::string(optim),
                                          "--log=root.thresh:critical"};
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(arguments.size());
  s4u::Engine engine(&argc, argv.data());
  {
    const PlatformFile file(xml);
    engine.load_platform(file.path());
  }
  spawn();
  engine.run();
}

void at(Duration start, s4u::Host* host, const std::function<void()>& body) {
  s4u::Actor::create("actor", host, [start, body] {
    s4u::this_actor::sleep_until(to_seconds(start));
    body();
  });
}

}  // namespace

Numbers simgrid_ends(const std::string& xml, const std::vector<TransferPlan>& plan) {
  return run_apart(plan.size(), [&](Report& report) {
    run_engine(xml, kLazy, [&] {
      for (std::size_t i = 0; i < plan.size(); ++i) {
        s4u::Host* const from = s4u::Host::by_name(plan[i].from);
        s4u::Host* const to = s4u::Host::by_name(plan[i].to);
        at(plan[i].start, from, [&, i, from, to] {
          s4u::Comm::sendto(from, to, plan[i].bytes);
          report.at(i) = s4u::Engine::get_clock();
        });
      }
    });
  });
}

Numbers simgrid_rates(const std::string& xml, const std::vector<TransferPlan>& plan, Duration first,
                      Duration second) {
  return run_apart(plan.size(), [&](Report& report) {
    std::vector<s4u::CommPtr> transfers(plan.size());
    run_engine(xml, kFull, [&] {
      for (std::size_t i = 0; i < plan.size(); ++i) {
        s4u::Host* const from = s4u::Host::by_name(plan[i].from);
        s4u::Host* const to = s4u::Host::by_name(plan[i].to);
        at(plan[i].start, from, [&, i, from, to] {
          transfers[i] = s4u::Comm::sendto_async(from, to, plan[i].bytes);
          transfers[i]->wait();
        });
      }
      at(first, s4u::Host::by_name(plan[0].from), [&] {
        for (std::size_t i = 0; i < plan.size(); ++i) report.at(i) = transfers[i]->get_remaining();
        s4u::this_actor::sleep_until(to_seconds(second));
        for (std::size_t i = 0; i < plan.size(); ++i) {
          report.at(i) =
              (report.at(i) - transfers[i]->get_remaining()) / to_seconds(second - first);
        }
        report.send();
      });
    });
  });
}

Numbers simgrid_ends(const std::string& xml, const std::vector<ExecutionPlan>& plan) {
  return run_apart(plan.size(), [&](Report& report) {
    run_engine(xml, kLazy, [&] {
      for (std::size_t i = 0; i < plan.size(); ++i) {
        at(plan[i].start, s4u::Host::by_name(plan[i].host), [&, i] {
          s4u::this_actor::execute(plan[i].flops);
          report.at(i) = s4u::Engine::get_clock();
        });
      }
    });
  });
}

}  // namespace artel::sim::simgrid_check
