#include "artel/report/model_main.hpp"

#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>

#include "artel/core/error.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/experiment/model_study.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/experiment/run_model_study.hpp"
#include "artel/file/read_text_file.hpp"
#include "artel/file/write_file.hpp"
#include "artel/report/detail/model_output.hpp"
#include "artel/report/html_model.hpp"
#include "artel/report/html_page.hpp"
#include "artel/report/model_json.hpp"
#include "artel/report/model_table.hpp"

namespace artel::report {
namespace {

using namespace std::chrono_literals;
using detail::ModelOutput;

constexpr int kFailed = 1;
constexpr int kBadOption = 2;
constexpr int kInterrupted = 130;

// While it is there, SIGINT and SIGTERM ask to stop; a second one ends the program.
class StopOnSignal {
 public:
  StopOnSignal() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals_, &before_);
    watcher_ = std::jthread([this](const std::stop_token& ended) {
      constexpr timespec kLook{.tv_sec = 0, .tv_nsec = 100'000'000};
      while (!ended.stop_requested()) {
        if (sigtimedwait(&signals_, nullptr, &kLook) < 0) continue;
        if (stop_.stop_requested()) _exit(kInterrupted);
        stop_.request_stop();
      }
    });
  }
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;
  ~StopOnSignal() {
    watcher_.request_stop();
    watcher_.join();
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

 private:
  sigset_t signals_{};
  sigset_t before_{};
  std::stop_source stop_;
  std::jthread watcher_;
};

// What an interrupted run has left in the file where the result goes.
Result<std::optional<experiment::ModelResult>> known_before(const experiment::ModelStudy& study,
                                                            const ModelOutput& output) {
  constexpr std::uint64_t kBytesMax = std::uint64_t{1} << 32U;
  std::error_code ignored;
  if (output.format != ModelOutput::Format::json || output.file.empty() ||
      !std::filesystem::is_regular_file(output.file, ignored))
    return std::nullopt;
  const auto text = file::read_text_file(output.file, kBytesMax);
  if (!text) return fail(text);
  auto known = resumed_model(study, *text);
  if (!known)
    return fail(known.error().code, known.error().what + "; remove it, or give another --output",
                output.file);
  return known;
}

std::string text_of(const experiment::ModelStudy& study, const experiment::ModelResult& result,
                    ModelOutput::Format format) {
  if (format == ModelOutput::Format::json) return model_json(study, result);
  if (format == ModelOutput::Format::csv) return model_csv(study, result);
  return model_table(study, result);
}

experiment::ModelResult run(const experiment::ModelStudy& study, const ModelOutput& output,
                            const experiment::ModelResult* known, const std::stop_token& stop) {
  constexpr auto kKeptEvery = 10s;
  const bool shows = isatty(STDERR_FILENO) != 0;
  const bool keeps = output.format == ModelOutput::Format::json && !output.file.empty();
  auto kept = steady_now();
  auto result = experiment::run_model_study(
      study, {.jobs = output.jobs,
              .stop = stop,
              .progress =
                  [&](const experiment::ExperimentProgress& progress) {
                    if (shows)
                      fmt::print(stderr, "\r\033[K{}: {} of {}", study.name, progress.done,
                                 progress.total);
                  },
              .checkpoint =
                  [&](const experiment::ModelResult& so_far) {
                    if (!keeps || steady_now() - kept < kKeptEvery) return;
                    static_cast<void>(file::write_file(output.file, model_json(study, so_far)));
                    kept = steady_now();
                  },
              .resume = known});
  if (shows) fmt::print(stderr, "\r\033[K");
  return result;
}

int complain(const Error& error, int status) {
  fmt::print(stderr, "{}\n", to_string(error));
  return status;
}

// The page, then the rest; 0, or how it failed.
int show(const experiment::ModelStudy& study, const experiment::ModelResult& result,
         const ModelOutput& output) {
  if (!output.report.empty() && !result.points.empty()) {
    auto report = html_model(study, result);
    report.made_by = "artel " ARTEL_VERSION;
    const auto page = html_page(report);
    if (!page) return complain(page.error(), kFailed);
    if (const auto written = file::write_file(output.report, *page); !written)
      return complain(written.error(), kFailed);
  }
  const auto text = text_of(study, result, output.format);
  const auto written =
      output.file.empty() ? file::write_stdout(text) : file::write_file(output.file, text);
  return written ? 0 : complain(written.error(), kFailed);
}

}  // namespace

int model_main(experiment::ModelStudy study, int argc, const char* const* argv) {
  const auto arguments = std::span(argv, static_cast<std::size_t>(argc)).subspan(argc > 0 ? 1 : 0);
  const auto output = detail::read_arguments(arguments, study);
  if (!output) return complain(output.error(), kBadOption);
  if (output->help) {
    fmt::print("{}", detail::help_text(study));
    return 0;
  }
  if (const auto good = experiment::check(study); !good) return complain(good.error(), kBadOption);
  for (const auto& path : {output->file, output->report}) {  // asked before long work
    if (path.empty()) continue;
    if (const auto writable = file::check_writable(path); !writable)
      return complain(writable.error(), kFailed);
  }
  const auto known = known_before(study, *output);
  if (!known) return complain(known.error(), kBadOption);
  const auto result = [&] {
    const StopOnSignal signals;
    return run(study, *output, *known ? &**known : nullptr, signals.token());
  }();
  if (result.error) return complain(*result.error, kFailed);
  const int status = show(study, result, *output);
  return status == 0 && !result.complete ? kInterrupted : status;
}

}  // namespace artel::report
