// The frame around every chart: a question, a sentence on how to read it, controls, the chart, its numbers.
import { element } from "./dom.js";

// {id, title, note, controls (null: none), draw(width) -> node or nodes, table() -> node, long}
// draw and table are called again by the `redraw` of what is returned, draw alone when the width changes.
// long: a table that nobody wants on paper.
export function figure({ id, title, note, controls: wanted = [], draw, table, long = false }) {
  const controls = wanted.filter((control) => control !== null);
  const chart = element("div.chart");
  const cells = element("div.scroll", { tabindex: "0", role: "region", "aria-label": `${title}: table` });
  const details = element(long ? "details.long" : "details", {}, element("summary", {}, "Numbers"), cells);
  let width = 0;
  let filled = false;

  const drawChart = () => {
    if (width === 0) return;
    chart.replaceChildren(...[draw(width)].flat());
    // To who does not see it, the chart is its title; the table has the numbers.
    for (const svg of chart.querySelectorAll("svg")) {
      svg.setAttribute("role", "img");
      svg.setAttribute("aria-label", title);
    }
  };
  const fill = () => {
    filled = true;
    cells.replaceChildren(table());
  };
  // A long table costs time: only for who opens it.
  if (long) details.addEventListener("toggle", () => details.open && !filled && fill());
  else fill();

  new ResizeObserver(() => {
    const now = Math.floor(chart.clientWidth);
    if (now === width) return;
    width = now;
    drawChart();
  }).observe(chart);

  return {
    node: element("section", { id }, element("h2", {}, title), element("p.note", {}, note),
      controls.length > 0 ? element("div.controls", {}, ...controls) : null,
      element("figure", {}, chart), details),
    redraw() {
      drawChart();
      if (!long || details.open) fill();
      else filled = false;
    },
  };
}

// Instead of a chart: of a run that was stopped early, or whose warm-up took all tasks, there may be nothing to show.
export function nothing() {
  return element("p.note", {}, "Nothing of this was measured.");
}

// A table of numbers. columns: [{title, name: true for text}], rows: arrays of cells:
// text, or {value, text}: the exact number stays with the cell; a number that is not known is a dash.
export function table(columns, rows) {
  const head = element("tr", {}, ...columns.map(({ title, name }) => element(name ? "th.name" : "th", { scope: "col" }, title)));
  const body = rows.map((row) => element("tr", {}, ...row.map((cell, i) => {
    const kind = columns[i].name ? "td.name" : "td";
    if (typeof cell !== "object") return element(kind, {}, String(cell));
    if (!Number.isFinite(cell.value)) return element(kind, {}, "–");
    const node = element(kind, { "data-value": String(cell.value) }, cell.text);
    if (cell.plusMinus) node.append(element("span.plus-minus", {}, ` ± ${cell.plusMinus}`));
    return node;
  })));
  return element("table.cells", {}, element("thead", {}, head), element("tbody", {}, ...body));
}

// A select with a label in front: options are [{value, text}].
export function choice(label, options, value, onchange) {
  const select = element("select", { onchange: () => onchange(select.value) },
    ...options.map((option) => element("option", { value: option.value, selected: String(option.value) === String(value) }, option.text)));
  return element("label.choice", {}, label, select);
}
