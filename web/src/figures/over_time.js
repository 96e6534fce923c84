// One watched run: how many tasks were there, and how many workers were busy, one row per policy on common scales.
import * as Plot from "@observablehq/plot";
import { figure, table } from "../figure.js";
import { number, percent, spanUnit, spoken } from "../format.js";
import { withHover } from "../hover.js";
import { axisStyle, widths } from "../plot_style.js";

// [{from, to, inSystem, most, busy}] per bucket; times in seconds.
function bucketsOf({ bucket_s: size, in_system: inSystem, in_system_max: most, busy }) {
  return inSystem.map((value, i) => ({ from: i * size, to: (i + 1) * size, inSystem: value, most: most[i], busy: busy[i] }));
}

// Until when to draw: by then the first policy is done with everything. One that cannot keep up goes on for long.
export function endOf(observed) {
  return Math.min(...observed.policies.map(({ in_system: values, bucket_s: size }) => values.length * size));
}

// A step for every bucket: both of its ends.
function steps(buckets, value) {
  return buckets.flatMap((bucket) => [{ x: bucket.from, y: value(bucket) }, { x: bucket.to, y: value(bucket) }]);
}

function draw(width, observed, policies) {
  const rows = observed.policies.filter(({ policy }) => policies.shown.includes(policy)).map((policy) => ({ policy: policy.policy, buckets: bucketsOf(policy) }));
  const end = endOf(observed);
  const unit = spanUnit(end);
  const most = Math.max(...rows.flatMap(({ buckets }) => buckets.map((bucket) => bucket.most)));
  const busyKnown = observed.parts_per_task === 1;
  const rowHeight = rows.length > 5 ? 48 : 72;
  const plots = rows.map(({ policy, buckets }, i) => {
    const lastRow = i === rows.length - 1;
    const colour = policies.colour(policy);
    const peak = Math.max(...buckets.map((bucket) => bucket.most));
    const over = buckets.at(-1).to;
    const later = over > 1.1 * end ? `, done after ${number(unit.of(over), 3)} ${unit.name}` : "";
    const plot = Plot.plot({
      width, height: rowHeight + 22 + (lastRow ? 40 : 4), style: axisStyle,
      marginTop: 22, marginBottom: lastRow ? 40 : 4, marginLeft: 44, marginRight: 12, clip: true,
      x: { domain: [0, unit.of(end)], axis: null }, y: { domain: [0, most], axis: null },
      marks: [
        Plot.gridY({ ticks: rows.length > 5 ? 2 : 3, stroke: "var(--grid)", strokeOpacity: 1 }),
        Plot.axisY({ ticks: rows.length > 5 ? 2 : 3, tickSize: 0, fill: "var(--muted)", tickFormat: (value) => number(value), label: null, clip: false }),
        lastRow ? Plot.axisX({ ticks: width < 520 ? 5 : 10, fill: "var(--muted)", stroke: "var(--faint)", tickSize: 4, label: `time (${unit.name}) →`, labelAnchor: "right", labelOffset: 36, clip: false }) : null,
        Plot.areaY(steps(buckets, (b) => b.most), { x: (d) => unit.of(d.x), y1: 0, y2: "y", fill: colour, fillOpacity: 0.22 }),
        Plot.areaY(steps(buckets, (b) => b.inSystem), { x: (d) => unit.of(d.x), y1: 0, y2: "y", fill: colour, fillOpacity: 0.75 }),
        busyKnown ? Plot.lineY(steps(buckets, (b) => b.busy), { x: (d) => unit.of(d.x), y: "y", stroke: "var(--ink)", strokeWidth: 1, strokeOpacity: 0.75 }) : null,
        Plot.ruleY([0], { stroke: "var(--faint)" }),
        Plot.text([spoken(policy)], { frameAnchor: "top-left", dy: -17, fill: "var(--ink)", fontWeight: 600, fontSize: 13, clip: false }),
        Plot.text([`at most ${number(peak)}${later}`], { frameAnchor: "top-right", dy: -16, fill: "var(--muted)", clip: false }),
      ],
    });
    const x = plot.scale("x"), y = plot.scale("y");
    return withHover(plot, (pointer) => {
      const bucket = buckets.find(({ to }) => x.apply(unit.of(to)) >= pointer.x);
      if (!bucket || pointer.x < x.apply(0) || pointer.x > x.apply(unit.of(end))) return null;
      const middle = x.apply(unit.of((bucket.from + bucket.to) / 2));
      return {
        x: middle, y: y.apply(bucket.inSystem),
        title: `${spoken(policy)}, ${number(unit.of(bucket.from))}–${number(unit.of(bucket.to))} ${unit.name}`,
        rows: [{ name: "tasks, on average", value: number(bucket.inSystem) }, { name: "tasks, at most", value: number(bucket.most) },
          { name: "workers busy", value: `${number(bucket.busy)} (${percent(bucket.busy / observed.workers)})` }],
        dots: [{ x: middle, y: y.apply(bucket.inSystem), colour }],
        lines: [{ x1: middle, x2: middle, y1: y.apply(0), y2: y.apply(most) }],
      };
    });
  });
  return plots;
}

