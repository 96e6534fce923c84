#pragma once

#include "artel/own_models/model_study.hpp"

namespace artel::report {

/// All of the main() of a program that studies a model of the user's own: `int main(int argc,
/// char** argv) { return model_main(study, argc, argv); }`.
///
/// Options change the study (--set load=0.9, --sweep load=0.5..0.9:0.1, --replications,
/// --precision response.mean=1%, --seed) and say how the result is shown (--json, --csv, -o FILE,
/// --report FILE); --help lists them. Ctrl-C ends it and prints the finished part, but
/// replaces no file; with --json -o r.json that part goes to r.partial.json, from where the same
/// command resumes it.
/// Returns 0; 1 when the model fails or a file cannot be written; 2 for options that there are
/// not; 130 when interrupted.
[[nodiscard]] int model_main(own_models::ModelStudy study, int argc, const char* const* argv);

}  // namespace artel::report
