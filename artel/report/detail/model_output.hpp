#pragma once

#include <span>
#include <string>

#include "artel/core/error.hpp"
#include "artel/own_models/model_study.hpp"

namespace artel::report::detail {

/// How the result of a model's study is shown.
struct ModelOutput {
  enum class Format : unsigned char { table, json, csv };
  Format format = Format::table;
  std::string file;    ///< empty: standard output
  std::string report;  ///< empty: no page
  unsigned jobs = 1;
  bool help = false;
};

/// Reads the arguments behind the program's name; what they change of the study is changed.
/// Errors: invalid, parse; says which argument.
[[nodiscard]] Result<ModelOutput> read_arguments(std::span<const char* const> arguments,
                                                 own_models::ModelStudy& study);

/// What --help prints.
[[nodiscard]] std::string help_text(const own_models::ModelStudy& study);

}  // namespace artel::report::detail
