// The answer: the smallest value at which each policy meets the objectives.
import * as Plot from "@observablehq/plot";
import { choice, figure, table } from "../figure.js";
import { duration, number, objective, percent, shortened, spoken } from "../format.js";
import { axisStyle } from "../plot_style.js";
import { keyName } from "../study.js";

function draw(width, rows, policies) {
  const most = Math.max(...rows.map(({ value }) => value ?? 0));
  const shown = rows.filter(({ policy }) => policies.shown.includes(policy));
  const longest = Math.max(...shown.map(({ policy }) => shortened(policy).length));
  return Plot.plot({
    width, height: 30 * shown.length + 8, style: { ...axisStyle, fontSize: "13px" },
    marginLeft: Math.min(width * 0.42, 12 + 7.2 * longest), marginRight: rows.some(({ cost }) => cost !== null) ? 110 : 44, marginTop: 4, marginBottom: 4,
    x: { axis: null, domain: [0, most] },
    y: { axis: null, label: null, domain: shown.map(({ policy }) => policy), padding: 0.34 },
    marks: [
      Plot.axisY({ tickSize: 0, tickFormat: (name) => shortened(name), fill: "var(--ink)" }),
      Plot.barX(shown.filter(({ value }) => value !== null), { x: "value", y: "policy", fill: (row) => policies.colour(row.policy), rx2: 2 }),
      Plot.text(shown.filter(({ value }) => value !== null), { x: "value", y: "policy", text: (row) => (row.cost === null ? number(row.value) : `${number(row.value)} · ${row.cost.toFixed(2)}/h`), textAnchor: "start", dx: 7, fontWeight: 600, fill: "var(--ink)" }),
      Plot.text(shown.filter(({ value }) => value === null), { x: 0, y: "policy", text: () => `${width < 520 ? "not met" : "not met with any that was tried"}, up to ${number(rows[0].tried)}`, textAnchor: "start", dx: 6, fill: "var(--muted)", fontStyle: "italic" }),
      Plot.ruleX([0], { stroke: "var(--faint)" }),
    ],
  });
}

// Null where no policy meets the objectives, or nobody asked.
export function neededFigure(study, policies, series) {
  const { smallest, points } = study;
  if (!series?.numeric || smallest.length === 0 || smallest.every(({ value }) => value === null)) return null;
  const key = smallest[0].key;
  const wheres = [...new Set(smallest.map(({ where }) => where))];
  let where = wheres[0];
  const tried = Math.max(...points.map(({ values }) => Number(values[key])));
  const rows = () => smallest.filter((answer) => answer.where === where)
    .map(({ policy, value, cost = null }) => ({ policy, value: value === null ? null : Number(value), cost, tried }))
    .sort((a, b) => (a.value ?? Infinity) - (b.value ?? Infinity));
  const priced = rows().some(({ cost }) => cost !== null);
  const slo = points[0].policies.find((policy) => policy.slo)?.slo
    .map(({ objective: name, class: ofClass, stage, limit }) => { const { text, isTime } = objective(name, ofClass ?? stage); return `${text} ≤ ${isTime ? duration(limit) : percent(limit)}`; }).join(" and ");
  const drawn = figure({
    id: "needed",
    title: key === "pool.workers" ? "How many workers does each policy need?" : `Which ${keyName(key)} is enough?`,
    note: `The smallest ${keyName(key) === "workers" ? "number of workers" : "value"} that meets the objective${slo ? ` (${slo})` : ""} with ${number(100 * (study.verdictConfidence ?? study.confidence))}% confidence, as do all larger ones that were tried.`,
    controls: wheres.length > 1 ? [choice("Where", wheres.map((value) => ({ value, text: value })), where, (value) => { where = value; drawn.redraw(); })] : [],
    draw: (width) => draw(width, rows(), policies),
    table: () => table([{ title: "Policy", name: true }, { title: `Smallest ${key}` }, ...(priced ? [{ title: "Cost per hour" }] : [])],
      rows().map(({ policy, value, cost }) => [spoken(policy), value === null ? "none" : { value, text: number(value) },
        ...(priced ? [cost === null ? "–" : { value: cost, text: cost.toFixed(2) }] : [])])),
  });
  policies.onChange(() => drawn.redraw());
  return drawn.node;
}
