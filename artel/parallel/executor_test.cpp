// An executor that sends chunks away and gets results back in whatever order.
#include "artel/parallel/executor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <latch>
#include <memory>
#include <mutex>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/parallel/lazy_map.hpp"
#include "artel/parallel/map.hpp"
#include "artel/parallel/map_options.hpp"
#include "artel/parallel/progress.hpp"
#include "artel/pool/task_error.hpp"
#include "tests/parallel/generated.hpp"

namespace artel::parallel {
namespace {

// What a worker elsewhere would do: it knows the function by name.
int negated(int x) { return -x; }
constexpr int kCannotTravel = 7'777;

// Work that has been sent away, or will be.
class Parcel {
 public:
  Parcel() = default;
  Parcel(const Parcel&) = delete;
  Parcel& operator=(const Parcel&) = delete;
  virtual ~Parcel() = default;
  virtual bool take() = 0;
  virtual void finish() = 0;
  virtual void fail(std::exception_ptr error) = 0;
};

template <class Grant>
class GrantParcel final : public Parcel {
 public:
  explicit GrantParcel(Grant grant) : grant_(std::move(grant)) {}
  bool take() override {
    items_.clear();
    chunk_ = grant_.take([&](auto& chunk, const auto& /*body*/) {
      for (std::size_t i = 0; i < chunk.items.size(); ++i) {
        if (chunk.items.get(i) == kCannotTravel) throw std::invalid_argument("too large to send");
        items_.push_back(chunk.items.get(i));
      }
    });
    return chunk_.has_value();
  }
  // NOLINTBEGIN(bugprone-unchecked-optional-access): after take()
  void finish() override {
    typename Grant::Output output;
    for (const int item : items_) output.push_back(negated(item));
    grant_.finish(*chunk_, std::move(output), {});
  }
  void fail(std::exception_ptr error) override { grant_.finish(*chunk_, {}, {}, std::move(error)); }
  // NOLINTEND(bugprone-unchecked-optional-access)

 private:
  Grant grant_;
  std::optional<typename Grant::Chunk> chunk_;
  std::vector<int> items_;
};

// Keeps grants until the test uses them.
class Mailbox {
 public:
  static constexpr bool kLocal = false;

  explicit Mailbox(std::size_t width) : width_(width) {}
  [[nodiscard]] std::size_t width() const { return width_; }
  void set_width(std::size_t width) { width_ = width; }

  template <class Grant>
  bool start(Grant grant) {
    if constexpr (requires { typename Grant::Chunk; }) {
      const std::lock_guard guard(lock_);
      if (closed_) return false;
      parcels_.push_back(std::make_unique<GrantParcel<Grant>>(std::move(grant)));
      came_.notify_all();
    }
    return true;
  }

  std::vector<std::unique_ptr<Parcel>> wait_for(std::size_t count) {
    std::unique_lock guard(lock_);
    came_.wait(guard, [&] { return parcels_.size() >= count; });
    return std::exchange(parcels_, {});
  }
  void close() {
    const std::lock_guard guard(lock_);
    closed_ = true;
  }

  void ended(const void* /*run*/) { ++runs_ended_; }
  [[nodiscard]] int runs_ended() const { return runs_ended_; }

