// How long tasks take: the share of tasks that took longer than so much (both scales logarithmic, so that the tail shows).
import * as Plot from "@observablehq/plot";
import { choice, figure, nothing, table } from "../figure.js";
import { fleetColumns } from "../fleet_columns.js";
import { duration, logTicks, number, objective, percent, shareOf, shortened, spoken, timeUnit, verdictText } from "../format.js";
import { nearest, withHover } from "../hover.js";
import { axisStyle, endLabels, labelWidth, widths } from "../plot_style.js";
import { pointName } from "../study.js";

const percentiles = [["p50", 0.5], ["p90", 0.1], ["p95", 0.05], ["p99", 0.01], ["p999", 0.001]];

const title = "How long do tasks take?";
const howToRead = "The further left and the steeper a curve falls, the better. Where it crosses “1 in 100” is the p99: one task in a hundred takes longer.";

function statisticName(name) {
  return name === "p999" ? "p99.9" : name;
}

// Seconds that the share of tasks exceeds, between the values of the curve.
function at(curve, share) {
  const { share: shares, seconds } = curve;
  if (share < shares[shares.length - 1] * (1 - 1e-9)) return null;
  let i = 1;
  while (i < shares.length - 1 && shares[i] > share * (1 + 1e-9)) ++i;
  const part = Math.log(shares[i - 1] / share) / Math.log(shares[i - 1] / shares[i]);
  return seconds[i - 1] + Math.min(1, part) * (seconds[i] - seconds[i - 1]);
}

