#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

namespace artel::app {

/// The whole terminal as a screen, by ncurses; as before when it is gone. Threads: one at a time.
class TopTerminal {
 public:
  /// Errors: unsupported: built without ncurses, or it does not know this terminal.
  [[nodiscard]] static Result<TopTerminal> open();

  /// How large it is now.
  [[nodiscard]] std::size_t columns() const;
  [[nodiscard]] std::size_t rows() const;
  /// Puts these lines there, and nothing else.
  void show(const std::vector<std::string>& lines);
  /// The key that was pressed, 0 if none was within `wait`. A new size is none, but ends the wait.
  [[nodiscard]] int key(Duration wait);

 private:
  struct Screen;
  TopTerminal() = default;
  std::shared_ptr<Screen> screen_;
};

}  // namespace artel::app
