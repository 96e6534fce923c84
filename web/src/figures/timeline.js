// The busiest moment, task by task: what each worker served, and how long that had waited.
import * as Plot from "@observablehq/plot";
import { element } from "../dom.js";
import { choice, figure, table } from "../figure.js";
import { duration, number, roundBelow, spanUnit, spoken, timeUnit } from "../format.js";
import { withHover } from "../hover.js";
import { axisStyle } from "../plot_style.js";
import { swatch } from "../policies.js";

function tasksOf({ worker, arrival, start, end }) {
  return worker.map((id, i) => ({ worker: id, arrival: arrival[i], start: start[i], end: end[i], wait: start[i] - arrival[i] }));
}

// Upper ends of the steps of the scale: no wait, then round numbers below the longest wait of any policy.
function limitsOf(policies) {
  const most = Math.max(...policies.flatMap((policy) => tasksOf(policy.tasks).map(({ wait }) => wait)), 0);
  return most > 0 ? [0, ...roundBelow(most, 3), Infinity] : [Infinity];
}

function draw(width, observed, policy, limits) {
  const length = observed.window.to_s - observed.window.from_s;
  const unit = timeUnit(length / 2);
  const tasks = tasksOf(policy.tasks);
  const rows = Math.min(observed.workers, 64);
  const rowHeight = Math.min(18, Math.max(7, Math.floor(420 / rows)));
  const step = (wait) => limits.findIndex((limit) => wait <= limit);
  const plot = Plot.plot({
    width, height: rows * rowHeight + 46, style: axisStyle, marginTop: 6, marginBottom: 40, marginLeft: 44, marginRight: 12,
    x: { domain: [0, unit.of(length)], axis: null }, y: { domain: [0, rows], axis: null, reverse: true },
    marks: [
      Plot.gridX({ ticks: width < 520 ? 5 : 10, stroke: "var(--grid)", strokeOpacity: 1 }),
      Plot.axisX({ ticks: width < 520 ? 5 : 10, fill: "var(--muted)", stroke: "var(--faint)", tickSize: 4, label: `time since ${describeMoment(observed.window.from_s)} (${unit.name}) →`, labelAnchor: "right", labelOffset: 36 }),
      Plot.rect(tasks, {
        x1: (d) => unit.of(Math.max(0, d.start)), x2: (d) => unit.of(Math.min(length, d.end)), y1: "worker", y2: (d) => d.worker + 1,
        insetTop: 0.5, insetBottom: 0.5, fill: (d) => `var(--wait${step(d.wait)})`, stroke: "var(--surface)", strokeWidth: 0.75 }),
      Plot.text([0, rows - 1], { x: 0, y: (worker) => worker + 0.5, text: (worker) => String(worker), textAnchor: "end", dx: -6, fill: "var(--muted)" }),
      rows * rowHeight < 120 ? null : Plot.text([rows < observed.workers ? `the first ${rows} of ${number(observed.workers)} workers` : `${number(rows)} workers`], { frameAnchor: "left", rotate: -90, dx: -30, fill: "var(--muted)" }),
    ],
  });
  const x = plot.scale("x"), y = plot.scale("y");
  return withHover(plot, (pointer) => {
    const worker = Math.floor(y.invert(pointer.y)), at = unit.size * x.invert(pointer.x);
    const task = tasks.find((candidate) => candidate.worker === worker && candidate.start <= at && at < candidate.end);
    if (!task) return null;
    const left = x.apply(unit.of(Math.max(0, task.start))), right = x.apply(unit.of(Math.min(length, task.end)));
    return {
      x: right, y: y.apply(worker + 0.5), title: `Worker ${worker}`,
      rows: [{ name: "arrived at", value: describeMoment(observed.window.from_s + task.arrival) }, { name: "waited", value: duration(task.wait) },
        { name: "was served for", value: duration(task.end - task.start) }, { name: "response time", value: duration(task.end - task.arrival) }],
      outline: { x: left, y: y.apply(worker), width: Math.max(1, right - left), height: rowHeight },
    };
  });
}

function describeMoment(seconds) {
  const unit = spanUnit(seconds);
  return seconds === 0 ? "the start" : `${number(unit.of(seconds), 5)} ${unit.name}`;
}

// Null where the window holds no task.
export function timelineFigure(report, policies, words) {
  const { observed } = report;
  if (observed.policies.every(({ tasks }) => tasks.worker.length === 0)) return null;
  const limits = limitsOf(observed.policies);
  let policy = observed.policies[0];
  const scale = element("ul.scale", {}, "Waited:", ...limits.map((limit, step) =>
    element("li", {}, swatch(`var(--wait${step})`), step === 0 ? "not at all" : limit === Infinity ? "longer" : `up to ${duration(limit)}`)));
  const note = () => {
    const left = policy.tasks.left_out;
    return `Every bar is a task on its worker; colour says how long it had waited before. ${words.moment}${left > 0 ? ` ${number(left)} tasks more are left out.` : ""}`;
  };
  const drawn = figure({
    id: "timeline",
    title: "What happens in the busiest moment?",
    note: note(),
    controls: [observed.policies.length === 1 ? null : choice(words.choose, observed.policies.map((other) => ({ value: other.policy, text: spoken(other.policy) })), policy.policy, (value) => {
      policy = observed.policies.find((other) => other.policy === value);
      drawn.node.querySelector(".note").textContent = note();
      drawn.redraw();
    }), scale],
    draw: (width) => draw(width, observed, policy, limits),
    long: true,
    table: () => table([{ title: "Worker", name: true }, ...["Arrival", "Start", "End", "Wait"].map((title) => ({ title: `${title} (s)` }))],
      tasksOf(policy.tasks).map((task) => [String(task.worker), ...["arrival", "start", "end", "wait"].map((key) => ({ value: task[key], text: number(task[key], 6) }))])),
  });
  return drawn.node;
}
