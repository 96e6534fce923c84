#include "artel/cluster/subjects.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace artel::cluster {
namespace {

TEST(Subjects, NameAChunkAndAreReadBack) {
  const Subjects subjects("crew");
  const ChunkAddress chunk{"j1", 42};
  EXPECT_EQ(subjects.task(chunk), "mr.crew.t.s.j1.42");
  EXPECT_EQ(subjects.chunk_of(subjects.task(chunk)), chunk);
  EXPECT_EQ(subjects.chunk_of(subjects.dead_letter(chunk)), chunk);
}

TEST(Subjects, OtherSubjectsNameNoChunk) {
  const Subjects subjects("crew");
  for (const auto* text : {"mr.crew.t.s.j1", "mr.crew.t.s..1", "mr.crew.t.s.j1.x", "mr.crew.hb.w1",
                           "mr.other.t.s.j1.1", "mr.crew.t.s.j1.1.1", ""}) {
    EXPECT_EQ(subjects.chunk_of(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace artel::cluster
