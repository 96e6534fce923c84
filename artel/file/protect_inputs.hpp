#pragma once

#include <filesystem>

#include "artel/core/error.hpp"

namespace artel::file {

// The files that a command reads, by device and inode, so that none of its outputs replaces one.
//
// A program that wants this calls protect_inputs() first. From then on every function of this tree
// that opens a file for reading notes it here, and every function that opens one for writing
// refuses those. A link, hard or symbolic, is the file that it leads to. Without protect_inputs()
// nothing is noted or refused: the user of a library decides what she writes.

/// Begins to note the inputs of this process and to refuse them as outputs. Threads: any.
void protect_inputs();

/// Notes a file as an input; a path that is no regular file is nothing to note. Errors: invalid,
/// when it is standard output, too, so that writing would change what is read. Cost: two system
/// calls. Threads: any.
[[nodiscard]] Result<void> note_input(const std::filesystem::path& path);

/// Errors: invalid, when a file that is to be written is an input. A path without a file is none.
[[nodiscard]] Result<void> refuse_input(const std::filesystem::path& path);
/// The same of an open file; `name` is for the message.
[[nodiscard]] Result<void> refuse_input(int file, const std::filesystem::path& name);

}  // namespace artel::file
