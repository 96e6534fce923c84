// How far predictions are off: each figure's error relative to what was measured.
import * as Plot from "@observablehq/plot";
import { element } from "../dom.js";
import { figure, table } from "../figure.js";
import { duration, number, percent, spoken } from "../format.js";
import { nearest, withHover } from "../hover.js";
import { axisStyle } from "../plot_style.js";
import { Policies } from "../policies.js";

// As in the other charts of the page.
const runs = new Policies(["measured", "predicted, same work", "predicted, fitted work"]);
const sameWork = runs.look("predicted, same work");
const fittedWork = runs.look("predicted, fitted work");

// Of another run than the recorded one it is no error, but a change.
function offBy(prediction) {
  return prediction && { ...prediction, error: prediction.error ?? prediction.change ?? null };
}

function rowsOf({ figures }) {
  return Object.entries(figures).map(([name, { measured, same_work: same, fitted }]) => ({
    name: spoken(name), isTime: name !== "utilisation", measured, same: offBy(same), fitted: offBy(fitted),
    // Errors are undefined where nothing was measured.
    shown: measured > 0 && same.predicted !== null,
  }));
}

// What a figure's cells say.
const cell = (row, amount) => ({ value: amount, text: row.isTime ? duration(amount, 4) : percent(amount, 4) });
const signed = (share) => `${share > 0 ? "+" : ""}${percent(share)}`;
const share = (amount) => ({ value: amount, text: signed(amount) });

// `predictedBy`: what a row's `same` is called.
function draw(width, rows, predictedBy = "same work") {
  const shown = rows.filter((row) => row.shown);
  const error = (value, row) => value / row.measured - 1;
  const all = shown.flatMap((row) => [row.same.error, ...(row.fitted ? [row.fitted.error, error(row.fitted.low, row), error(row.fitted.high, row)] : [])]).filter(Number.isFinite);
  // A range may reach far to the right: what is beyond twice the measured value is cut off.
  const low = Math.min(-0.02, ...all), high = Math.min(Math.max(0.02, ...all), Math.max(1, ...shown.map((row) => row.same.error * 1.2)));
  const rowHeight = 44;
  const value = (row) => (row.isTime ? duration(row.measured) : percent(row.measured));
  const plot = Plot.plot({
    width, height: shown.length * rowHeight + 50, style: { ...axisStyle, fontSize: "13px" }, clip: true,
    marginTop: 6, marginBottom: 44, marginLeft: Math.min(190, width * 0.4), marginRight: 16,
    x: { domain: [low * 1.08, high * 1.08], axis: null }, y: { type: "band", domain: shown.map(({ name }) => name), axis: null, padding: 0 },
    marks: [
      Plot.gridX({ ticks: width < 520 ? 4 : 8, stroke: "var(--grid)", strokeOpacity: 1 }),
      Plot.axisX({ ticks: width < 520 ? 4 : 8, tickFormat: signed, fill: "var(--muted)", stroke: "var(--faint)", tickSize: 4, fontSize: 12, label: "predicted above (+) or below (−) measured →", labelAnchor: "right", labelOffset: 40, clip: false }),
      Plot.ruleX([0], { stroke: "var(--ink)" }),
      Plot.text(shown, { x: () => low * 1.08, y: "name", text: "name", textAnchor: "end", dx: -8, dy: -7, fill: "var(--ink)", clip: false }),
      Plot.text(shown, { x: () => low * 1.08, y: "name", text: (row) => `measured ${value(row)}`, textAnchor: "end", dx: -8, dy: 9, fill: "var(--muted)", fontSize: 12, clip: false }),
      Plot.ruleY(shown.filter(({ fitted }) => fitted), { x1: (row) => error(row.fitted.low, row), x2: (row) => error(row.fitted.high, row), y: "name", dy: 7, stroke: fittedWork.colour, strokeWidth: 7, strokeOpacity: 0.25, strokeLinecap: "round" }),
      Plot.dot(shown.filter(({ fitted }) => fitted), { x: (row) => row.fitted.error, y: "name", dy: 7, r: 4.5, symbol: fittedWork.symbol, fill: fittedWork.colour }),
      Plot.dot(shown, { x: (row) => row.same.error, y: "name", dy: -7, r: 4.5, symbol: sameWork.symbol, fill: sameWork.colour }),
    ],
  });
  const y = plot.scale("y"), x = plot.scale("x");
  return withHover(plot, (pointer) => {
    const row = nearest(shown, ({ name }) => y.apply(name) + y.bandwidth / 2, pointer.y);
    if (!row) return null;
    const text = (amount) => (row.isTime ? duration(amount) : percent(amount));
    const middle = y.apply(row.name) + y.bandwidth / 2;
    return {
      x: x.apply(row.same.error), y: middle, title: row.name,
      rows: [{ name: "measured", value: text(row.measured) },
        { mark: runs.mark("predicted, same work"), name: predictedBy, value: `${text(row.same.predicted)} (${signed(row.same.error)})` },
        ...(row.fitted ? [{ mark: runs.mark("predicted, fitted work"), name: "fitted work", value: `${text(row.fitted.predicted)} (${signed(row.fitted.error)})` },
          { name: "such runs", value: `${text(row.fitted.low)} to ${text(row.fitted.high)}` }] : [])],
    };
  });
}

