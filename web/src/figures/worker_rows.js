// Which worker had how many tasks, over time: a strip per worker, darker for more.
import * as Plot from "@observablehq/plot";
import { element } from "../dom.js";
import { figure, table } from "../figure.js";
import { number, spanUnit, spoken } from "../format.js";
import { withHover } from "../hover.js";
import { axisStyle } from "../plot_style.js";
import { swatch } from "../policies.js";
import { endOf } from "./over_time.js";

// Tasks per worker: upper ends of the steps of the scale, wider apart where there are more.
function limitsOf(observed) {
  const most = Math.max(...observed.policies.flatMap(({ rows }) => rows.tasks_per_worker.flat()));
  const factor = [2, 4, 8, 16].find((candidate) => 2 * candidate ** 3 >= most) ?? 32;
  return [0.05, 0.5, 1, factor, factor ** 2, factor ** 3];
}

function stepOf(tasks, limits) {
  const step = limits.findIndex((limit) => tasks <= limit * (1 + 1e-9));
  return step < 0 ? limits.length : step;
}

// Neighbours of one step become one rectangle.
function rectangles({ tasks_per_worker: rows, bucket_s: size }, limits, end) {
  return rows.flatMap((row, y) => {
    const runs = [];
    row.forEach((tasks, i) => {
      const step = stepOf(tasks, limits);
      const before = runs.at(-1);
      if (before?.step === step) before.x2 = (i + 1) * size;
      else runs.push({ y, x1: i * size, x2: (i + 1) * size, step });
    });
    return runs.filter(({ step, x1 }) => step > 0 && x1 < end);
  });
}

function draw(width, observed, policies, limits) {
  const shown = observed.policies.filter(({ policy }) => policies.shown.includes(policy));
  const end = endOf(observed);
  const unit = spanUnit(end);
  const count = shown[0].rows.tasks_per_worker.length;
  const rowHeight = Math.min(10, Math.max(2, Math.floor(150 / count)));
  return shown.map(({ policy, rows }, i) => {
    const lastRow = i === shown.length - 1;
    const marginTop = 22, marginBottom = lastRow ? 40 : 2;
    const plot = Plot.plot({
      width, height: marginTop + count * rowHeight + marginBottom, style: axisStyle, marginTop, marginBottom, marginLeft: 44, marginRight: 12,
      x: { domain: [0, unit.of(end)], axis: null }, y: { domain: [0, count], axis: null, reverse: true },
      marks: [
        Plot.rect([0], { x1: () => 0, x2: () => unit.of(end), y1: () => 0, y2: () => count, fill: "var(--heat0)" }),
        Plot.rect(rectangles(rows, limits, end), { x1: (d) => unit.of(Math.min(d.x1, end)), x2: (d) => unit.of(Math.min(d.x2, end)), y1: "y", y2: (d) => d.y + 1, fill: (d) => `var(--heat${d.step})`, shapeRendering: "crispEdges" }),
        Plot.text([spoken(policy)], { frameAnchor: "top-left", dy: -16, fill: "var(--ink)", fontWeight: 600, fontSize: 13 }),
        Plot.text(["0", number(observed.workers - 1)], { x: 0, y: (_, j) => (j === 0 ? 0.5 : count - 0.5), textAnchor: "end", dx: -6, text: (d) => d, fill: "var(--muted)" }),
        lastRow ? Plot.axisX({ ticks: width < 520 ? 5 : 10, fill: "var(--muted)", stroke: "var(--faint)", tickSize: 4, label: `time (${unit.name}) →`, labelAnchor: "right", labelOffset: 36 }) : null,
      ],
    });
    const x = plot.scale("x"), y = plot.scale("y");
    return withHover(plot, (pointer) => {
      const row = Math.floor(y.invert(pointer.y));
      const bucket = Math.floor((unit.size * x.invert(pointer.x)) / rows.bucket_s);
      const tasks = rows.tasks_per_worker[row]?.[bucket];
      if (tasks === undefined || bucket * rows.bucket_s >= end) return null;
      const first = row * rows.workers_per_row, last = Math.min(observed.workers, first + rows.workers_per_row) - 1;
      const from = unit.of(bucket * rows.bucket_s), to = Math.min(unit.of((bucket + 1) * rows.bucket_s), unit.of(end));
      return {
        x: x.apply(to), y: y.apply(row + 0.5),
        title: `${spoken(policy)}, worker${first === last ? ` ${first}` : `s ${first}–${last}`}`,
        rows: [{ name: `${number(from)}–${number(to)} ${unit.name}`, value: `${number(tasks)} tasks${first === last ? "" : " each"}` }],
        outline: { x: x.apply(from), y: y.apply(row), width: Math.max(1, x.apply(to) - x.apply(from)), height: y.apply(row + 1) - y.apply(row) },
      };
    });
  });
}

export function workerRowsFigure(report, policies, words) {
  const { observed } = report;
  const perRow = observed.policies[0].rows.workers_per_row;
  const limits = limitsOf(observed);
  const scale = element("ul.scale", {}, "Tasks at the worker, the running one included:",
    ...["none", "up to ½", ...limits.slice(2).map((limit) => `up to ${number(limit)}`), "more"].map((text, step) => element("li", {}, swatch(`var(--heat${step})`), text)));
  const drawn = figure({
    id: "workers",
    title: "Is the work spread evenly?",
    note: `One strip per ${perRow === 1 ? "worker" : `${perRow} workers`}, ${words.run}. Dark streaks beside pale ones: tasks wait at one worker while others are idle. What waits in a common queue belongs to no worker and is not in it.`,
    controls: [scale],
    draw: (width) => draw(width, observed, policies, limits),
    long: observed.policies[0].rows.tasks_per_worker.length > 32,
    table: () => table(
      [{ title: perRow === 1 ? "Worker" : "Workers", name: true }, ...observed.policies.map(({ policy }) => ({ title: spoken(policy) }))],
      observed.policies[0].rows.tasks_per_worker.map((_, row) => [perRow === 1 ? String(row) : `${row * perRow}–${Math.min(observed.workers, (row + 1) * perRow) - 1}`,
        ...observed.policies.map(({ rows }) => {
          const values = rows.tasks_per_worker[row];
          const mean = values.reduce((sum, tasks) => sum + tasks, 0) / values.length;
          return { value: mean, text: number(mean, 3) };
        })])),
  });
  policies.onChange(() => drawn.redraw());
  return drawn.node;
}
