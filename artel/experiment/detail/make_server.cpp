#include "artel/experiment/detail/make_server.hpp"

#include <memory>

#include "artel/core/instant.hpp"
#include "artel/experiment/detail/batch_server.hpp"
#include "artel/experiment/detail/las_server.hpp"
#include "artel/experiment/detail/server.hpp"
#include "artel/experiment/detail/sharing_server.hpp"
#include "artel/experiment/detail/slot_server.hpp"
#include "artel/experiment/detail/step_server.hpp"
#include "artel/random/stream.hpp"
#include "artel/scenario/worker_settings.hpp"

namespace artel::experiment::detail {

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

}  // namespace artel::experiment::detail
