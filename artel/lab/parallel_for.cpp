#include "artel/lab/parallel_for.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <stop_token>
#include <thread>
#include <vector>

namespace artel::lab {

void parallel_for(std::size_t count, unsigned threads, const std::stop_token& stop,
                  const std::function<void(std::size_t)>& body) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (auto i = next++; i < count && !stop.stop_requested(); i = next++) body(i);
  };
  std::vector<std::jthread> crew;
  for (std::size_t t = 1; t < std::min<std::size_t>(threads, count); ++t) crew.emplace_back(work);
  work();
}

}  // namespace artel::lab
