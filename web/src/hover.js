// What stands under the pointer, in numbers.
import { element } from "./dom.js";

const svgNamespace = "http://www.w3.org/2000/svg";

function shape(name, attributes) {
  const node = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

// Puts `chart` (a plot's svg) into a box that follows the pointer. find({x, y}) in the svg's pixels returns null or
// {x, y: where the tip points to, title, rows: [{mark: a node, name, value}], dots: [{x, y, colour}], lines: [{x1, y1, x2, y2}],
//  outline: {x, y, width, height}}.
export function withHover(chart, find) {
  const tip = element("div.tip", { hidden: true, role: "status" });
  const marks = shape("g", { "pointer-events": "none" });
  chart.append(marks);
  const box = element("div.chart", {}, chart, tip);

  const hide = () => {
    tip.hidden = true;
    marks.replaceChildren();
  };
  const show = (event) => {
    const bounds = chart.getBoundingClientRect();
    const found = find({ x: event.clientX - bounds.left, y: event.clientY - bounds.top });
    if (!found) return hide();
    const { lines = [], dots = [], outline } = found;
    marks.replaceChildren(
      ...lines.map((line) => shape("line", { ...line, stroke: "var(--faint)", "stroke-width": 1 })),
      ...dots.map(({ x, y, colour }) => shape("circle", { cx: x, cy: y, r: 3.5, fill: colour, stroke: "var(--surface)", "stroke-width": 1.5 })),
      ...(outline ? [shape("rect", { ...outline, fill: "none", stroke: "var(--ink)", "stroke-width": 1.5 })] : []));
    tip.replaceChildren(
      element("strong", {}, found.title),
      element("table", {}, ...found.rows.map(({ mark, name, value }) =>
        element("tr", {}, element("td", {}, mark ?? ""), element("td", {}, name), element("td", {}, value)))));
    tip.hidden = false;
    // Beside the point and its dots, inside the box.
    const first = Math.min(found.x, ...dots.map(({ x }) => x)), last = Math.max(found.x, ...dots.map(({ x }) => x));
    const left = last + 14 + tip.offsetWidth <= bounds.width ? last + 14 : Math.max(0, first - 14 - tip.offsetWidth);
    const top = Math.max(0, Math.min(found.y - tip.offsetHeight / 2, bounds.height - tip.offsetHeight));
    tip.style.transform = `translate(${left}px, ${top}px)`;
  };
  box.addEventListener("pointermove", show);
  box.addEventListener("pointerdown", show);
  box.addEventListener("pointerleave", hide);
  return box;
}

// The item whose position is nearest to `at`.
export function nearest(items, position, at) {
  let best = null;
  let least = Infinity;
  for (const item of items) {
    const distance = Math.abs(position(item) - at);
    if (distance < least) [best, least] = [item, distance];
  }
  return best;
}
