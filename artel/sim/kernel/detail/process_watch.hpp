#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace artel::sim::detail {

struct Core;
class ProcessState;

/// Tells log and trace what processes do. Exists only while somebody wants to know.
class ProcessWatch {
 public:
  explicit ProcessWatch(Core& core) : core_(&core) {}

  void spawned(const ProcessState& process);
  void resumes(const ProcessState& process);  // is about to run
  void ran(const ProcessState& process);      // and now waits, or has come to its end
  void ended(const ProcessState& process);    // its status says how

 private:
  [[nodiscard]] std::uint32_t number_of(const ProcessState& process);
  void log(const ProcessState& process, std::string_view text);

  Core* core_;
  std::unordered_map<const ProcessState*, std::uint32_t> numbers_;  // of those that run
  std::uint32_t last_number_ = 0;
};

}  // namespace artel::sim::detail