function draw(width, curves, limits, policies, axis = "Response time") {
  const shown = curves.filter(({ policy, seconds }) => seconds.length > 1 && policies.shown.includes(policy));
  if (shown.length === 0) return nothing();
  const least = Math.min(...shown.flatMap(({ share }) => share[share.length - 1]));
  const right = Math.max(...shown.flatMap(({ seconds }) => seconds[seconds.length - 1]), ...limits.map(({ seconds }) => seconds));
  const left = Math.max(Math.min(...shown.map((curve) => at(curve, 0.95))), right / 1e5);
  const narrow = width < 520;
  const decades = [];
  for (let share = 1; share >= least * 0.999; share /= 10) decades.push(Number(share.toPrecision(6)));
  const wide = widths(shown.map((curve) => percentiles.map(([, share]) => at(curve, share) ?? 0)));
  const rows = shown.map(({ policy, seconds, share }) => [policy, seconds.map((x, i) => ({ x, y: share[i] })).filter(({ x }) => x > 0)]);

  // The limit's name stands above its line, to the side where there is room.
  const room = (seconds) => (width - 120) * (Math.log(right / seconds) / Math.log(right / left));
  const nameOf = ({ seconds, text }) => (room(seconds) < 7.5 * (text.length + 5) ? `SLO ${duration(seconds)}` : `SLO: ${text}`);
  const toTheLeft = (seconds) => room(seconds) < 80;

  const label = (name) => shortened(name.replace(/^predicted, /, ""), narrow ? 15 : 26);
  const longest = Math.max(...rows.map(([policy]) => labelWidth(label(policy), narrow)));
  const marginLeft = 46 + 7 * Math.ceil(-Math.log10(least)), marginRight = shown.length > 1 ? 16 + longest : 24;
  const height = Math.round(Math.min(440, Math.max(300, width * 0.5)));
  const endsOf = (scales) => rows.map(([policy, points]) => ({ x: scales.x.apply(points.at(-1).x), y: Math.min(scales.y.apply(points.at(-1).y), height - 56),
    text: label(policy), colour: policies.colour(policy) }));
  const marked = (curve) => percentiles.map(([, share]) => ({ x: at(curve, share), y: share })).filter(({ x }) => x >= left);

  const plot = Plot.plot({
    width, height, style: axisStyle,
    marginLeft, marginRight, marginBottom: 44, marginTop: 44, clip: true,
    x: { type: "log", domain: [left, right * 1.05], label: null },
    y: { type: "log", domain: [least, 1], label: null },
    marks: [
      Plot.gridY(decades, { stroke: "var(--grid)", strokeOpacity: 1 }),
      Plot.axisX(logTicks(left, right * 1.05, (width - marginLeft - marginRight) / 70), { text: (s) => duration(s), tickSize: 4, stroke: "var(--faint)", fill: "var(--muted)", label: `${axis} →`, labelAnchor: "right", labelOffset: 40, clip: false }),
      Plot.axisY(decades, { text: (share) => shareOf(share), tickSize: 0, fill: "var(--muted)", label: "↑ Share of tasks that take longer", clip: false }),
      Plot.text(percentiles.filter(([, share]) => share >= least && share < 0.5 && share !== 0.05), {
        x: () => left, y: (p) => p[1], text: (p) => statisticName(p[0]), textAnchor: "start", dx: 5, dy: -8, fill: "var(--muted)" }),
      ...rows.map(([policy, points], i) => Plot.line(points, {
        x: "x", y: "y", stroke: policies.colour(policy), strokeWidth: wide[i], strokeDasharray: policies.dash(policy), curve: "linear", clip: true })),
      ...shown.map((curve) => Plot.dot(marked(curve), { x: "x", y: "y", r: 4, symbol: policies.symbol(curve.policy), fill: policies.colour(curve.policy), stroke: "var(--surface)" })),
      shown.length > 1 ? endLabels(endsOf, { narrow, right: width - 2, top: 60, bottom: height - 56 }) : null,
      Plot.ruleY([least], { stroke: "var(--faint)" }),
      ...limits.flatMap(({ seconds, share, text }) => [
        Plot.ruleX([seconds], { y1: share, y2: 1, stroke: "var(--ink)", strokeDasharray: "4 3" }),
        Plot.ruleY([share], { x1: left, x2: seconds, stroke: "var(--ink)", strokeDasharray: "4 3" }),
        Plot.dot([0], { x: () => seconds, y: () => share, r: 4, fill: "var(--ink)" }),
        Plot.text([nameOf({ seconds, text })], { x: () => seconds, y: () => 1, dy: -9, dx: toTheLeft(seconds) ? 7 : -7, clip: false, textAnchor: toTheLeft(seconds) ? "end" : "start", fill: "var(--ink)", fontWeight: 600, stroke: "var(--surface)", strokeWidth: 4 }),
      ]),
    ],
  });

  const x = plot.scale("x"), y = plot.scale("y");
  const levels = [];
  for (let share = 1; share >= least * 0.999; share *= 10 ** -0.05) levels.push(share);
  return withHover(plot, (pointer) => {
    const share = nearest([...levels, ...percentiles.map((p) => p[1])].filter((s) => s >= least * 0.999), y.apply, pointer.y);
    const dots = shown.map((curve) => ({ policy: curve.policy, seconds: at(curve, share) }))
      .filter(({ seconds }) => seconds !== null).sort((a, b) => b.seconds - a.seconds);
    if (dots.length === 0) return null;
    return {
      x: dots[0].seconds >= left ? x.apply(dots[0].seconds) : pointer.x, y: y.apply(share),
      title: share >= 1 ? "All tasks take longer than" : `p${number(100 * (1 - share), 4)}: ${shareOf(share)} takes longer than`,
      rows: dots.map(({ policy, seconds }) => ({ mark: policies.mark(policy), name: spoken(policy), value: duration(seconds) })),
      dots: dots.filter(({ seconds }) => seconds >= left).map(({ policy, seconds }) => ({ x: x.apply(seconds), y: y.apply(share), colour: policies.colour(policy) })),
      lines: [{ x1: x.apply(left), x2: x.apply(right), y1: y.apply(share), y2: y.apply(share) }],
    };
  });
}

// The limits on percentiles of the response time, as places that the curves must pass on the left.
export function limitsOf(policies) {
  const shares = Object.fromEntries(percentiles);
  return (policies.find(({ slo }) => slo)?.slo ?? []).filter((each) => !each.class && !each.stage).map(({ objective: name, limit }) => ({ ...objective(name), limit }))
    .filter(({ quantity, statistic }) => quantity === "response" && shares[statistic])
    .map(({ statistic, limit, text }) => ({ seconds: limit, share: shares[statistic], text: `${text} ≤ ${duration(limit)}` }));
}

