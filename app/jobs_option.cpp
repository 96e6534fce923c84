#include "app/jobs_option.hpp"

namespace artel::app {

void add_jobs_option(CLI::App& command, unsigned& jobs) {
  command.add_option("-j,--jobs", jobs, "Threads; results do not depend on it")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
}

}  // namespace artel::app
