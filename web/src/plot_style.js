// What all charts have in common.

export const axisStyle = { fontSize: "12px", fontFamily: "inherit", color: "var(--ink)", overflow: "visible" };

// Positions as near as possible to those wanted, in the same order, at least `gap` apart, inside [low, high].
export function spread(wanted, gap, low, high) {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a] - wanted[b]);
  const placed = order.map((i) => wanted[i]);
  for (let round = 0; round < 100; ++round) {
    let moved = false;
    for (let i = 1; i < placed.length; ++i) {
      const overlap = gap - (placed[i] - placed[i - 1]);
      if (overlap <= 0.01) continue;
      placed[i - 1] -= overlap / 2;
      placed[i] += overlap / 2;
      moved = true;
    }
    if (!moved) break;
  }
  const shift = Math.max(0, low - placed[0]) || Math.min(0, high - placed[placed.length - 1]);
  const result = [];
  order.forEach((i, rank) => { result[i] = placed[rank] + shift; });
  return result;
}

// How wide each line is to be, given its values: a line that later ones cover entirely is wider, so that it shows beneath.
export function widths(lines) {
  const same = (a, b) => a.length === b.length && a.every((value, i) => Math.abs(value - b[i]) <= 2e-3 * Math.abs(value));
  return lines.map((line, i) => 2 + 3 * lines.slice(i + 1).filter((later) => same(line, later)).length);
}
