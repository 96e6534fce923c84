#include "artel/cluster/message_seal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "artel/cluster/secret.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::cluster {
namespace {

using testing::HasSubstr;

class Seal : public testing::Test {
 protected:
  std::filesystem::path file(std::string_view name, std::string_view text) {
    auto path = folder_.path() / name;
    std::ofstream(path) << text;
    return path;
  }
  // With a key of its own, whose public half is in `name`.pub.
  MessageSeal signer(const std::string& name, std::string_view pool = "p") {
    const Secret seed = make_seed().value();
    const auto key = file(name, seed.reveal() + "\n");
    file(name + ".pub", public_key_of(seed).value() + " # " + name + "\n");
    return MessageSeal::open({.key = key}, pool).value();
  }
  MessageSeal checker(const std::string& name, std::string_view pool = "p") {
    return MessageSeal::open({.trusted = folder_.path() / (name + ".pub")}, pool).value();
  }
  static std::string refusal(const MessageSeal& seal, std::string_view bytes) {
    const auto opened = seal.open(SealedKind::order, bytes);
    return opened ? "taken" : opened.error().what;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(Seal, WhatSomebodyTrustedHasSignedIsTaken) {
  const MessageSeal ann = signer("ann");
  const std::string sealed = ann.close(SealedKind::order, "work");
  EXPECT_EQ(sealed.size(), 4 + MessageSeal::kOverhead);
  EXPECT_EQ(checker("ann").open(SealedKind::order, sealed).value(), "work");
  EXPECT_EQ(MessageSeal::content(sealed), "work");
  const MessageSeal trusting;
  EXPECT_EQ(trusting.open(SealedKind::order, sealed).value(), "work");
  EXPECT_EQ(trusting.close(SealedKind::order, "work"), "work");
}

TEST_F(Seal, AllElseIsForged) {
  const MessageSeal ann = signer("ann");
  const MessageSeal bob = signer("bob");
  const MessageSeal checks = checker("ann");
  const std::string sealed = ann.close(SealedKind::order, "work");
  EXPECT_THAT(refusal(checks, "work"), HasSubstr("not signed"));
  EXPECT_THAT(refusal(checks, ""), HasSubstr("not signed"));
  EXPECT_THAT(refusal(checks, sealed.substr(0, 20)), HasSubstr("not signed"));
  EXPECT_THAT(refusal(checks, bob.close(SealedKind::order, "work")), HasSubstr("not trusted"));
  EXPECT_THAT(refusal(checks, ann.close(SealedKind::result, "work")), HasSubstr("something else"));
  EXPECT_THAT(refusal(checker("ann", "other pool"), sealed), HasSubstr("something else"));
  for (std::size_t i = 1 + 32; i < sealed.size(); ++i) {  // every byte counts
    std::string changed = sealed;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_THAT(refusal(checks, changed), HasSubstr("something else")) << i;
  }
}

TEST_F(Seal, KeysAreReadAndRefusedByLine) {
  static_cast<void>(signer("ann"));
  const std::string ann = public_key_of(make_seed().value()).value();
  const auto two = file("two", "# ours\n\n" + ann + " ann@here\n" + ann + "\r\n");
  EXPECT_TRUE(MessageSeal::open({.trusted = two}, "p").value().demands());
  const auto bad = MessageSeal::open({.trusted = file("bad", ann + "\nU\n")}, "p");
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().where, HasSubstr("bad:2"));
  EXPECT_FALSE(MessageSeal::open({.trusted = file("empty", "# nobody\n")}, "p"));
  EXPECT_FALSE(MessageSeal::open({.key = file("no key", "secret\n")}, "p"));
  EXPECT_FALSE(MessageSeal::open({.key = "/not/there"}, "p"));
}

// A worker's key is trusted for results, and is worth nothing under an order.
TEST_F(Seal, OrdersAreOfMastersAlone) {
  const MessageSeal ann = signer("ann");
  const MessageSeal worker = signer("worker");
  const std::string keys = file("keys", "").parent_path().string() + "/";
  const auto checks =
      MessageSeal::open({.trusted = keys + "worker.pub", .masters = keys + "ann.pub"}, "p").value();
  for (const auto kind : {SealedKind::order, SealedKind::call, SealedKind::beacon}) {
    EXPECT_TRUE(checks.open(kind, ann.close(kind, "work")));
    EXPECT_FALSE(checks.open(kind, worker.close(kind, "work")));
    EXPECT_FALSE(checks.open(kind, "work"));
  }
  for (const auto kind :
       {SealedKind::result, SealedKind::report, SealedKind::piece, SealedKind::answer}) {
    EXPECT_TRUE(checks.open(kind, worker.close(kind, "done")));
    EXPECT_FALSE(checks.open(kind, ann.close(kind, "done")));
  }
  for (const MessageSeal* of : {&ann, &worker})
    EXPECT_TRUE(checks.open(SealedKind::letter, of->close(SealedKind::letter, "dead")));
  EXPECT_FALSE(checks.open(SealedKind::letter, "dead"));
}

TEST_F(Seal, OnesOwnSignatureIsKnown) {
  const MessageSeal ann = signer("ann");
  const std::string sealed = ann.close(SealedKind::order, "work");
  EXPECT_TRUE(ann.is_ours(SealedKind::order, sealed));
  EXPECT_FALSE(ann.is_ours(SealedKind::result, sealed));
  EXPECT_FALSE(ann.is_ours(SealedKind::order, "work"));
  EXPECT_FALSE(ann.is_ours(SealedKind::order, sealed + "x"));
  EXPECT_FALSE(signer("bob").is_ours(SealedKind::order, sealed));
  EXPECT_FALSE(MessageSeal().is_ours(SealedKind::order, sealed));
}

TEST_F(Seal, NewSeedsDiffer) {
  EXPECT_NE(make_seed().value().reveal(), make_seed().value().reveal());
}

}  // namespace
}  // namespace artel::cluster