export function predictedFigure({ replay }) {
  const rows = rowsOf(replay);
  const fitted = replay.replications > 0;
  const changes = replay.changes ?? [];
  const distance = changes.length > 0 ? "change" : "error";
  const scale = element("ul.scale", {}, element("li", {}, runs.mark("predicted, same work"), "same work: recorded arrivals and service times"),
    fitted ? element("li", {}, runs.mark("predicted, fitted work"), `fitted work: mean of ${number(replay.replications)} runs, and where ${percent(replay.range_level)} of them lie`) : null);
  return figure({
    id: "predicted",
    title: changes.length > 0 ? "What would be different?" : "How good is the prediction?",
    note: changes.length > 0 ? `Another run than the recorded one: ${changes.join(", ")}. Each figure's change relative to the measured run.` : `Each figure's error relative to the measured run. With the same work it is the error of the pool's model${fitted ? "; with fitted work that of the workload's model comes in addition, and chance" : ""}.`,
    controls: [scale],
    draw: (width) => draw(width, rows),
    table: () => table(
      [{ title: "Figure", name: true }, { title: "measured" }, { title: "same work" }, { title: distance }, ...(fitted ? ["fitted work", distance, "from", "to"].map((title) => ({ title })) : [])],
      rows.map((row) => [row.name, cell(row, row.measured), cell(row, row.same.predicted), share(row.same.error),
        ...(row.fitted ? [cell(row, row.fitted.predicted), share(row.fitted.error), cell(row, row.fitted.low), cell(row, row.fitted.high)] : [])])),
  }).node;
}

// The classes that --class-by told apart, each as measured and as predicted.
export function classesSection({ replay: { classes, changes } }) {
  const times = ["mean_response", "p50_response", "p99_response"];
  const distance = changes.length > 0 ? "change" : "error";
  const rows = classes.map(({ class: name, tasks, figures }) => [name, { value: tasks, text: number(tasks) }, ...times.flatMap((figure) => {
    const { measured, same_work: same } = figures[figure];
    const off = offBy(same).error;
    return [cell({ isTime: true }, measured), cell({ isTime: true }, same.predicted), off === null ? { value: null, text: "–" } : share(off)];
  })]);
  return element("section", { id: "classes" }, element("h2", {}, "And each class?"),
    element("p.note", {}, "As measured, and as predicted from the same work."),
    element("div.scroll", { tabindex: "0", role: "region", "aria-label": "Classes: table" },
      table([{ title: "Class", name: true }, { title: "tasks" }, ...times.flatMap((figure) => [spoken(figure), "same work", distance].map((title) => ({ title })))], rows)));
}

// Of a plan for what was recorded: its first part predicts the rest.
export function backtestFigure({ no_answer: none, fitted_tasks: fitted, predicted_tasks: predicted, workers, figures, reasons }) {
  const title = "Can this be believed?";
  if (none !== null) return element("section", { id: "backtest" }, element("h2", {}, title), element("p.note", {}, `No back-test: ${none}.`));
  const rows = Object.entries(figures).map(([name, tested]) => ({
    name: spoken(name), isTime: name !== "utilisation", measured: tested.measured, same: tested, shown: tested.measured > 0,
  }));
  return figure({
    id: "backtest",
    title,
    note: `The law of work was fitted to the first ${number(fitted)} tasks, and predicts the other ${number(predicted)}, served by ${number(workers)} workers, from when they came.${reasons.map((reason) => ` Off: ${reason}.`).join("")}`,
    draw: (width) => draw(width, rows, "predicted"),
    table: () => table(
      [{ title: "Figure", name: true }, ...["measured", "predicted", "error", "from", "to"].map((name) => ({ title: name }))],
      rows.map((row) => [row.name, cell(row, row.measured), cell(row, row.same.predicted), share(row.same.error), cell(row, row.same.low), cell(row, row.same.high)])),
  }).node;
}
