#include "artel/command/output_journal.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/command/output_files.hpp"
#include "artel/core/error.hpp"
#include "artel/file/open_file.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::command {
namespace {

using Part = OutputJournal::Part;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

struct TextsOfJob {
  std::string line;
  std::string out;
  std::string err;
  bool operator==(const TextsOfJob&) const = default;
};

class OutputJournalTest : public testing::Test {
 protected:
  OutputJournalTest() : log_(folder_.path() / "log") { std::ofstream(log_) << "titles\n"; }

  // As a run begins that resumes; `dropped`: a job that it does not keep.
  std::unique_ptr<OutputJournal> reopen(std::uint64_t dropped = 0) {
    auto journal = *OutputJournal::open(log_, files(), OutputJournal::Access::own);
    earlier_.clear();
    const auto read = journal->read_earlier([&](std::uint64_t job, const std::string& line) {
      earlier_.emplace_back(job, line);
      return Result<bool>(job != dropped);
    });
    EXPECT_TRUE(read) << to_string(read.error());
    return journal;
  }
  static std::uint64_t add(OutputJournal& journal, std::uint64_t job, const TextsOfJob& texts) {
    journal.begin(job);
    EXPECT_TRUE(journal.append(Part::line, texts.line));
    EXPECT_TRUE(journal.append(Part::out, texts.out));
    EXPECT_TRUE(journal.append(Part::err, texts.err));
    return *journal.commit();
  }
  static std::string all(const OutputJournal& journal, OutputJournal::Text text) {
    std::string whole;
    for (std::string piece; text.bytes > 0; whole += piece) {
      EXPECT_TRUE(journal.read(text, piece));
    }
    return whole;
  }
  static TextsOfJob texts(OutputJournal& journal, std::uint64_t record) {
    const auto found = *journal.begin_printing(record);
    return {all(journal, found.line), all(journal, found.out), all(journal, found.err)};
  }
  // As shells open files for >>.
  [[nodiscard]] OutputFiles files() {
    out_ = file::OpenFile(::open((folder_.path() / out_name_).c_str(),
                                 O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    err_ = file::OpenFile(::open((folder_.path() / err_name_).c_str(),
                                 O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    return {.out = out_.get(), .err = err_.get()};
  }
  static void write(const file::OpenFile& file, std::string_view text) {
    EXPECT_EQ(::write(file.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  [[nodiscard]] std::string path() const { return log_.string() + ".unprinted"; }

  TemporaryFolder folder_;
  std::filesystem::path log_;
  std::string out_name_ = "out";
  std::string err_name_ = "err";
  file::OpenFile out_;
  file::OpenFile err_;
  std::vector<std::pair<std::uint64_t, std::string>> earlier_;
};

TEST_F(OutputJournalTest, KeepsWhatIsNotDroppedForTheNextRun) {
  const TextsOfJob big{"line 2\n", std::string(300'000, 'o'), std::string(70'000, 'e')};
  {
    auto journal = reopen();
    const auto first = add(*journal, 1, {"line 1\n", "one", ""});
    add(*journal, 2, big);
    add(*journal, 3, {"line 3\n", "", "three"});
    EXPECT_TRUE(journal->drop(first));
    EXPECT_EQ(journal->records(), 2);
  }
  auto journal = reopen();
  EXPECT_THAT(earlier_, ElementsAre(Pair(2, "line 2\n"), Pair(3, "line 3\n")));
  EXPECT_FALSE(journal->take_earlier(1));
  const auto second = journal->take_earlier(2).value_or(0);
  EXPECT_EQ(texts(*journal, second), big);
  EXPECT_FALSE(journal->take_earlier(2)) << "once";
  EXPECT_TRUE(journal->drop(second));
  const auto third = journal->take_earlier(3).value_or(0);
  EXPECT_EQ(texts(*journal, third), (TextsOfJob{"line 3\n", "", "three"}));
  EXPECT_TRUE(journal->drop(third));
  journal.reset();
  EXPECT_FALSE(std::filesystem::exists(path())) << "nothing is left";
}

TEST_F(OutputJournalTest, WhatTheNextRunDoesNotKeepIsGone) {
  add(*reopen(), 1, {"line 1\n", "", ""});
  reopen(1).reset();
  reopen();
  EXPECT_THAT(earlier_, IsEmpty());
}

TEST_F(OutputJournalTest, ARecordThatWasCutIsNone) {
  const TextsOfJob first{"line 1\n", "one", ""};
  {
    auto journal = reopen();
    add(*journal, 1, first);
    journal->begin(2);  // and dies before commit()
    EXPECT_TRUE(journal->append(Part::line, "line 2\n"));
    EXPECT_TRUE(journal->append(Part::out, std::string(200'000, 'x')));
  }
  auto journal = reopen();
  EXPECT_THAT(earlier_, ElementsAre(Pair(1, "line 1\n")));
  const auto third = add(*journal, 3, {"line 3\n", "3", ""});
  EXPECT_EQ(texts(*journal, third), (TextsOfJob{"line 3\n", "3", ""}));
  EXPECT_EQ(texts(*journal, journal->take_earlier(1).value_or(0)), first);
}

TEST_F(OutputJournalTest, NothingOfAnEarlierRecordIsTakenForALaterOne) {
  {
    auto journal = reopen();
    const auto first = add(*journal, 1, {"line 1\n", std::string(100'000, '\1'), ""});
    const auto second = add(*journal, 2, {"line 2\n", std::string(1000, '\1'), ""});
    EXPECT_TRUE(journal->drop(first));
    EXPECT_TRUE(journal->drop(second));
    add(*journal, 3, {"line 3\n", "", ""});  // over the first
  }
  reopen();
  EXPECT_THAT(earlier_, ElementsAre(Pair(3, "line 3\n")));
}

TEST_F(OutputJournalTest, PrintsOnlyTheRestOfWhatTheFileHas) {
  const TextsOfJob first{"line 1\n", std::string(150'000, 'a') + "end", "err"};
  for (const std::size_t printed :
       {std::size_t{0}, std::size_t{1}, std::size_t{149'999}, first.out.size()}) {
    {
      auto journal = reopen();
      write(out_, "before");
      const auto record = add(*journal, 1, first);
      EXPECT_TRUE(journal->begin_printing(record));
      write(out_, first.out.substr(0, printed));
    }
    auto journal = reopen();
    const auto begun = journal->take_begun();
    EXPECT_EQ(begun.has_value(), printed > 0);
    const auto record = begun ? *begun : journal->take_earlier(1).value_or(0);
    EXPECT_EQ(texts(*journal, record), (TextsOfJob{first.line, first.out.substr(printed), "err"}));
    EXPECT_TRUE(journal->drop(record));
  }
}

TEST_F(OutputJournalTest, StdoutAndStderrMayBeOneFile) {
  err_name_ = out_name_;
  {
    auto journal = reopen();
    const auto record = add(*journal, 1, {"line 1\n", "out", "err"});
    EXPECT_TRUE(journal->begin_printing(record));
    write(out_, "oute");
  }
  auto journal = reopen();
  EXPECT_EQ(texts(*journal, journal->take_begun().value_or(0)), (TextsOfJob{"line 1\n", "", "rr"}));
}

TEST_F(OutputJournalTest, PrintsAllWhereTheFileHasSomethingElse) {
  for (const bool other_file : {false, true}) {
    {
      auto journal = reopen();
      const auto record = add(*journal, 1, {"line 1\n", "output", ""});
      EXPECT_TRUE(journal->begin_printing(record));
      write(out_, other_file ? "out" : "oux");
    }
    if (other_file) out_name_ = "another";
    auto journal = reopen();
    EXPECT_FALSE(journal->take_begun());
    const auto record = journal->take_earlier(1).value_or(0);
    EXPECT_EQ(texts(*journal, record).out, "output");
    EXPECT_TRUE(journal->drop(record));
  }
}

TEST_F(OutputJournalTest, TheSamePlaceWithAnotherJobWasNotBegun) {
  {
    auto journal = reopen();
    const auto first = add(*journal, 1, {"line 1\n", "ok\n", ""});
    EXPECT_TRUE(journal->begin_printing(first));
    write(out_, "ok\n");
    EXPECT_TRUE(journal->drop(first));
    EXPECT_EQ(add(*journal, 2, {"line 2\n", "ok\n", ""}), first);
  }
  auto journal = reopen();
  EXPECT_FALSE(journal->take_begun());
  EXPECT_EQ(texts(*journal, journal->take_earlier(2).value_or(0)).out, "ok\n");
}

TEST_F(OutputJournalTest, GivesBackTheSpaceOfWhatIsPrinted) {
  auto journal = reopen();
  std::uint64_t before = add(*journal, 1, {"line\n", std::string(100'000, 'x'), ""});
  for (std::uint64_t job = 2; job < 100; ++job) {  // never empty
    const auto record = add(*journal, job, {"line\n", std::string(100'000, 'x'), ""});
    EXPECT_TRUE(journal->drop(before));
    before = record;
  }
  EXPECT_LT(journal->bytes(), 2'000'000);
  struct stat status{};
  ASSERT_EQ(::stat(path().c_str(), &status), 0);
  EXPECT_LT(status.st_blocks * 512, 3'000'000);
  journal.reset();
  reopen();
  EXPECT_THAT(earlier_, ElementsAre(Pair(99, "line\n")));
}

TEST_F(OutputJournalTest, ALogThatIsNoFileHasNone) {
  EXPECT_EQ(*OutputJournal::open("/dev/null", {}, OutputJournal::Access::own), nullptr);
}

}  // namespace
}  // namespace artel::command
