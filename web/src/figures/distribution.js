// How long tasks take: the share of tasks that took longer than so much (both scales logarithmic, so that the tail shows).
import * as Plot from "@observablehq/plot";
import { choice, figure, nothing, table } from "../figure.js";
import { duration, logTicks, number, objective, percent, shareOf, spoken, timeUnit } from "../format.js";
import { nearest, withHover } from "../hover.js";
import { axisStyle, widths } from "../plot_style.js";
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

function draw(width, curves, limits, policies) {
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

  // The corner above the curves is on the right: the limit's name goes there as far as there is room.
  const room = (seconds) => (width - 120) * (Math.log(right / seconds) / Math.log(right / left));
  const nameOf = ({ seconds, text }) => (room(seconds) < 7.5 * (text.length + 5) ? `SLO ${duration(seconds)}` : `SLO: ${text}`);
  const toTheLeft = (seconds) => room(seconds) < 80;

  const plot = Plot.plot({
    width, height: Math.round(Math.min(440, Math.max(300, width * 0.5))), style: axisStyle,
    marginLeft: least < 5e-5 ? 88 : 74, marginRight: narrow ? 12 : 40, marginBottom: 44, marginTop: 26, clip: true,
    x: { type: "log", domain: [left, right * 1.05], label: null },
    y: { type: "log", domain: [least, 1], label: null },
    marks: [
      Plot.gridY(decades, { stroke: "var(--grid)", strokeOpacity: 1 }),
      Plot.axisX(logTicks(left, right * 1.05, narrow ? 6 : 11), { text: (s) => duration(s), tickSize: 4, stroke: "var(--faint)", fill: "var(--muted)", label: "Response time →", labelAnchor: "right", labelOffset: 40, clip: false }),
      Plot.axisY(decades, { text: (share) => shareOf(share), tickSize: 0, fill: "var(--muted)", label: "↑ Share of tasks that take longer", clip: false }),
      narrow ? null : Plot.text(percentiles.filter(([, share]) => share >= least && share !== 0.05), {
        x: () => right * 1.05, y: (p) => p[1], text: (p) => statisticName(p[0]), textAnchor: "start", dx: 6, fill: "var(--faint)", clip: false }),
      ...rows.map(([policy, points], i) => Plot.line(points, {
        x: "x", y: "y", stroke: policies.colour(policy), strokeWidth: wide[i], strokeDasharray: policies.dash(policy), curve: "linear", clip: true })),
      Plot.ruleY([least], { stroke: "var(--faint)" }),
      ...limits.flatMap(({ seconds, share, text }) => [
        Plot.ruleX([seconds], { y1: share, y2: 1, stroke: "var(--ink)", strokeDasharray: "4 3" }),
        Plot.ruleY([share], { x1: left, x2: seconds, stroke: "var(--ink)", strokeDasharray: "4 3" }),
        Plot.dot([0], { x: () => seconds, y: () => share, r: 4, fill: "var(--ink)" }),
        Plot.text([nameOf({ seconds, text })], { x: () => seconds, y: () => 1, dy: 12, dx: toTheLeft(seconds) ? -7 : 7, textAnchor: toTheLeft(seconds) ? "end" : "start", fill: "var(--ink)", fontWeight: 600, stroke: "var(--surface)", strokeWidth: 4 }),
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
      rows: dots.map(({ policy, seconds }) => ({ colour: policies.colour(policy), name: spoken(policy), value: duration(seconds) })),
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

function measured(policies) {
  const rows = policies.filter(({ response }) => response);
  const unit = timeUnit(Math.max(...rows.map(({ response }) => response.p99.value)));
  const cell = ({ value, half_width: halfWidth }) => ({
    value, text: number(unit.of(value)), plusMinus: halfWidth ? number(unit.of(halfWidth), 2) : null });
  const statistics = ["mean", ...percentiles.map(([name]) => name)];
  const hasSlo = rows[0]?.slo.length > 0;
  // What only fleets have whose callers wait for answers in time, or send several attempts, or workers that have caches.
  const ofFleets = [["failed", percent], ["goodput", number], ["attempts", number], ["hit_ratio", percent]].filter(([name]) => rows[0]?.[name]);
  const verdictText = { met: "yes", missed: "no", unclear: "unclear" };
  return table(
    [{ title: `Response time in ${unit.name}`, name: true }, ...statistics.map((name) => ({ title: statisticName(name) })),
      { title: "largest" }, { title: "mean wait" }, { title: "utilisation" }, { title: "rejected" }, ...ofFleets.map(([name]) => ({ title: { goodput: "goodput/s", hit_ratio: "hit ratio" }[name] ?? name })), ...(hasSlo ? [{ title: "SLO met", name: true }] : [])],
    rows.map(({ policy, response, wait, utilisation, rejected, slo, ...more }) => [
      spoken(policy), ...statistics.map((name) => cell(response[name])),
      { value: response.max_of_all, text: number(unit.of(response.max_of_all)) }, cell(wait.mean),
      ...[utilisation, rejected].map(({ value }) => ({ value, text: percent(value) })),
      ...ofFleets.map(([name, text]) => ({ value: more[name].value, text: text(more[name].value) })),
      ...(hasSlo ? [slo.map((each) => `${each.class || each.stage ? `${each.class ?? each.stage}: ` : ""}${verdictText[each.verdict]}`).join(", ")] : [])]));
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
export function curvesFigure(curves, policies, { note, limits = [], nameOf = spoken }) {
  const drawn = figure({
    id: "distribution", title, note: `${howToRead} ${note}`, controls: [policies.legend()],
    draw: (width) => draw(width, curves, limits, policies),
    table: () => {
      const unit = timeUnit(Math.max(...curves.map((curve) => at(curve, 0.01) ?? curve.seconds.at(-1))));
      return table([{ title: `Response time in ${unit.name}`, name: true }, ...percentiles.map(([name]) => ({ title: statisticName(name) }))],
        curves.map((curve) => [spoken(nameOf(curve.policy)), ...percentiles.map(([, share]) => {
          const seconds = at(curve, share);
          return seconds === null ? "–" : { value: seconds, text: number(unit.of(seconds)) };
        })]));
    },
  });
  policies.onChange(() => drawn.redraw());
  return drawn.node;
}
