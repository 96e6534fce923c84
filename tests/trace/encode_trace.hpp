#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/trace/task_block.hpp"
#include "artel/trace/task_trace.hpp"

namespace artel::trace {

/// The same bytes as a file of a recording of these tasks has, in memory.
inline std::vector<std::byte> encode_trace(const TaskTrace& trace) {
  const auto prologue = trace_prologue();
  std::vector<std::byte> bytes(prologue.begin(), prologue.end());
  const auto settings = header_block(trace.header);
  bytes.insert(bytes.end(), settings.begin(), settings.end());
  const auto tasks = std::make_unique<TaskBlock>();
  std::vector<std::uint16_t> classes;  // of these
  const auto seal = [&] {
    if (tasks->empty()) return;
    const auto sealed = tasks->sealed(trace.dropped);
    bytes.insert(bytes.end(), sealed.begin(), sealed.end());
    const auto patience = tasks->sealed_patience();
    bytes.insert(bytes.end(), patience.begin(), patience.end());
    if (!trace.header.classes.empty()) {
      const auto block = classes_block(sealed, classes);
      bytes.insert(bytes.end(), block.begin(), block.end());
      classes.clear();
    }
    tasks->clear();
  };
  Instant end = trace.header.started;
  for (const TaskRecord& task : trace.tasks) {
    if (tasks->full()) seal();
    tasks->add(task);
    classes.push_back(task.task_class);
    end = std::max(end, task.finished);
  }
  seal();
  if (!trace.sizes.empty()) {
    const auto sizes = sizes_block(trace.sizes);
    bytes.insert(bytes.end(), sizes.begin(), sizes.end());
  }
  if (trace.complete) {
    const auto last = end_block(end, trace.dropped);
    bytes.insert(bytes.end(), last.begin(), last.end());
  }
  return bytes;
}

}  // namespace artel::trace
