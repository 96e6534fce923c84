#pragma once

#include <initializer_list>
#include <simgrid/s4u/Engine.hpp>
#include <string>
#include <vector>

namespace artel::bench {

/// SimGrid's engine with settings as its command line has them: "network/model:CM02". Once per
/// process: see in_own_process.
class SimGridEngine {
 public:
  SimGridEngine(std::initializer_list<std::string> settings)
      : arguments_(arguments(settings)),
        argv_(pointers(arguments_)),
        argc_(static_cast<int>(arguments_.size())),
        engine_(&argc_, argv_.data()) {}

  void run() { engine_.run(); }

 private:
  static std::vector<std::string> arguments(std::initializer_list<std::string> settings) {
    std::vector<std::string> made = {"bench", "--log=root.thresh:critical"};
    for (const std::string& setting : settings) made.push_back("--cfg=" + setting);
    return made;
  }
  static std::vector<char*> pointers(std::vector<std::string>& arguments) {
    std::vector<char*> made;
    for (std::string& argument : arguments) made.push_back(argument.data());
    made.push_back(nullptr);
    return made;
  }

  std::vector<std::string> arguments_;
  std::vector<char*> argv_;
  int argc_;
  simgrid::s4u::Engine engine_;
};

}  // namespace artel::bench
