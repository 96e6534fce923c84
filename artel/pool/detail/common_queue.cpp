#include "artel/pool/detail/common_queue.hpp"

#include "artel/sync/std_atomics.hpp"

namespace artel::pool::detail {

template class BasicCommonQueue<sync::StdAtomics>;

}  // namespace artel::pool::detail
