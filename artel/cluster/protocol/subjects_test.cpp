#include "artel/cluster/protocol/subjects.hpp"
#include "artel/cluster/protocol/task_key.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace artel::cluster {
namespace {

TEST(Subjects, NameAChunkAndAreReadBack) {
  const Subjects subjects("crew");
  const ChunkAddress chunk{"j1", 42};
  EXPECT_EQ(subjects.task("S_9", chunk), "mr.crew.t.s.S_9.j1.42");
  EXPECT_EQ(subjects.chunk_of(subjects.task("S_9", chunk)), chunk);
  EXPECT_EQ(subjects.chunk_of(subjects.dead_letter(chunk)), chunk);
}

TEST(Subjects, OtherSubjectsNameNoChunk) {
  const Subjects subjects("crew");
  for (const auto* text :
       {"mr.crew.t.s.S.j1", "mr.crew.t.s.S..1", "mr.crew.t.s.S.j1.x", "mr.crew.hb.w1",
        "mr.other.t.s.S.j1.1", "mr.crew.t.s.S.j1.1.1", "mr.crew.t.s.", ""}) {
    EXPECT_EQ(subjects.chunk_of(text), std::nullopt) << text;
  }
}

TEST(Subjects, AQueueIsForThoseWhoKnowTheSameTasks) {
  const TaskKey one{"f", 1, 7};
  const std::string queue = Subjects::queue_of(one, {});
  EXPECT_EQ(queue, Subjects::queue_of(one, {}));
  EXPECT_EQ(queue.size(), 14);
  EXPECT_NE(queue, Subjects::queue_of({}, one));
  EXPECT_NE(queue, Subjects::queue_of(TaskKey{"f", 2, 7}, {}));
  EXPECT_NE(queue, Subjects::queue_of(TaskKey{"f", 1, 8}, {}));
  EXPECT_NE(queue, Subjects::queue_of(one, {}, {"gpu"}));
  EXPECT_EQ(Subjects::queue_of(one, {}, {"gpu", "big"}),
            Subjects::queue_of(one, {}, {"big", "gpu"}));
}

}  // namespace
}  // namespace artel::cluster