// A row per policy, and one for each of its classes and stages, whose workers are the policy's.
function measured(policies) {
  const rows = policies.filter(({ response }) => response)
    .flatMap((policy) => [policy, ...(policy.classes ?? []), ...(policy.stages ?? [])]);
  const [first] = rows;
  const unit = timeUnit(Math.max(0, ...rows.map(({ response }) => response.p99.value)) || 1);
  const statistics = ["mean", ...percentiles.map(([name]) => name)];
  const ofFleets = fleetColumns.filter(({ key }) => first?.[key] !== undefined);
  const hasSlo = first?.slo.length > 0;
  const time = ({ value, half_width: halfWidth }) => ({ value, text: number(unit.of(value)), plusMinus: halfWidth ? number(unit.of(halfWidth), 2) : null });
  const cell = (estimate, format) => (estimate === undefined ? "" : { value: estimate.value, text: format(estimate.value) });
  const nameOf = (row) => (row.policy === undefined ? `\u2003${row.class ?? row.stage}` : spoken(row.policy));
  const verdicts = ({ slo }) => slo.map((each) => `${each.class || each.stage ? `${each.class ?? each.stage}: ` : ""}${verdictText(each.verdict)}`).join(", ");
  return table(
    [{ title: `Response time in ${unit.name}`, name: true }, ...statistics.map((name) => ({ title: statisticName(name) })),
      { title: "largest" }, { title: "mean wait" }, { title: "utilisation" }, { title: "rejected" },
      ...ofFleets.map(({ title: name }) => ({ title: name })), ...(hasSlo ? [{ title: "SLO met", name: true }] : [])],
    rows.map((row) => [
      nameOf(row), ...(row.tasks === 0
        // Nothing was counted, so that nothing is known.
        ? Array(statistics.length + 4 + ofFleets.length).fill("–")
        : [...statistics.map((name) => time(row.response[name])), cell({ value: row.response.max_of_all ?? row.response.max.value }, (value) => number(unit.of(value))), time(row.wait.mean),
          cell(row.utilisation, percent), cell(row.rejected, percent), ...ofFleets.map(({ of, format }) => cell(of(row), format))]),
      ...(hasSlo ? [row.slo ? verdicts(row) : ""] : [])]));
}

// The figure for what was simulated: one distribution per point of the study, and all that was measured there.
export function distributionFigure(report, policies, pointOfInterest) {
  const { points } = report.simulate;
  let point = pointOfInterest;
  const controls = [policies.legend()];
  if (points.length > 1) {
    controls.unshift(choice("With", points.map((each, i) => ({ value: i, text: pointName(each) })), point, (value) => { point = Number(value); drawn.redraw(); }));
  }
  const drawn = figure({
    id: "distribution", title, note: `${howToRead} All runs together.`, controls,
    draw: (width) => draw(width, report.tails[point], limitsOf(points[point].policies), policies),
    table: () => measured(points[point].policies),
  });
  policies.onChange(() => drawn.redraw());
  return drawn.node;
}

// The figure for single curves, whatever they are called.
export function curvesFigure(curves, policies, { id = "distribution", title: asked = title, axis = "Response time", note, limits = [], nameOf = spoken }) {
  const drawn = figure({
    id, title: asked, note: `${howToRead} ${note}`, controls: [policies.legend()],
    draw: (width) => draw(width, curves, limits, policies, axis),
    table: () => {
      const unit = timeUnit(Math.max(...curves.map((curve) => at(curve, 0.01) ?? curve.seconds.at(-1))));
      return table([{ title: `${axis} in ${unit.name}`, name: true }, ...percentiles.map(([name]) => ({ title: statisticName(name) }))],
        curves.map((curve) => [spoken(nameOf(curve.policy)), ...percentiles.map(([, share]) => {
          const seconds = at(curve, share);
          return seconds === null ? "–" : { value: seconds, text: number(unit.of(seconds)) };
        })]));
    },
  });
  policies.onChange(() => drawn.redraw());
  return drawn.node;
}