 private:
  std::atomic<std::size_t> width_;
  std::mutex lock_;
  std::condition_variable came_;
  std::vector<std::unique_ptr<Parcel>> parcels_;
  bool closed_ = false;
  std::atomic<int> runs_ended_ = 0;
};

static_assert(Executor<Mailbox>);

TEST(RemoteExecutor, ResultsAreInOrderWhateverOrderTheyCameIn) {
  for (const Start start : {Start::distribute, Start::empty}) {
    Mailbox mailbox(3);
    std::vector<int> results;
    std::thread caller([&] {
      results = map(mailbox, std::views::iota(0, 30) | std::views::filter([](int) { return true; }),
                    negated, {.chunk = 2, .start = start});
    });
    auto parcels = mailbox.wait_for(3);
    ASSERT_EQ(parcels.size(), 3);
    std::vector<bool> has(3);
    for (bool more = true; more;) {
      for (std::size_t i = 0; i < 3; ++i) has[i] = parcels[i]->take();
      for (std::size_t i = 3; i-- > 0;) {
        if (has[i]) parcels[i]->finish();
      }
      more = std::ranges::count(has, true) > 0;
    }
    caller.join();
    EXPECT_TRUE(
        std::ranges::equal(results, std::views::iota(0, 30) | std::views::transform(negated)));
  }
}

// Between looking for a result and waiting for one, everything may happen.
TEST(RemoteExecutor, AResultThatComesAsTheLastGrantGoesIsNoRefusal) {
  Mailbox mailbox(1);
  const auto happens = [&](const Progress& /*unused*/) {
    for (const auto& parcel : mailbox.wait_for(0)) {
      if (parcel->take()) parcel->finish();
    }
  };
  std::vector<int> results;
  for (const int result : lazy_map_unordered(
           mailbox, std::vector{1, 2, 3}, negated,
           {.chunk = 1, .workers = 1, .window = 1, .progress = happens, .progress_every = {}})) {
    results.push_back(result);
  }
  EXPECT_EQ(results, (std::vector{-1, -2, -3}));
}

TEST(RemoteExecutor, CutsAChunkOnlyWhenSomebodyTakesIt) {
  Mailbox mailbox(2);
  std::atomic<int> read = 0;
  const auto source = [&](int i) {
    ++read;
    return i;
  };
  std::vector<int> results;
  std::thread caller([&] {
    results = map(mailbox, Generated(10, source), negated, {.chunk = 2, .start = Start::empty});
  });
  auto parcels = mailbox.wait_for(2);
  EXPECT_EQ(read, 0);
  ASSERT_TRUE(parcels[0]->take());
  EXPECT_EQ(read, 2);
  ASSERT_TRUE(parcels[1]->take());
  EXPECT_EQ(read, 4);
  parcels[1]->finish();
  while (parcels[1]->take()) parcels[1]->finish();
  EXPECT_EQ(read, 10);
  parcels[0]->finish();
  caller.join();
  EXPECT_EQ(results.size(), 10);
}

TEST(RemoteExecutor, WorkersThatComeLaterGetWork) {
  Mailbox mailbox(2);
  std::vector<int> results;
  std::thread caller([&] {
    for (const int result : lazy_map(mailbox, std::views::iota(0, 100), negated, {.chunk = 1}))
      results.push_back(result);
  });
  auto parcels = mailbox.wait_for(2);
  mailbox.set_width(40);
  ASSERT_TRUE(parcels[0]->take());
  parcels[0]->finish();
  for (auto& parcel : mailbox.wait_for(38)) parcels.push_back(std::move(parcel));
  ASSERT_EQ(parcels.size(), 40);
  // More than the window of two workers: none of those is handed over before the last has come.
  for (std::size_t i = 1; i < 40; ++i) ASSERT_TRUE(parcels[i]->take()) << i;
  for (std::size_t i = 40; i-- > 1;) parcels[i]->finish();
  for (auto& parcel : parcels) {
    while (parcel->take()) parcel->finish();
  }
  parcels.clear();
  caller.join();
  EXPECT_TRUE(
      std::ranges::equal(results, std::views::iota(0, 100) | std::views::transform(negated)));
}

// A bound of the user's stays, whoever comes.
TEST(RemoteExecutor, WorkersThatComeLaterStayWithinTheWindowThatWasAskedFor) {
  Mailbox mailbox(2);
  std::vector<int> results;
  std::atomic<bool> done = false;
  std::thread caller([&] {
    for (const int result :
         lazy_map(mailbox, std::views::iota(0, 20), negated, {.chunk = 1, .window = 3}))
      results.push_back(result);
    done = true;
  });
  auto parcels = mailbox.wait_for(2);
  mailbox.set_width(40);
  ASSERT_TRUE(parcels[0]->take());
  parcels[0]->finish();
  for (auto& parcel : mailbox.wait_for(1)) parcels.push_back(std::move(parcel));
  ASSERT_EQ(parcels.size(), 3);
  std::size_t more = 0;
  while (!done) {
    for (auto& parcel : parcels) {
      while (parcel->take()) parcel->finish();
    }
    more += mailbox.wait_for(0).size();
    std::this_thread::yield();
  }
  parcels.clear();
  caller.join();
  EXPECT_EQ(more, 0);
  EXPECT_EQ(results.size(), 20);
}

TEST(RemoteExecutor, AFailedChunkEndsTheMap) {
  Mailbox mailbox(2);
  std::exception_ptr thrown;
  std::thread caller([&] {
    try {
      static_cast<void>(
          map(mailbox, std::views::iota(0, 100), std::bind_front(negated), {.chunk = 2}));
    } catch (...) {
      thrown = std::current_exception();
    }
  });
  auto parcels = mailbox.wait_for(1);
  ASSERT_TRUE(parcels[0]->take());
  parcels[0]->fail(std::make_exception_ptr(std::runtime_error("gone")));
  caller.join();
  EXPECT_THROW(std::rethrow_exception(thrown), std::runtime_error);
  EXPECT_FALSE(parcels[0]->take());  // too late, and harmless
  EXPECT_EQ(mailbox.runs_ended(), 1);
}

TEST(RemoteExecutor, AFailureIsToldWhileTheSourceLetsItsReaderWait) {
  Mailbox mailbox(2);
  std::latch asked(1);
  std::latch told(1);
  const auto source = [&](int i) {
    if (i == 1) {
      asked.count_down();
      told.wait();
    }
    return i;
  };
  auto results = lazy_map_unordered(mailbox, Generated(3, source), negated, {.chunk = 1});
  std::thread caller([&] {
    EXPECT_THROW(for ([[maybe_unused]] const int x : results){}, std::runtime_error);
    told.count_down();
  });
  auto parcels = mailbox.wait_for(2);
  ASSERT_TRUE(parcels[0]->take());
  std::thread reader([&] { static_cast<void>(parcels[1]->take()); });
  asked.wait();
  parcels[0]->fail(std::make_exception_ptr(std::runtime_error("gone")));
  caller.join();
  reader.join();
}

TEST(RemoteExecutor, AChunkThatCannotBeSentEndsTheMap) {
  Mailbox mailbox(2);
  std::exception_ptr thrown;
  std::thread caller([&] {
    try {
      static_cast<void>(map(mailbox, std::vector<int>{1, kCannotTravel, 3}, negated, {.chunk = 1}));
    } catch (...) {
      thrown = std::current_exception();
    }
  });
  auto parcels = mailbox.wait_for(1);
  ASSERT_TRUE(parcels[0]->take());
  parcels[0]->finish();
  EXPECT_FALSE(parcels[0]->take());
  caller.join();
  EXPECT_THROW(std::rethrow_exception(thrown), std::invalid_argument);
}

TEST(RemoteExecutor, RefusingEverythingIsAnError) {
  Mailbox mailbox(2);
  mailbox.close();
  try {
    static_cast<void>(map(mailbox, std::vector<int>{1, 2, 3}, negated, {.chunk = 1}));
    FAIL() << "nothing was thrown";
  } catch (const pool::TaskError& error) {
    EXPECT_EQ(error.error().code, ErrorCode::closed);
  }
}

}  // namespace
}  // namespace artel::parallel
