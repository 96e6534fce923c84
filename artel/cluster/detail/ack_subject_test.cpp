#include "artel/cluster/detail/ack_subject.hpp"

#include <gtest/gtest.h>

namespace artel::cluster::detail {
namespace {

TEST(AckSubject, NamesTheConsumerAndTheDelivery) {
  const AckSubject plain = read_ack_subject("$JS.ACK.MR_p.S_1a.3.17.5.1690000000.0");
  EXPECT_EQ(plain.consumer, "S_1a");
  EXPECT_EQ(plain.delivery, 3);
  const AckSubject domain = read_ack_subject("$JS.ACK.hub.hash.MR_p.w_a-1.2.17.5.1690000000.0.tok");
  EXPECT_EQ(domain.consumer, "w_a-1");
  EXPECT_EQ(domain.delivery, 2);
}

TEST(AckSubject, OfAnythingElseIsTheFirstDelivery) {
  for (const auto* text : {"", "x", "$JS.ACK.MR_p", "$JS.ACK.MR_p.S.x.1.1.1.1"}) {
    EXPECT_EQ(read_ack_subject(text).delivery, 1) << text;
  }
}

}  // namespace
}  // namespace artel::cluster::detail