export function overTimeFigure(report, policies, words) {
  const { observed } = report;
  const average = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const drawn = figure({
    id: "over-time",
    title: "How do queues build up?",
    note: `The number of tasks waiting or running, over time, ${words.run}: average (solid) and peak (pale) of each moment.${observed.parts_per_task === 1 ? " The line is the number of busy workers; what rises above it waits." : ""}`,
    draw: (width) => draw(width, observed, policies),
    table: () => table(
      [{ title: "", name: true }, { title: "tasks in the system" }, { title: "at most" }, { title: "workers busy" }, { title: "utilisation" }, { title: "at most" }],
      observed.policies.map(({ policy, in_system: inSystem, in_system_max: most, busy }) => {
        const cell = (value) => ({ value, text: number(value) });
        const share = (value) => ({ value: value / observed.workers, text: percent(value / observed.workers) });
        return [spoken(policy), cell(average(inSystem)), cell(Math.max(...most)), cell(average(busy)), share(average(busy)), share(Math.max(...busy))];
      })),
  });
  policies.onChange(() => drawn.redraw());
  return drawn.node;
}

// The share of the workers that are busy: nearly the same whatever the policy, so all in one picture.
export function utilisationFigure(report, policies, words) {
  const { observed } = report;
  const draw = (width) => {
    const rows = observed.policies.filter(({ policy }) => policies.shown.includes(policy)).map((policy) => ({ policy: policy.policy, buckets: bucketsOf(policy) }));
    const end = endOf(observed);
    const unit = spanUnit(end);
    const most = Math.max(...rows.flatMap(({ buckets }) => buckets.map(({ busy }) => busy / observed.workers)));
    const wide = widths(rows.map(({ buckets }) => buckets.filter(({ from }) => from < end).map(({ busy }) => busy)));
    const plot = Plot.plot({
      width, height: Math.round(Math.max(200, Math.min(260, width * 0.3))), style: axisStyle, marginTop: 26, marginBottom: 40, marginLeft: 48, marginRight: 12, clip: true,
      x: { domain: [0, unit.of(end)], label: null }, y: { domain: [0, Math.min(1, most * 1.05) || 1], label: null },
      marks: [
        Plot.gridY({ ticks: 5, stroke: "var(--grid)", strokeOpacity: 1 }),
        Plot.axisY({ ticks: 5, tickSize: 0, fill: "var(--muted)", tickFormat: (share) => percent(share), label: "↑ workers busy", clip: false }),
        Plot.axisX({ ticks: width < 520 ? 5 : 10, fill: "var(--muted)", stroke: "var(--faint)", tickSize: 4, label: `time (${unit.name}) →`, labelAnchor: "right", labelOffset: 36, clip: false }),
        ...rows.map(({ policy, buckets }, i) => Plot.lineY(buckets, { x: (b) => unit.of((b.from + b.to) / 2), y: (b) => b.busy / observed.workers, stroke: policies.colour(policy), strokeWidth: wide[i] - 0.5, strokeDasharray: policies.dash(policy), strokeOpacity: 0.85 })),
        Plot.ruleY([0], { stroke: "var(--faint)" }),
      ],
    });
    const x = plot.scale("x"), y = plot.scale("y");
    return withHover(plot, (pointer) => {
      const at = unit.size * x.invert(pointer.x);
      const here = rows.flatMap(({ policy, buckets }) => {
        const bucket = buckets.find(({ from, to }) => from <= at && at < to);
        return bucket ? [{ policy, bucket, share: bucket.busy / observed.workers }] : [];
      }).sort((a, b) => b.share - a.share);
      if (here.length === 0 || at > end) return null;
      const { from, to } = here[0].bucket;
      const middle = x.apply(unit.of((from + to) / 2));
      return {
        x: middle, y: pointer.y, title: `${number(unit.of(from))}–${number(unit.of(to))} ${unit.name}`,
        rows: here.map(({ policy, share }) => ({ mark: policies.mark(policy), name: spoken(policy), value: percent(share) })),
        dots: here.map(({ policy, share }) => ({ x: middle, y: y.apply(share), colour: policies.colour(policy) })),
        lines: [{ x1: middle, x2: middle, y1: y.apply(0), y2: y.apply(y.domain[1]) }],
      };
    });
  };
  const unit = spanUnit(Math.max(...observed.policies.map(({ busy, bucket_s: size }) => busy.length * size)));
  const drawn = figure({
    id: "utilisation",
    title: "How busy are the workers?",
    note: `The share of the ${observed.workers} workers that serve a task, ${words.run}.${words.sameWork}`,
    controls: [policies.legend()],
    draw,
    long: true,
    table: () => table(
      [{ title: `From (${unit.name})`, name: true }, ...observed.policies.map(({ policy }) => ({ title: spoken(policy) }))],
      observed.policies[0].busy.map((_, i) => [number(unit.of(i * observed.policies[0].bucket_s)), ...observed.policies.map(({ busy }) =>
        (busy[i] === undefined ? "–" : { value: busy[i] / observed.workers, text: percent(busy[i] / observed.workers) }))])),
  });
  policies.onChange(() => drawn.redraw());
  return drawn.node;
}
