#pragma once

#include "python/sim/objects.hpp"

namespace artel::python {

/// A request waits for its turn. False: its priority cannot be compared, an exception is set.
bool enqueue(Resource& resource, Request& request);
/// The first that waits begins if there is room, or takes another's place. False: an exception is
/// set.
bool grant_first(Resource& resource);
/// Gives a place back.
void release(Resource& resource, Request& request);
/// Gives up waiting; nothing if the place was had.
void cancel(Request& request);

}  // namespace artel::python
