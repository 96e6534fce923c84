#include "artel/cluster/detail/chunk_feed.hpp"

#include <exception>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/pool/future.hpp"

namespace artel::cluster::detail {

std::exception_ptr task_error(Error error) {
  return std::make_exception_ptr(pool::TaskError(std::move(error)));
}

}  // namespace artel::cluster::detail
