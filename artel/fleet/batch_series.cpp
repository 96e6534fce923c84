#include "artel/fleet/batch_series.hpp"
#include <cstddef>

namespace artel::fleet {

void BatchSeries::close_batch() {
  means_.push_back(sum_ / static_cast<double>(batch_size_));
  sum_ = 0;
  filled_ = 0;
  if (means_.size() < kBatchesMax) return;
  for (std::size_t i = 0; i < kBatchesMax / 2; ++i) {
    means_[i] = (means_[2 * i] + means_[2 * i + 1]) / 2;
  }
  means_.resize(kBatchesMax / 2);
  batch_size_ *= 2;
}

}  // namespace artel::fleet
