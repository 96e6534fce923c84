#include "app/top_terminal.hpp"

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "artel/core/error.hpp"
#include "artel/core/instant.hpp"

// NOLINTNEXTLINE(readability-identifier-naming): the header asks for it by this name
#define NCURSES_NOMACROS 1  // its macros are called erase, move, timeout, …
#include <curses.h>

namespace artel::app {

struct TopTerminal::Screen {
  explicit Screen(SCREEN* of) : screen(of) {}
  ~Screen() {
    ::endwin();
    ::delscreen(screen);
  }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  SCREEN* screen;
};

Result<TopTerminal> TopTerminal::open() {
  SCREEN* const screen = ::newterm(nullptr, stdout, stdin);
  if (screen == nullptr) {
    return fail(ErrorCode::unsupported,
                "ncurses does not know this terminal (TERM); --once prints a plain table");
  }
  TopTerminal terminal;
  terminal.screen_ = std::make_shared<Screen>(screen);
  ::cbreak();
  ::noecho();
  ::keypad(stdscr, true);
  ::curs_set(0);
  return terminal;
}

std::size_t TopTerminal::columns() const { return static_cast<std::size_t>(getmaxx(stdscr)); }
std::size_t TopTerminal::rows() const { return static_cast<std::size_t>(getmaxy(stdscr)); }

void TopTerminal::show(const std::vector<std::string>& lines) {
  ::werase(stdscr);
  int row = 0;
  for (const auto& line : lines) ::mvwaddstr(stdscr, row++, 0, line.c_str());
  ::wrefresh(stdscr);
}

int TopTerminal::key(Duration wait) {
  ::wtimeout(stdscr, static_cast<int>(wait / std::chrono::milliseconds(1)));
  const int key = ::wgetch(stdscr);
  return key == ERR || key == KEY_RESIZE ? 0 : key;
}

}  // namespace artel::app
