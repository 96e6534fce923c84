#include "app/result_file.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "artel/core/error.hpp"
#include "artel/core/steady_now.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/file/read_text_file.hpp"
#include "artel/file/write_file.hpp"
#include "artel/report/experiment_json.hpp"
#include "artel/scenario/study.hpp"

namespace artel::app {

Result<std::optional<experiment::ExperimentResult>> interrupted_result(const scenario::Study& study,
                                                                       const std::string& path) {
  constexpr std::uint64_t kBytesMax = std::uint64_t{1} << 32U;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  const auto text = file::read_text_file(path, kBytesMax);
  if (!text) return fail(text);
  auto known = report::resumed_experiment(study, *text);
  if (!known) return fail(known.error().code, known.error().what, path);
  return known;
}

ResultKeeper::ResultKeeper(const scenario::Study& study, std::string path)
    : study_(study), path_(std::move(path)) {}

void ResultKeeper::keep(const experiment::ExperimentResult& result) {
  constexpr auto kEvery = std::chrono::seconds(10);
  if (path_.empty() || steady_now() - kept_ < kEvery) return;
  static_cast<void>(file::write_file(path_, report::experiment_json(study_, result)));
  kept_ = steady_now();
}

}  // namespace artel::app
