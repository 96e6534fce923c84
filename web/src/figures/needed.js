// The answer: the smallest value at which each policy meets the objectives.
import * as Plot from "@observablehq/plot";
import { choice, figure, table } from "../figure.js";
import { duration, number, objective, percent, shortened, spoken, verdictMark, verdictText } from "../format.js";
import { axisStyle } from "../plot_style.js";
import { keyName } from "../study.js";

// Why there is no value, in the words of the chart and of the table.
const noValue = {
  missed: { long: (tried) => `not met with any that was tried, up to ${tried}`, short: (tried) => `not met up to ${tried}`, cell: "none" },
  unclear: { long: (tried) => `too close to call, even with ${tried}`, short: () => "too close to call", cell: "unclear" },
  "not measured": { long: () => "not measured: no task came after the warm-up", short: () => "not measured", cell: "not measured" },
  stopped: { long: () => "not known: stopped early", short: () => "not known", cell: "not known" },
};

function draw(width, rows, policies) {
  const most = Math.max(...rows.map(({ value }) => value ?? 0));
  const shown = rows.filter(({ policy }) => policies.shown.includes(policy));
  const narrow = width < 520;
  const labels = new Map(shown.map(({ name, short }) => [name, shortened((narrow && short) || name, narrow ? 18 : 30)]));
  const longest = Math.max(...[...labels.values()].map((label) => label.length));
  const amount = ({ value, cost, verdict }) => `${number(value, 3)}${cost === null ? "" : ` · ${cost.toFixed(2)}/h`}${verdict === "met" ? "" : verdictMark(verdict)}`;
  const known = shown.filter(({ value }) => value !== null);
  return Plot.plot({
    width, height: 30 * shown.length + 8, style: { ...axisStyle, fontSize: "13px" },
    marginLeft: Math.min(width * 0.42, 12 + 7.2 * longest), marginRight: Math.min(width * 0.4, 14 + 8 * Math.max(3, ...known.map((row) => amount(row).length))), marginTop: 4, marginBottom: 4,
    x: { axis: null, domain: [0, most] },
    y: { axis: null, label: null, domain: shown.map(({ name }) => name), padding: 0.34 },
    marks: [
      Plot.axisY({ tickSize: 0, tickFormat: (name) => labels.get(name), fill: "var(--ink)" }),
      // A size that changes is an average: paler.
      Plot.barX(known, { x: "value", y: "name", fill: (row) => policies.colour(row.policy), fillOpacity: (row) => (row.scaled ? 0.4 : 1), rx2: 2 }),
      Plot.text(known, { x: "value", y: "name", text: amount, textAnchor: "start", dx: 7, fontWeight: 600, fill: "var(--ink)" }),
      Plot.text(shown.filter(({ value }) => value === null), { x: 0, y: "name", text: ({ beyond, tried }) => noValue[beyond][narrow ? "short" : "long"](number(tried)), textAnchor: "start", dx: 6, fill: "var(--muted)", fontStyle: "italic" }),
      Plot.ruleX([0], { stroke: "var(--faint)" }),
    ],
  });
}

// Null where no policy meets the objectives, or nobody asked. scaled: [{policy, name, short, value, cost, verdict}], fleets whose size changes.
export function neededFigure(study, policies, series, scaled = []) {
  const { smallest, points } = study;
  if (!series?.numeric || smallest.length === 0 || (scaled.length === 0 && smallest.every(({ value }) => value === null))) return null;
  const key = smallest[0].key;
  const wheres = [...new Set(smallest.map(({ where }) => where))];
  let where = wheres[0];
  const tried = Math.max(...points.map(({ values }) => Number(values[key])));
  const rows = () => [
    ...smallest.filter((answer) => answer.where === where)
      .map(({ policy, value, cost = null, beyond = "missed" }) => ({ policy, name: policy, value: value === null ? null : Number(value), cost, beyond, tried })),
    ...scaled.map((row) => ({ ...row, scaled: true })),
  ].sort((a, b) => (a.value ?? Infinity) - (b.value ?? Infinity));
  const priced = rows().some(({ cost }) => cost !== null);
  const slo = points[0].policies.find((policy) => policy.slo)?.slo
    .map(({ objective: name, class: ofClass, stage, limit }) => { const { text, isTime } = objective(name, ofClass ?? stage); return `${text} ≤ ${isTime ? duration(limit) : percent(limit)}`; }).join(" and ");
  const drawn = figure({
    id: "needed",
    title: key === "pool.workers" ? "How many workers does each policy need?" : `Which ${keyName(key)} is enough?`,
    note: `The smallest ${keyName(key) === "workers" ? "number of workers" : "value"} that meets the objective${slo ? ` (${slo})` : ""} with ${number(100 * (study.verdictConfidence ?? study.confidence))}% confidence, as do all larger ones that were tried.${scaled.length > 0 ? " Pale bars: the average size of the fleet that is scaled, with the same tasks (✗: it misses the objective, ?: too close to call)." : ""}`,
    controls: wheres.length > 1 ? [choice("Where", wheres.map((value) => ({ value, text: value })), where, (value) => { where = value; drawn.redraw(); })] : [],
    draw: (width) => draw(width, rows(), policies),
    table: () => table([{ title: "Policy", name: true }, { title: `Smallest ${key}` }, ...(priced ? [{ title: "Cost per hour" }] : []), ...(scaled.length > 0 ? [{ title: "SLO met", name: true }] : [])],
      rows().map(({ name, value, cost, beyond, verdict }) => [spoken(name), value === null ? noValue[beyond].cell : { value, text: number(value) },
        ...(priced ? [cost === null ? "–" : { value: cost, text: cost.toFixed(2) }] : []),
        ...(scaled.length > 0 ? [verdictText(verdict ?? (value === null ? undefined : "met"))] : [])])),
  });
  policies.onChange(() => drawn.redraw());
  return drawn.node;
}
