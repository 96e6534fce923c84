#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/id.hpp"
#include "artel/core/instant.hpp"
#include "artel/experiment/run_experiment.hpp"
#include "artel/file/read_text_file.hpp"
#include "artel/own_models/model_report.hpp"
#include "artel/own_models/model_study.hpp"
#include "artel/own_models/run_model_study.hpp"
#include "artel/report/detail/model_output.hpp"
#include "artel/report/html_model.hpp"
#include "artel/report/html_page.hpp"
#include "artel/report/model_json.hpp"
#include "artel/report/model_main.hpp"
#include "artel/report/model_table.hpp"
#include "tests/temporary_folder.hpp"

namespace artel::report {
namespace {

using Json = nlohmann::json;
using namespace std::chrono_literals;

// Response: load seconds, and up to a hundredth more; of the variant "twice" twice as long.
own_models::ModelReport measured(const own_models::ModelRun& run) {
  own_models::ModelReport report(run);
  const double chance = static_cast<double>(static_cast<std::uint64_t>(run.seed) % 100) / 100;
  const double seconds = run.parameters["load"] * (1 + chance / 100) * run.parameters["factor"];
  for (int i = 0; i < 100; ++i) report.times("response").add(from_seconds(seconds), Instant{1s});
  report.set("tiny", 1e-5 * run.parameters["factor"]);
  return report;
}

own_models::ModelStudy study() {
  return {.name = "Toy",
          .model = measured,
          .parameters = {{"load", 1}, {"factor", 1}},
          .variants = {{"once", {}}, {"twice", {{"factor", 2}}}},
          .replications = 4,
          .figures = {"response.mean", "tiny"}};
}

own_models::ModelStudy sweep() {
  auto swept = study();
  swept.sweep = {{.parameter = "load", .values = {0.5, 1}}};
  return swept;
}

TEST(ModelTable, HasALinePerFigureWithDifferences) {
  const auto toy = study();
  const auto text = model_table(toy, own_models::run_model_study(toy, {}));
  EXPECT_EQ(text.substr(0, text.find("response")),
            "Toy\nfigure          once         ±  twice         ±  Δ twice         ±\n")
      << text;
  EXPECT_NE(text.find("tiny           1e-05         0  2e-05         0    1e-05         0\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("4 replications; ± is the half-width of the 99% confidence interval; Δ: how "
                      "much more than once"),
            std::string::npos)
      << text;
}

TEST(ModelTable, OfASweepHasATablePerFigure) {
  const auto toy = sweep();
  const auto text = model_table(toy, own_models::run_model_study(toy, {}));
  EXPECT_NE(text.find("Toy: response.mean\nload"), std::string::npos) << text;
  EXPECT_NE(text.find("Toy: tiny\nload"), std::string::npos) << text;
  EXPECT_EQ(text.find("response.p99"), std::string::npos) << "it was not asked for";
}

TEST(ModelTable, SaysWhichPrecisionWasNotReached) {
  auto toy = study();
  toy.precision = {{.figure = "response.mean", .relative = 1e-9}};
  const auto text = model_table(toy, own_models::run_model_study(toy, {}));
  EXPECT_NE(text.find("of response.mean was not reached by once: "), std::string::npos) << text;
}

TEST(ModelJson, HoldsEveryFigureOfEveryVariant) {
  const auto toy = sweep();
  const auto result = own_models::run_model_study(toy, {});
  const auto json = Json::parse(model_json(toy, result));
  EXPECT_EQ(json["schema"], "artel.model/1");
  ASSERT_EQ(json["points"].size(), 2U);
  const auto& variants = json["points"][1]["variants"];
  EXPECT_EQ(json["points"][0]["values"]["load"], "0.5");
  EXPECT_EQ(variants[1]["variant"], "twice");
  const auto& twice = result.points[1].variants[1];
  EXPECT_EQ(variants[1]["figures"]["response.mean"]["value"],
            twice.estimate("response.mean").center);
  EXPECT_EQ(variants[1]["figures"]["response.mean"]["less_first"]["value"],
            difference(twice, result.points[1].variants[0], "response.mean").center);
  EXPECT_FALSE(variants[0]["figures"]["response.mean"].contains("less_first"));
  EXPECT_FALSE(json.contains("resume"));
}

TEST(ModelJson, OfAStoppedOneGoesOn) {
  const auto toy = sweep();
  std::stop_source stop;
  const auto part = own_models::run_model_study(
      toy, {.stop = stop.get_token(), .progress = [&](const experiment::ExperimentProgress& p) {
              if (p.done == 3) stop.request_stop();
            }});
  const auto known = resumed_model(toy, model_json(toy, part));
  ASSERT_TRUE(known);
  const std::optional<own_models::ModelResult>& state = *known;
  const own_models::ModelResult* const before = state ? &*state : nullptr;
  ASSERT_NE(before, nullptr);
  const auto whole = own_models::run_model_study(toy, {.resume = before});
  EXPECT_EQ(model_json(toy, whole), model_json(toy, own_models::run_model_study(toy, {})));
  EXPECT_FALSE(*resumed_model(toy, model_json(toy, whole)))
      << "a complete one has nothing to go on";
  EXPECT_FALSE(*resumed_model(toy, "something else"));
}

TEST(ModelCsv, HasALinePerPointAndVariant) {
  const auto toy = sweep();
  const auto text = model_csv(toy, own_models::run_model_study(toy, {}));
  EXPECT_EQ(
      text.substr(0, text.find('\n')),
      "load,variant,replications,response.mean,response.mean_half_width,tiny,tiny_half_width");
  EXPECT_EQ(std::ranges::count(text, '\n'), 1 + 4);
  EXPECT_NE(text.find("\n0.5,twice,4,"), std::string::npos) << text;
}

TEST(HtmlModel, HoldsTheJsonAndTheTimes) {
  const auto toy = sweep();
  const auto result = own_models::run_model_study(toy, {});
  const auto json = Json::parse(report_json(html_model(toy, result)));
  EXPECT_EQ(json["model"], Json::parse(model_json(toy, result)));
  ASSERT_EQ(json["times"]["response"].size(), 2U);
  EXPECT_EQ(json["times"]["response"][0][1]["policy"], "twice");
  const std::string answer = json["summary"][1];
  EXPECT_NE(answer.find("more than with once"), std::string::npos) << answer;
}

// 49 · (3 / 49) and its like are not 3: rounding must not keep a curve from its end.
TEST(HtmlModel, CurvesEndHoweverManyTimesThereAre) {
  auto toy = study();
  for (int times = 3; times < 200; ++times) {
    toy.parameters.set("load", times);
    toy.model = [](const own_models::ModelRun& run) {
      own_models::ModelReport report(run);
      for (std::uint64_t i = 0; i < run.parameters.whole("load"); ++i)
        report.times("response").add(1s, {});
      return report;
    };
    toy.variants.clear();
    toy.replications = 3;
    const auto result = own_models::run_model_study(toy, {});
    EXPECT_FALSE(html_model(toy, result).parts.empty());
  }
}

TEST(ModelArguments, ChangeTheStudy) {
  auto toy = study();
  const std::array arguments{"--set",
                             "factor=3",
                             "--sweep=load=0.1..0.3:0.1",
                             "--replications",
                             "7",
                             "--seed",
                             "9",
                             "--precision",
                             "tiny=5%",
                             "--jobs",
                             "2",
                             "--json",
                             "-o",
                             "x.json"};
  const auto output = detail::read_arguments(arguments, toy);
  ASSERT_TRUE(output) << to_string(output.error());
  EXPECT_EQ(toy.parameters["factor"], 3);
  ASSERT_EQ(toy.sweep.size(), 1U);
  EXPECT_EQ(toy.sweep[0].values, (std::vector{0.1, 0.2, 0.3}));
  EXPECT_EQ(toy.replications, 7U);
  EXPECT_EQ(toy.seed, Seed{9});
  EXPECT_EQ(toy.precision[0].relative, 0.05);
  EXPECT_EQ(output->jobs, 2U);
  EXPECT_EQ(output->format, detail::ModelOutput::Format::json);
  EXPECT_EQ(output->file, "x.json");
}

TEST(ModelArguments, WhatIsWrongIsNamed) {
  const auto error_of = [](const std::vector<const char*>& arguments) {
    auto toy = study();
    const auto output = detail::read_arguments(arguments, toy);
    return output ? "none" : to_string(output.error());
  };
  EXPECT_NE(error_of({"--sweap", "1"}).find("did you mean '--sweep'"), std::string::npos);
  EXPECT_NE(error_of({"--set", "laod=1"}).find("did you mean 'load'"), std::string::npos);
  EXPECT_NE(error_of({"--set", "load=x"}).find("'x' is not a number"), std::string::npos);
  EXPECT_NE(error_of({"--sweep", "load=2..1"}).find("beyond the last"), std::string::npos);
  EXPECT_NE(error_of({"--replications", "-1"}).find("not a whole number"), std::string::npos);
  EXPECT_NE(error_of({"--seed"}).find("needs a value"), std::string::npos);
}

TEST(ModelMain, WritesTheResultAndTellsHowItEnded) {
  const TemporaryFolder folder;
  const auto path = (folder.path() / "out.json").string();
  const std::array good{"toy", "--json", "-o", path.c_str()};
  EXPECT_EQ(model_main(study(), static_cast<int>(good.size()), good.data()), 0);
  const auto text = file::read_text_file(path, 1'000'000);
  ASSERT_TRUE(text);
  const auto toy = study();
  EXPECT_EQ(*text, model_json(toy, own_models::run_model_study(toy, {})));

  const std::array wrong{"toy", "--what"};
  EXPECT_EQ(model_main(study(), static_cast<int>(wrong.size()), wrong.data()), 2);
  auto broken = study();
  broken.model = [](const own_models::ModelRun&) -> own_models::ModelReport {
    throw std::runtime_error("no");
  };
  const std::array none{"toy"};
  EXPECT_EQ(model_main(broken, 1, none.data()), 1);
}

}  // namespace
}  // namespace artel::report
