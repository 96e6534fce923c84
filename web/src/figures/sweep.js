// How a figure changes with what is swept: p99 against workers, with intervals and the objective as a line.
import * as Plot from "@observablehq/plot";
import { choice, figure, nothing, table } from "../figure.js";
import { duration, linearTicks, logTicks, number, objective, percent, shortened, spoken, timeUnit, verdictMark } from "../format.js";
import { fleetColumns } from "../fleet_columns.js";
import { nearest, withHover } from "../hover.js";
import { axisStyle, endLabels, labelWidth, widths } from "../plot_style.js";
import { keyName } from "../study.js";

const statistics = [["p99", "99th percentile"], ["p95", "95th percentile"], ["p50", "median"], ["mean", "mean"]];

// What can be looked at: the objectives first, then the usual statistics of the response time.
function quantitiesOf(study) {
  const slo = study.points.flatMap(({ policies }) => policies).find((policy) => policy.slo?.length > 0)?.slo ?? [];
  const quantities = slo.map(({ objective: name, class: ofClass, stage, limit }, i) => {
    const { text, isTime } = objective(name, ofClass ?? stage);
    return { text, isTime, limit, of: (policy) => policy.slo?.[i], verdict: (policy) => policy.slo?.[i]?.verdict };
  });
  for (const [statistic, name] of statistics) {
    const text = `${name} of the response time`;
    if (!slo.some((entry) => entry.objective === `${statistic}_response` && !entry.class && !entry.stage))
      quantities.push({ text, isTime: true, limit: null, of: (policy) => policy.response?.[statistic] });
  }
  const [measured] = study.points.flatMap(({ policies }) => policies);
  for (const part of ["classes", "stages"])
    (measured?.[part] ?? []).forEach((group, i) => {
      const name = group.class ?? group.stage;
      if (!slo.some((entry) => entry.objective === "p99_response" && (entry.class ?? entry.stage) === name))
        quantities.push({ text: `p99 response time of ${name}`, isTime: true, limit: null, of: (policy) => policy[part]?.[i].response?.p99 });
    });
  for (const { key, text, isPlain, of } of fleetColumns)
    if (measured?.[key] !== undefined) quantities.push({ text, isTime: false, isPlain, limit: null, of });
  quantities.push({ text: "utilisation", isTime: false, limit: null, of: (policy) => policy.utilisation });
  return quantities;
}

// The scale of the figures: one that shows what is near the objective, however far others are from it.
function scaleOf(low, high, limit) {
  if (low > 0 && high / low > (limit === null ? 8 : 3)) return { type: "log", domain: [low / 1.15, high * 1.08] };
  // Of shares that reach down to none at all: even up to the objective, logarithmic beyond.
  if (low === 0 && limit > 0 && high > 6 * limit) return { type: "symlog", constant: limit, domain: [0, high * 1.15] };
  return { type: "linear", domain: [Math.min(0, low), high > 0 ? high * 1.08 : 1] };
}

function ticksOf({ type, constant, domain: [low, high] }, unit) {
  if (type === "log") return logTicks(low, high, 9);
  return type === "symlog" ? [0, ...logTicks(constant, high, 7)] : linearTicks(high, unit);
}

// A time, a plain number, or a share.
function textOf({ isTime, isPlain }) {
  return isTime ? (value) => duration(value) : isPlain ? (value) => number(value) : (value) => percent(value);
}

function seriesRows(study, quantity, group) {
  return group.points.flatMap(({ index, x, value }) => study.points[index].policies.flatMap((policy) => {
    const estimate = quantity.of(policy);
    if (!estimate || !Number.isFinite(estimate.value)) return [];
    const half = estimate.half_width ?? 0;
    return [{ x, at: value, policy: policy.policy, y: estimate.value, low: estimate.value - half, high: estimate.value + half,
      half: estimate.half_width, verdict: quantity.verdict?.(policy) }];
  }));
}

