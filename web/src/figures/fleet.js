// The fleet that was recorded: what it is, when its work comes, and how long that takes.
import * as Plot from "@observablehq/plot";
import { element } from "../dom.js";
import { figure, table } from "../figure.js";
import { duration, number, percent, spanUnit, spoken } from "../format.js";
import { nearest, withHover } from "../hover.js";
import { axisStyle } from "../plot_style.js";
import { Policies } from "../policies.js";
import { curvesFigure } from "./distribution.js";

// 1 is what chance alone makes of arrivals; the same for times that are exponential.
function variability(scv) {
  const cv = Math.sqrt(scv);
  const word = cv < 0.5 ? "even" : cv < 0.9 ? "rather even" : cv <= 1.1 ? "as by chance" : cv <= 2 ? "uneven" : "very uneven";
  return `${number(cv, 2)} (${word})`;
}

function span(seconds) {
  const unit = spanUnit(seconds);
  return `${number(unit.of(seconds), 3)} ${unit.name}`;
}

// What --class-by told apart.
function classTable(classes) {
  const time = (seconds) => ({ value: seconds, text: duration(seconds) });
  const all = classes.reduce((sum, { tasks }) => sum + tasks, 0);
  return table([{ title: "Class", name: true }, ...["tasks", "share", "mean response", "p50", "p95", "p99", "mean service"].map((title) => ({ title }))],
    classes.map(({ class: name, tasks, response, service }) => [name, { value: tasks, text: number(tasks) }, { value: tasks / all, text: percent(tasks / all) },
      time(response.mean), time(response.p50), time(response.p95), time(response.p99), time(service.mean)]));
}

export function fleetSection({ tasks, length, workers, policy, rate, gap_scv: gaps, service, utilisation, classes = [] }) {
  const facts = [
    ["Tasks", `${number(tasks)} in ${span(length)}`], ["Rate", `${number(rate, 3)} per second`], ["Variation of the gaps", variability(gaps)],
    ["Work", `${duration(service.mean)} each, ${duration(service.min)} to ${duration(service.max)}`], ["Variation of the work", variability(service.scv)],
    ["Workers", `${number(workers)}, ${spoken(policy)}`], ["Busy", percent(utilisation)],
  ];
  return element("section", { id: "fleet" }, element("h2", {}, "What is there?"),
    element("p.note", {}, "The recorded fleet. Variation: standard deviation by mean; 1 is that of exponential times, 0 of equal ones."),
    element("dl.facts", {}, ...facts.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)))),
    classes.length > 0 ? element("div.scroll", { tabindex: "0", role: "region", "aria-label": "Classes: table" }, classTable(classes)) : null);
}

function drawLoad(width, rows, ends, unit, label) {
  const most = Math.max(1, ...rows.map(({ utilisation }) => utilisation)) * 1.05;
  const height = Math.round(Math.max(200, Math.min(260, width * 0.3)));
  const plot = Plot.plot({
    width, height, style: axisStyle, marginTop: 26, marginBottom: 40, marginLeft: 48, marginRight: 12,
    x: { domain: [unit.of(rows[0].from), unit.of(ends.at(-1))], label: null }, y: { domain: [0, most], label: null },
    marks: [
      Plot.gridY({ ticks: 5, stroke: "var(--grid)", strokeOpacity: 1 }),
      Plot.axisY({ ticks: 5, tickSize: 0, fill: "var(--muted)", tickFormat: (share) => percent(share), label: "↑ of the workers' time" }),
      Plot.axisX({ ticks: width < 520 ? 5 : 10, fill: "var(--muted)", stroke: "var(--faint)", tickSize: 4, label: `${label} →`, labelAnchor: "right", labelOffset: 36 }),
      Plot.rect(rows, { x1: (row) => unit.of(row.from), x2: (_, i) => unit.of(ends[i]), y1: 0, y2: "utilisation", fill: "var(--c0)", insetLeft: 0.5, insetRight: 0.5 }),
      Plot.ruleY([1], { stroke: "var(--ink)", strokeDasharray: "4 3" }),
      Plot.ruleY([0], { stroke: "var(--faint)" }),
    ],
  });
  const x = plot.scale("x"), y = plot.scale("y");
  const middle = (row) => x.apply((unit.of(row.from) + unit.of(ends[rows.indexOf(row)])) / 2);
  return withHover(plot, (pointer) => {
    const row = nearest(rows, middle, pointer.x);
    return {
      x: middle(row), y: y.apply(row.utilisation), title: `${number(unit.of(row.from), 3)}–${number(unit.of(ends[rows.indexOf(row)]), 3)} ${unit.name}`,
      rows: [{ name: "tasks per second", value: number(row.rate, 3) }, { name: "work of one", value: duration(row.work) }, { name: "of the workers' time", value: percent(row.utilisation) }],
    };
  });
}

export function loadFigure({ load: { by, rows }, length, workers }) {
  const hours = by !== "time";
  const ends = rows.map(({ from }, i) => (hours ? from + 1 : (rows[i + 1]?.from ?? length)));
  const unit = hours ? { name: "h", of: (hour) => hour } : spanUnit(length);
  const label = hours ? by : `time (${unit.name})`;
  return figure({
    id: "load", title: "When does the work come?",
    note: `How much of the time of ${number(workers)} workers is needed for what comes${hours ? `, by ${by}` : ""}. Above 100% it has to wait for better times.`,
    draw: (width) => drawLoad(width, rows, ends, unit, label),
    table: () => table([{ title: label, name: true }, { title: "tasks per second" }, { title: "work of one" }, { title: "of the workers' time" }],
      rows.map(({ from, rate, work, utilisation }) => [number(unit.of(from), 3), { value: rate, text: number(rate) }, { value: work, text: duration(work) }, { value: utilisation, text: percent(utilisation) }])),
  }).node;
}

// Beside what was recorded and fitted, the law that is taken most often.
export function serviceFigure({ service, service_times: curves }) {
  const exponential = { policy: "exponential", seconds: curves[0].share.map((share) => -Math.log(Math.min(share, 0.9999)) * service.mean), share: curves[0].share };
  const all = [...curves, exponential];
  return curvesFigure(all, new Policies(all.map(({ policy }) => policy)), {
    id: "service-times", title: "How long does the work take?", axis: "Service time",
    note: `Recorded, as fitted (a table of quantiles, nowhere off by more than ${percent(service.ks, 2)} of the tasks), and as exponential times with the same mean would be.`,
  });
}
