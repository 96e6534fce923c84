#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace artel::fleet {

/// A series of numbers of any length as at most kBatchesMax means over equally many consecutive
/// values, so that memory does not grow with the run: whenever it is full, neighbours are joined
/// and the batches become twice as long. Threads: one at a time. Cost: O(1); 16 KiB.
class BatchSeries {
 public:
  static constexpr std::size_t kBatchesMax = 2048;

  /// The next number of the series.
  void add(double value) {
    sum_ += value;
    if (++filled_ == batch_size_) close_batch();
  }

  /// Means of the complete batches, in order.
  [[nodiscard]] const std::vector<double>& means() const { return means_; }
  /// Values per mean.
  [[nodiscard]] std::uint64_t batch_size() const { return batch_size_; }

 private:
  void close_batch();

  std::vector<double> means_;
  std::uint64_t batch_size_ = 1;
  std::uint64_t filled_ = 0;
  double sum_ = 0;
};

}  // namespace artel::fleet