function draw(width, rows, quantity, series, policies) {
  const shown = rows.filter(({ policy }) => policies.shown.includes(policy));
  if (shown.length === 0) return nothing();
  const names = policies.shown.filter((name) => shown.some(({ policy }) => policy === name));
  const narrow = width < 560;
  const label = (name) => shortened(name, narrow ? 15 : 26);
  const longest = Math.max(...names.map((name) => labelWidth(label(name), narrow)));
  const values = [...shown.map(({ y }) => y), ...(quantity.limit > 0 ? [quantity.limit] : [])];
  const high = Math.max(...shown.map((row) => row.high), ...values), low = Math.min(...values);
  const scale = scaleOf(low, high, quantity.limit);
  const unit = quantity.isTime ? timeUnit(scale.type === "log" ? Math.sqrt(low * high) : high) : null;
  const text = textOf(quantity);
  const xs = [...new Set(shown.map(({ x }) => x))];
  if (series.numeric) xs.sort((a, b) => a - b);
  const ends = names.map((name) => shown.filter(({ policy }) => policy === name).at(-1));
  const height = Math.round(Math.min(460, Math.max(320, width * 0.52)));

  // Marks at the values themselves, unless these are crowded.
  const nameAt = new Map(shown.map((row) => [row.x, row.at]));
  const most = narrow ? 6 : 12;
  const xLog = series.numeric && xs[0] > 0 && xs.at(-1) / xs[0] > 15;
  const place = (x) => (xLog ? Math.log(x / xs[0]) / Math.log(xs.at(-1) / xs[0]) : (x - xs[0]) / (xs.at(-1) - xs[0]));
  const thinned = xs.filter((_, i) => i % Math.ceil(xs.length / most) === 0);
  const crowded = series.numeric && thinned.some((x, i) => i > 0 && place(x) - place(thinned[i - 1]) < 0.75 / most);
  const positions = !crowded ? thinned : xLog ? logTicks(xs[0], xs.at(-1), most) : linearTicks(xs.at(-1)).filter((x) => x >= xs[0]);
  const [bottom] = scale.domain;
  const ticks = ticksOf(scale, unit);
  const limitName = quantity.limit === null ? "" : `SLO ${text(quantity.limit)}`;
  // The limit stands among the axis's numbers; those that it would cover give way.
  const { apply: share } = Plot.scale({ y: { ...scale, range: [0, 1] } });
  const nearLimit = (y) => quantity.limit !== null && Math.abs(share(y) - share(quantity.limit)) < 0.045;

  const endsOf = (scales) => ends.map(({ x, y, policy }) => ({
    x: scales.x.apply(x) + (scales.x.bandwidth ?? 0) / 2, y: scales.y.apply(y), text: label(policy), colour: policies.colour(policy) }));

  const lines = names.map((name) => shown.filter(({ policy }) => policy === name));
  const wide = widths(lines.map((own) => own.map(({ y }) => y)));

  const plot = Plot.plot({
    width, height, style: axisStyle, marginTop: 30, marginBottom: 44, marginLeft: Math.max(narrow ? 48 : 56, 14 + 7.5 * limitName.length), marginRight: 20 + longest,
    x: series.numeric ? { type: xLog ? "log" : "linear", label: null } : { type: "point", domain: xs, label: null },
    y: { ...scale, label: null },
    marks: [
      Plot.gridY(ticks, { stroke: "var(--grid)", strokeOpacity: 1 }),
      Plot.axisX(positions, { text: (x) => nameAt.get(x) ?? number(x), fill: "var(--muted)", stroke: "var(--faint)", tickSize: 4, label: `${keyName(series.key)} →`, labelAnchor: "right", labelOffset: 40 }),
      Plot.axisY(ticks, { text: (y) => (nearLimit(y) ? "" : unit ? number(unit.of(y), 3) : text(y)), tickSize: 0, fill: "var(--muted)", label: `↑ ${quantity.text}${unit ? ` (${unit.name})` : ""}` }),
      ...names.flatMap((name, i) => {
        const own = lines[i];
        const colour = policies.colour(name);
        return [
          series.numeric ? Plot.areaY(own, { x: "x", y1: (d) => Math.max(d.low, bottom), y2: "high", fill: colour, fillOpacity: 0.14 }) : null,
          Plot.ruleX(own.filter(({ half }) => half > 0), { x: "x", y1: (d) => Math.max(d.low, bottom), y2: "high", stroke: colour, strokeWidth: 1.5 }),
          series.numeric ? Plot.line(own, { x: "x", y: "y", stroke: colour, strokeWidth: wide[i], strokeDasharray: policies.dash(name) }) : null,
          Plot.dot(own, { x: "x", y: "y", r: 4, symbol: policies.symbol(name), stroke: colour, strokeWidth: 1.75, fill: (d) => (d.verdict === "met" || !d.verdict ? colour : "var(--surface)") }),
        ];
      }),
      Plot.ruleY([bottom], { stroke: "var(--faint)" }),
      quantity.limit !== null ? Plot.ruleY([quantity.limit], { stroke: "var(--ink)", strokeDasharray: "4 3" }) : null,
      quantity.limit !== null ? Plot.text([limitName], { x: () => xs[0], y: () => quantity.limit, dx: series.numeric ? -10 : -20, textAnchor: "end", fontWeight: 600, fill: "var(--ink)" }) : null,
      endLabels(endsOf, { narrow, right: width - 4, top: 38, bottom: height - 52 }),
    ],
  });

  const x = plot.scale("x"), y = plot.scale("y");
  return withHover(plot, (pointer) => {
    const at = nearest(xs, x.apply, pointer.x);
    const here = shown.filter((row) => row.x === at).sort((a, b) => b.y - a.y);
    if (here.length === 0) return null;
    return {
      x: x.apply(at), y: pointer.y, title: series.key === "pool.workers" ? `${here[0].at} workers` : `${series.key} = ${here[0].at}`,
      rows: here.map((row) => ({ mark: policies.mark(row.policy), name: spoken(row.policy),
        value: `${text(row.y)}${row.half > 0 ? ` ± ${text(row.half)}` : ""}${verdictMark(row.verdict)}` })),
      dots: here.map((row) => ({ x: x.apply(at), y: y.apply(row.y), colour: policies.colour(row.policy) })),
      lines: [{ x1: x.apply(at), x2: x.apply(at), y1: 30, y2: height - 44 }],
    };
  });
}

