// The report of `artel plan`: the smallest pool per policy, and what was tried on the way there.
import { element } from "../dom.js";
import { curvesFigure, limitsOf } from "../figures/distribution.js";
import { neededFigure } from "../figures/needed.js";
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
    smallest: plan.rows.map((row, i) => ({ policy: names[i], key: "pool.workers", where: "", value: row.workers === null ? null : String(row.workers), cost: row.cost_per_hour })),
  };
}

function codeSection(code) {
  return element("section", { id: "code" }, element("h2", {}, "The pool that does it"),
    element("p.note", {}, "C++ to paste; a click selects all of it."), element("pre.code", { tabindex: "0" }, code));
}

export function planFigures(report) {
  const { plan, observed } = report;
  const study = asStudy(plan);
  if (study.points.length === 0) return [];
  const policies = new Policies(study.names);
  const series = seriesOf(study);
  const best = plan.best === null ? null : plan.rows[plan.best];
  const [curves] = report.tails;
  const figures = [neededFigure(study, policies, series), best?.code ? codeSection(best.code) : null, sweepFigure(study, policies, series)];
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
