// The report of `artel plan`: the smallest pool per policy, and what was tried on the way there.
import { element } from "../dom.js";
import { table } from "../figure.js";
import { duration, number, spoken, verdictText } from "../format.js";
import { curvesFigure, limitsOf } from "../figures/distribution.js";
import { fleetSection, loadFigure, serviceFigure } from "../figures/fleet.js";
import { neededFigure } from "../figures/needed.js";
import { objectiveCostFigure } from "../figures/objective_cost.js";
import { overTimeFigure, utilisationFigure } from "../figures/over_time.js";
import { backtestFigure } from "../figures/predicted.js";
import { sweepFigure } from "../figures/sweep.js";
import { timelineFigure } from "../figures/timeline.js";
import { workerRowsFigure } from "../figures/worker_rows.js";
import { Policies } from "../policies.js";
import { seriesOf } from "../study.js";
import { wordsFor } from "../words.js";

// What tells a row from all others, as in the command's table.
function nameOf(row, rows) {
  const alone = rows.filter(({ policy }) => policy === row.policy).length === 1;
  return alone ? row.policy : `${row.policy} (queue ${row.queue_bound ?? "mixed"})`;
}

// The trials as if they were the points of a sweep over the number of workers.
function asStudy(plan) {
  const names = plan.rows.map((row) => nameOf(row, plan.rows));
  const points = new Map();
  plan.rows.forEach((row, i) => {
    for (const { workers, utilisation, response, slo } of row.trials) {
      if (!points.has(workers)) points.set(workers, { values: { "pool.workers": String(workers) }, policies: [] });
      points.get(workers).policies.push({
        policy: names[i], response, utilisation: { value: utilisation, half_width: null },
        slo: slo.map((estimate, k) => ({ ...estimate, limit: plan.slo[k].limit })),
      });
    }
  });
  return {
    names,
    confidence: plan.level,
    verdictConfidence: plan.confidence,
    points: [...points].sort(([a], [b]) => a - b).map(([, point]) => point),
    smallest: plan.rows.map((row, i) => ({ policy: names[i], key: "pool.workers", where: "", value: row.workers === null ? null : String(row.workers), cost: row.cost_per_hour,
      beyond: row.complete ? (row.trials.at(-1)?.verdict ?? "missed") : "stopped" })),
  };
}

// Fleets whose size changes, beside those that have as many workers all the time.
function scaledRows({ scaled = [] }, names) {
  return scaled.map(({ policy, fleet, workers, cost_per_hour: cost, slo }) => {
    const verdicts = slo.map(({ verdict }) => verdict);
    return { policy: names.find((name) => name === policy || name.startsWith(`${policy} (queue`)) ?? policy, name: `${policy}, ${fleet}`, short: `${policy}, scaled`,
      value: workers.value, cost, beyond: "not measured", verdict: verdicts.includes("missed") ? "missed" : (verdicts.find((verdict) => verdict !== "met") ?? "met") };
  });
}

// What keeps its size beside what does not: the same tasks, what they wait and what it costs.
function fleetsSection({ fleets }) {
  const priced = fleets.some(({ cost_per_hour: cost }) => cost !== null);
  return element("section", { id: "fleets" }, element("h2", {}, "One size, or scaled?"),
    element("p.note", {}, "The same tasks on the smallest fleet that meets the objective all the time, and on fleets that grow and shrink."),
    element("div.scroll", { tabindex: "0", role: "region", "aria-label": "Fleets of one size and fleets that are scaled: table" },
      table([{ title: "Policy", name: true }, { title: "Fleet", name: true }, { title: "p99 response" }, { title: "SLO met", name: true }, { title: "Workers" }, { title: "Worker-hours a day" }, ...(priced ? [{ title: "Cost per hour" }] : [])],
      fleets.map(({ policy, fleet, response, verdict, exact, workers, worker_hours_per_day: hours, cost_per_hour: cost }) => [spoken(policy), fleet,
        { value: response.p99.value, text: duration(response.p99.value), plusMinus: response.p99.half_width > 0 ? duration(response.p99.half_width) : undefined }, `${verdictText(verdict)}${exact ? ", exact" : ""}`,
        { value: workers, text: number(workers, 3) }, { value: hours, text: number(hours, 4) }, ...(priced ? [{ value: cost, text: cost.toFixed(2) }] : [])]))));
}

// The answer's pool, as if rates were a sweep; longer and shorter work stand beside it at the rate of today.
function growthFigure(growth, { workers, policy }, plan) {
  const nameOf = ({ work }) => (work === 1 ? policy : `work ${number(100 * Math.abs(work - 1))}% ${work > 1 ? "longer" : "shorter"}`);
  const study = {
    confidence: plan.level,
    points: [...new Set(growth.map(({ rate }) => rate))].map((rate) => ({
      values: { "times the rate": String(rate) },
      policies: growth.filter((point) => point.rate === rate).map((point) => ({
        policy: nameOf(point), response: point.response, utilisation: { value: point.utilisation, half_width: null },
        slo: point.slo.map((estimate, k) => ({ ...estimate, limit: plan.slo[k].limit })),
      })),
    })),
  };
  return sweepFigure(study, new Policies([...new Set(growth.map(nameOf))]), seriesOf(study), undefined, {
    id: "growth", title: "What if more comes, or work takes longer?", note: `The ${number(workers)} workers of the answer with ${spoken(policy)}. `,
  });
}

function codeSection(code) {
  return element("section", { id: "code" }, element("h2", {}, "The pool that does it"),
    element("p.note", {}, "C++ to paste; a click selects all of it."), element("pre.code", { tabindex: "0" }, code));
}

export function planFigures(report) {
  const { plan, observed, growth } = report;
  const study = asStudy(plan);
  if (study.points.length === 0) return [];
  const policies = new Policies(study.names);
  const series = seriesOf(study);
  const best = plan.best === null ? null : plan.rows[plan.best];
  const [curves] = report.tails;
  const figures = [neededFigure(study, policies, series, scaledRows(plan, study.names)), best?.code ? codeSection(best.code) : null, plan.fleets ? fleetsSection(plan) : null];
  if (plan.fleet) figures.push(fleetSection(plan.fleet), loadFigure(plan.fleet), serviceFigure(plan.fleet));
  figures.push(sweepFigure(study, policies, series), objectiveCostFigure(plan, study.names, policies));
  if (growth) figures.push(growthFigure(growth, best, plan));
  if (curves.length > 0) {
    const workers = Object.fromEntries(plan.rows.map((row, i) => [study.names[i], row.workers]));
    figures.push(curvesFigure(curves, policies, {
      note: "Each policy with the number of workers that it needs.",
      limits: limitsOf(study.points[0].policies),
      nameOf: (name) => `${name}, ${workers[name]} workers`,
    }));
  }
  if (plan.backtest) figures.push(backtestFigure(plan.backtest));
  if (observed) {
    const words = wordsFor(observed.policies, ` with ${best.workers} workers`);
    for (const figure of [overTimeFigure, utilisationFigure, workerRowsFigure, timelineFigure]) figures.push(figure(report, policies, words));
  }
  return figures;
}
