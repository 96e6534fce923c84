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

const lineHeight = 15, between = 8;

// Where labels of the given widths go that belong to points: to the right of them, as near as possible, inside of [top, bottom]
// and left of `right`, and none on another one. Null where there is no room for all.
export function placeLabels(points, { right, top, bottom }) {
  const lefts = points.map(({ x, width }) => Math.min(x, right - width));
  const wanted = spread(points.map(({ y }) => y), lefts.every((x) => x === lefts[0]) ? lineHeight : 0, top, bottom);
  const placed = [];
  for (const i of points.map((_, index) => index).sort((a, b) => wanted[b] - wanted[a])) {
    const free = (y) => y >= top && y <= bottom && placed.every((other) =>
      Math.abs(other.y - y) >= lineHeight - 0.1 || lefts[i] >= lefts[other.i] + points[other.i].width + between || lefts[other.i] >= lefts[i] + points[i].width + between);
    const moves = Array.from({ length: 2 * Math.ceil((bottom - top) / 3) }, (_, step) => (step % 2 === 0 ? -1 : 1) * 3 * Math.ceil(step / 2));
    const move = moves.find((dy) => free(wanted[i] + dy));
    if (move === undefined) return null;
    placed.push({ i, y: wanted[i] + move });
  }
  return placed.sort((a, b) => a.i - b.i).map(({ i, y }) => ({ x: lefts[i], y }));
}

// How much room a name takes beside the end of its line.
export function labelWidth(text, narrow) {
  return (narrow ? 6.3 : 7) * text.length;
}

// A mark that names lines at their ends. endsOf(scales) -> [{x, y, text, colour}] in pixels.
export function endLabels(endsOf, { narrow, right, top, bottom }) {
  const gap = 16;
  return (_index, scales) => {
    const ends = endsOf(scales.scales);
    const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
    group.setAttribute("aria-label", "names");
    const places = placeLabels(ends.map(({ x, y, text }) => ({ x: x + gap, y, width: labelWidth(text, narrow) })), { right, top, bottom }) ?? [];
    const shape = (name, attributes, text) => {
      const node = document.createElementNS(group.namespaceURI, name);
      for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
      if (text) node.textContent = text;
      return node;
    };
    places.forEach(({ x, y }, i) => {
      const end = ends[i];
      group.append(
        shape("path", { d: `M${end.x + 5},${end.y}L${x - 3},${y}`, stroke: end.colour, opacity: 0.7, fill: "none" }),
        shape("text", { x, y, dy: "0.32em", fill: "var(--ink)", "text-anchor": "start", "font-weight": 600, "font-size": narrow ? 11 : 12,
          stroke: "var(--surface)", "stroke-width": 3, "paint-order": "stroke", "stroke-linejoin": "round" }, end.text));
    });
    return group;
  };
}
