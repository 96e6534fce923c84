#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "app/command_line.hpp"
#include "artel/command/block_items.hpp"
#include "artel/command/item_reader.hpp"
#include "artel/command/placeholder.hpp"
#include "artel/core/error.hpp"

namespace artel::app {

/// What the command line says about items.
struct ItemOptions {
  std::vector<std::string> files;
  bool null = false;
  std::string delimiter;
  std::string columns;  // a regular expression between fields
  bool csv = false;
  std::string header;
  bool link = false;
  std::string end;
  bool shuffle = false;
  bool quote = false;  // of GNU parallel and xargs: always so
  bool no_run_if_empty = false;
};

/// Adds them. `items` must live until the command line has been read.
void add_item_options(Subcommand command, ItemOptions& items);

/// Where a run's items come from.
struct MapInputs {
  std::vector<std::string> command;  ///< without ":::" and what follows
  std::unique_ptr<command::InputItems> items;
  command::ItemFields fields;
  command::BlockItems* blocks = nullptr;  ///< what `items` are, if they are blocks
};

/// A file to read from. It stays open until the process ends.
struct InputFile {
  int file = -1;
  std::string name;  ///< in messages
};

/// "-" is standard input. Errors: it cannot be read.
[[nodiscard]] Result<InputFile> open_input(const std::string& name);

/// What ends an item. Errors: it is not one character.
[[nodiscard]] Result<char> separator_of(const ItemOptions& options);

/// Opens the inputs: files, what stands behind ":::", ":::+", "::::" and "::::+", else standard
/// input. `words`: the command and that. Reads what --header asks for. Files stay open until the
/// process ends.
/// Errors: what does not go together; a file that cannot be read.
[[nodiscard]] Result<MapInputs> open_inputs(std::vector<std::string> words,
                                            const ItemOptions& options, std::size_t items_per_job);

}  // namespace artel::app
