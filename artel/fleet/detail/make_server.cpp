#include "artel/fleet/detail/make_server.hpp"

#include <memory>

#include "artel/core/instant.hpp"
#include "artel/fleet/detail/batch_server.hpp"
#include "artel/fleet/detail/las_server.hpp"
#include "artel/fleet/detail/server.hpp"
#include "artel/fleet/detail/sharing_server.hpp"
#include "artel/fleet/detail/slot_server.hpp"
#include "artel/fleet/detail/step_server.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::fleet::detail {

std::unique_ptr<Server> make_server(const scenario::WorkerSettings& settings,
                                    const random::Stream& dice) {
  if (settings.batch && settings.batch->step > Duration::zero())
    return std::make_unique<StepServer>(*settings.batch, dice);
  if (settings.batch) return std::make_unique<BatchServer>(*settings.batch, dice);
  switch (settings.discipline) {
    case scenario::Discipline::ps:
      return std::make_unique<SharingServer>(settings.total_speed);
    case scenario::Discipline::las:
      return std::make_unique<LasServer>();
    default:
      return std::make_unique<SlotServer>(SlotServer::Options{
          .discipline = settings.discipline,
          .interrupts = settings.preemptive || settings.discipline == scenario::Discipline::srpt,
          .slots = settings.slots});
  }
}

}  // namespace artel::fleet::detail
