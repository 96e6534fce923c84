#include "artel/metrics/fleet_screen.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "artel/core/instant.hpp"
#include "artel/metrics/fleet_row.hpp"

namespace artel::metrics {
namespace {

constexpr std::size_t kNameMost = 40;

// Nothing that moves a terminal's cursor, or changes how long a line is.
std::string plain(std::string_view text) {
  std::string shown;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    shown += byte >= 0x20 && byte < 0x7F ? c : '?';
  }
  return shown;
}

std::string shortened(std::string text) {
  if (text.size() > kNameMost) text.replace(kNameMost - 3, std::string::npos, "...");
  return text;
}

std::string number(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) return "-";
  const double size = std::abs(*value);
  if (size >= 1e6) return fmt::format("{:.3g}", *value);
  const bool whole = *value == std::round(*value) || size >= 100;
  return whole ? fmt::format("{:.0f}", *value) : fmt::format("{:.3g}", *value);
}

std::string share(std::optional<double> value) {
  return value && std::isfinite(*value) ? fmt::format("{:.0f}%", 100 * *value) : "-";
}

std::string time(std::optional<double> seconds) {
  return seconds && std::isfinite(*seconds) ? format_duration(from_seconds(*seconds)) : "-";
}

constexpr std::size_t kCells = 12;
using Cells = std::array<std::string, kCells>;

const Cells& titles() {
  static const Cells all{"",       "name",     "workers", "busy", "running", "queued",
                         "done/s", "failed/s", "mean",    "p50",  "p99",     "p99 wait"};
  return all;
}

Cells cells_of(const FleetRow& row) {
  auto name = plain(row.name);
  if (row.kind == "worker" && !row.pool.empty()) name += " (" + plain(row.pool) + ")";
  name = shortened(std::move(name));
  if (row.draining) name += " leaving";
  return {row.kind,
          name,
          number(row.workers),
          share(row.busy),
          number(row.running),
          number(row.queued),
          number(row.done),
          number(row.failed),
          time(row.mean_s),
          time(row.service_p50_s),
          time(row.service_p99_s),
          time(row.wait_p99_s)};
}

double figure(const FleetRow& row, RowOrder order) {
  const auto value = order == RowOrder::busy   ? row.busy
                     : order == RowOrder::done ? row.done
                                               : row.queued;
  return value && !std::isnan(*value) ? *value : -1;
}

void put_in_order(std::vector<FleetRow>& rows, RowOrder order) {
  if (order == RowOrder::as_served) return;
  std::ranges::sort(rows, [order](const FleetRow& a, const FleetRow& b) {
    if (order == RowOrder::name || figure(a, order) == figure(b, order)) return a.name < b.name;
    return figure(a, order) > figure(b, order);
  });
}

std::string line_of(const Cells& cells, const std::array<std::size_t, kCells>& widths) {
  std::string line;
  for (std::size_t i = 0; i < kCells; ++i) {
    line += i < 2 ? fmt::format("{:<{}}", cells[i], widths[i])
                  : fmt::format("{:>{}}", cells[i], widths[i]);
    if (i + 1 < kCells) line += "  ";
  }
  return line;
}

}  // namespace

std::vector<std::string> screen_lines(const FleetScreen& screen, std::size_t columns,
                                      std::size_t rows) {
  std::vector<std::string> lines{"artel top" +
                                 (screen.headline.empty() ? "" : "  " + plain(screen.headline))};
  std::vector<FleetRow> all;
  for (const auto& source : screen.sources) {
    if (!source.trouble.empty())
      lines.push_back(plain(source.address) + ": " + plain(source.trouble));
    all.insert(all.end(), source.rows.begin(), source.rows.end());
  }
  put_in_order(all, screen.order);
  if (!all.empty()) {
    std::vector<Cells> table{titles()};
    for (const auto& row : all) table.push_back(cells_of(row));
    std::array<std::size_t, kCells> widths{};
    for (const auto& cells : table) {
      for (std::size_t i = 0; i < kCells; ++i) widths[i] = std::max(widths[i], cells[i].size());
    }
    for (const auto& cells : table) lines.push_back(line_of(cells, widths));
  }
  if (lines.size() > rows) {
    const auto left = lines.size() - rows + 1;
    lines.resize(rows);
    if (rows > 0) lines.back() = fmt::format("... {} lines more", left);
  }
  for (auto& line : lines) {
    if (line.size() > columns) line.resize(columns);
    line.erase(line.find_last_not_of(' ') + 1);
  }
  return lines;
}

}  // namespace artel::metrics
