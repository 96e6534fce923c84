#include "artel/pool/detail/job_ring.hpp"

#include "artel/sync/std_atomics.hpp"

namespace artel::pool::detail {

template class BasicJobRing<sync::StdAtomics>;

}  // namespace artel::pool::detail
