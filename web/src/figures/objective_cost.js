// What a stricter or a looser objective would cost, from the sizes that a plan has tried.
import * as Plot from "@observablehq/plot";
import { figure, nothing, table } from "../figure.js";
import { duration, linearTicks, logTicks, number, objective, percent, shortened, spoken, timeUnit } from "../format.js";
import { nearest, withHover } from "../hover.js";
import { axisStyle, endLabels, labelWidth } from "../plot_style.js";

// Per policy the sizes of which no smaller one keeps as strict a limit, strictest first: [{limit, workers, cost}].
function frontier({ trials }) {
  const found = [];
  for (const { workers, cost_per_hour: cost, slo: [first] } of [...trials].sort((a, b) => a.workers - b.workers)) {
    const limit = first.value === null ? NaN : first.value + (first.half_width ?? 0);
    if (limit > 0 && limit < (found[0]?.limit ?? Infinity)) found.unshift({ limit, workers, cost });
  }
  return found;
}

function draw(width, rows, policies, goal) {
  const shown = rows.filter(({ policy }) => policies.shown.includes(policy));
  if (shown.length === 0) return nothing();
  const narrow = width < 560;
  const label = (name) => shortened(name, narrow ? 15 : 26);
  const limits = shown.flatMap(({ steps }) => steps.map(({ limit }) => limit));
  const low = Math.min(goal.limit, ...limits) / 1.1, high = Math.max(goal.limit, ...limits) * 1.15;
  const most = Math.max(...shown.flatMap(({ steps }) => steps.map(({ workers }) => workers)));
  const height = Math.round(Math.min(380, Math.max(280, width * 0.42)));
  const marginRight = 20 + Math.max(...shown.map(({ policy }) => labelWidth(label(policy), narrow)));
  // A size does for every limit up to the next one.
  const line = ({ steps }) => [...steps, { ...steps.at(-1), limit: high }];
  const endsOf = (scales) => shown.map(({ policy, steps }) => ({ x: scales.x.apply(high), y: scales.y.apply(steps.at(-1).workers), text: label(policy), colour: policies.colour(policy) }));
  const unit = goal.isTime ? timeUnit(Math.sqrt(low * high)) : { name: "%", of: (share) => 100 * share };
  const plot = Plot.plot({
    width, height, style: axisStyle, marginTop: 44, marginBottom: 44, marginLeft: 48, marginRight,
    x: { type: "log", domain: [low, high], label: null }, y: { domain: [0, most * 1.06], label: null },
    marks: [
      Plot.gridY(linearTicks(most), { stroke: "var(--grid)", strokeOpacity: 1 }),
      Plot.axisY(linearTicks(most), { tickSize: 0, text: (workers) => number(workers), fill: "var(--muted)", label: "↑ workers" }),
      Plot.axisX(logTicks(low, high, (width - 48 - marginRight) / 60), { text: (limit) => number(unit.of(limit), 3), tickSize: 4, stroke: "var(--faint)", fill: "var(--muted)", label: `${goal.text} at most (${unit.name}) →`, labelAnchor: "right", labelOffset: 40 }),
      ...shown.map((row) => Plot.line(line(row), { x: "limit", y: "workers", curve: "step-after", stroke: policies.colour(row.policy), strokeWidth: 2, strokeDasharray: policies.dash(row.policy) })),
      ...shown.map(({ policy, steps }) => Plot.dot(steps, { x: "limit", y: "workers", r: 4, symbol: policies.symbol(policy), fill: policies.colour(policy) })),
      Plot.ruleX([goal.limit], { stroke: "var(--ink)", strokeDasharray: "4 3" }),
      Plot.text(["SLO"], { x: () => goal.limit, y: () => most * 1.06, dy: -9, fontWeight: 600, fill: "var(--ink)" }),
      Plot.ruleY([0], { stroke: "var(--faint)" }),
      endLabels(endsOf, { narrow, right: width - 4, top: 40, bottom: height - 52 }),
    ],
  });
  const x = plot.scale("x"), y = plot.scale("y");
  return withHover(plot, (pointer) => {
    const limit = x.invert(Math.min(x.range[1], Math.max(x.range[0], pointer.x)));
    const at = nearest([goal.limit, ...limits], x.apply, x.apply(limit));
    const here = shown.flatMap(({ policy, steps }) => {
      const step = steps.filter((each) => each.limit <= at * (1 + 1e-9)).at(-1);
      return step ? [{ policy, ...step }] : [];
    });
    return {
      x: x.apply(at), y: pointer.y, title: `${goal.text} ≤ ${goal.isTime ? duration(at) : percent(at)}`,
      rows: here.map(({ policy, workers, cost }) => ({ mark: policies.mark(policy), name: spoken(policy), value: `${number(workers)}${cost === null ? "" : ` · ${cost.toFixed(2)}/h`}` })),
      dots: here.map(({ policy, workers }) => ({ x: x.apply(at), y: y.apply(workers), colour: policies.colour(policy) })),
      lines: [{ x1: x.apply(at), x2: x.apply(at), y1: y.range[0], y2: y.range[1] }],
    };
  });
}

// names: of the plan's rows. Null where only one size was tried.
export function objectiveCostFigure({ slo: [first], rows: planned, price_per_hour: price }, names, policies) {
  const rows = planned.map((row, i) => ({ policy: names[i], steps: frontier(row) })).filter(({ steps }) => steps.length > 0);
  if (!(first.limit > 0) || rows.every(({ steps }) => steps.length < 2)) return null;
  const goal = { ...objective(first.objective, first.class ?? first.stage), limit: first.limit };
  const text = goal.isTime ? duration : percent;
  const drawn = figure({
    id: "objective-cost", title: "What would another objective cost?",
    note: `The fewest workers${price === null ? "" : ` (at ${number(price)} per hour each)`}, of the sizes that were tried, that keep the ${goal.text} below so much for sure. Sizes between were not tried: fewer may do.`,
    controls: [policies.legend()],
    draw: (width) => draw(width, rows, policies, goal),
    table: () => table([{ title: "Policy", name: true }, { title: `${goal.text} at most` }, { title: "workers" }, ...(price === null ? [] : [{ title: "cost per hour" }])],
      rows.flatMap(({ policy, steps }) => steps.map(({ limit, workers, cost }) => [spoken(policy), { value: limit, text: text(limit) }, { value: workers, text: number(workers) },
        ...(price === null ? [] : [{ value: cost, text: cost.toFixed(2) }])]))),
  });
  policies.onChange(() => drawn.redraw());
  return drawn.node;
}