// quantities: [{text, isTime, isPlain, limit, of(policy) -> {value, half_width}, verdict(policy)}]
// words: {id, title, note}, where it is not the workers or the keys of a sweep that change.
export function sweepFigure(study, policies, series, quantities = quantitiesOf(study), words = {}) {
  if (!series || quantities.length === 0) return null;
  let quantity = 0;
  let group = 0;
  const rows = () => seriesRows(study, quantities[quantity], series.groups[group]);
  const cells = () => {
    const all = rows();
    const { isTime, isPlain } = quantities[quantity];
    const unit = isTime ? timeUnit(Math.max(...all.map(({ y }) => y))) : isPlain ? { name: "", of: (value) => value } : { name: "%", of: (share) => 100 * share };
    return table(
      [{ title: `${spoken(quantities[quantity].text)}${unit.name === "" ? "" : ` in ${unit.name}`}`, name: true }, ...series.groups[group].points.map(({ value }) => ({ title: value }))],
      policies.names.map((name) => [spoken(name), ...series.groups[group].points.map(({ x }) => {
        const row = all.find((candidate) => candidate.policy === name && candidate.x === x);
        return row ? { value: row.y, text: number(unit.of(row.y)), plusMinus: row.half ? number(unit.of(row.half), 2) : null } : "–";
      })]));
  };
  const controls = [
    choice("Show", quantities.map(({ text }, value) => ({ value, text })), quantity, (value) => { quantity = Number(value); drawn.redraw(); }),
  ];
  if (series.groups.length > 1)
    controls.push(choice("Where", series.groups.map(({ name }, value) => ({ value, text: name })), group, (value) => { group = Number(value); drawn.redraw(); }));
  const drawn = figure({
    id: words.id ?? "sweep",
    title: words.title ?? (series.key === "pool.workers" ? "What do more workers buy?" : `What does ${series.key} change?`),
    note: `${words.note ?? ""}Bands and bars are ${number(100 * study.confidence)}% confidence intervals.${quantities[0].limit !== null ? " Filled marks meet the objective for sure." : ""}`,
    controls: [...controls, policies.legend()],
    draw: (width) => draw(width, rows(), quantities[quantity], series, policies),
    table: cells,
  });
  policies.onChange(() => drawn.redraw());
  return drawn.node;
}
