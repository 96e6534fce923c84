#include "artel/report/model_main.hpp"

#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "artel/core/error.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/file/result_file.hpp"
#include "artel/file/write_file.hpp"
#include "artel/own_models/model_study.hpp"
#include "artel/own_models/run_model_study.hpp"
#include "artel/report/detail/model_output.hpp"
#include "artel/report/html_model.hpp"
#include "artel/report/html_page.hpp"
#include "artel/report/model_json.hpp"
#include "artel/report/model_table.hpp"

namespace artel::report {
namespace {

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

using Known = std::optional<own_models::ModelResult>;

// What an interrupted run has left behind.
Result<Known> known_before(const own_models::ModelStudy& study,
                           const std::optional<file::ResultFile>& kept) {
  if (!kept) return std::nullopt;
  auto known = kept->resume([&](std::string_view text) { return resumed_model(study, text); });
  if (!known) known.error().what += "; remove it, or give another --output";
  return known;
}

std::string text_of(const own_models::ModelStudy& study, const own_models::ModelResult& result,
                    ModelOutput::Format format) {
  if (format == ModelOutput::Format::json) return model_json(study, result);
  if (format == ModelOutput::Format::csv) return model_csv(study, result);
  return model_table(study, result);
}

own_models::ModelResult run(const own_models::ModelStudy& study, const ModelOutput& output,
                            const own_models::ModelResult* known,
                            std::optional<file::ResultFile>& kept, const std::stop_token& stop) {
  const bool shows = isatty(STDERR_FILENO) != 0;
  auto result = own_models::run_model_study(
      study, {.jobs = output.jobs,
              .stop = stop,
              .progress =
                  [&](const experiment::ExperimentProgress& progress) {
                    if (shows)
                      fmt::print(stderr, "\r\033[K{}: {} of {}", study.name, progress.done,
                                 progress.total);
                  },
              .checkpoint =
                  [&](const own_models::ModelResult& so_far) {
                    if (kept) kept->keep(steady_now(), [&] { return model_json(study, so_far); });
                  },
              .resume = known});
  if (shows) fmt::print(stderr, "\r\033[K");
  return result;
}

int complain(const Error& error, int status) {
  fmt::print(stderr, "{}\n", to_string(error));
  return status;
}

// The page, then the rest; 0, or how it failed. Of an interrupted run no file is replaced.
int show(const own_models::ModelStudy& study, const own_models::ModelResult& result,
         const ModelOutput& output, std::optional<file::ResultFile>& kept) {
  if (result.complete && !output.report.empty() && !result.points.empty()) {
    auto report = html_model(study, result);
    report.made_by = "artel " ARTEL_VERSION;
    const auto page = html_page(report);
    if (!page) return complain(page.error(), kFailed);
    if (const auto written = file::write_file(output.report, *page); !written)
      return complain(written.error(), kFailed);
  }
  const auto text = text_of(study, result, output.format);
  Result<void> written;
  if (kept) {
    written = result.complete ? kept->finish(text) : kept->interrupt(text);
  } else {
    const bool to_file = result.complete && !output.file.empty();
    written = to_file ? file::write_file(output.file, text) : file::write_stdout(text);
  }
  return written ? 0 : complain(written.error(), kFailed);
}

}  // namespace

int model_main(own_models::ModelStudy study, int argc, const char* const* argv) {
  const auto arguments = std::span(argv, static_cast<std::size_t>(argc)).subspan(argc > 0 ? 1 : 0);
  const auto output = detail::read_arguments(arguments, study);
  if (!output) return complain(output.error(), kBadOption);
  if (output->help) {
    fmt::print("{}", detail::help_text(study));
    return 0;
  }
  if (const auto good = own_models::check(study); !good) return complain(good.error(), kBadOption);
  for (const auto& path : {output->file, output->report}) {  // asked before long work
    if (path.empty()) continue;
    if (const auto writable = file::check_writable(path); !writable)
      return complain(writable.error(), kFailed);
  }
  std::optional<file::ResultFile> kept;
  if (output->format == ModelOutput::Format::json && !output->file.empty())
    kept.emplace(output->file);
  const auto known = known_before(study, kept);
  if (!known) return complain(known.error(), kBadOption);
  const auto result = [&] {
    const StopOnSignal signals;
    return run(study, *output, *known ? &**known : nullptr, kept, signals.token());
  }();
  if (result.error) return complain(*result.error, kFailed);
  const int status = show(study, result, *output, kept);
  return status == 0 && !result.complete ? kInterrupted : status;
}

}  // namespace artel::report
