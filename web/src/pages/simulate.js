// The report of `artel simulate`.
import { distributionFigure } from "../figures/distribution.js";
import { neededFigure } from "../figures/needed.js";
import { overTimeFigure, utilisationFigure } from "../figures/over_time.js";
import { sweepFigure } from "../figures/sweep.js";
import { timelineFigure } from "../figures/timeline.js";
import { workerRowsFigure } from "../figures/worker_rows.js";
import { Policies } from "../policies.js";
import { pointName, seriesOf } from "../study.js";
import { wordsFor } from "../words.js";

export function simulateFigures(report) {
  const { points } = report.simulate;
  const { observed } = report;
  const policies = new Policies(points[0].policies.map(({ policy }) => policy));
  const series = seriesOf(report.simulate);
  const figures = [
    neededFigure(report.simulate, policies, series),
    sweepFigure(report.simulate, policies, series),
    distributionFigure(report, policies, report.point),
  ];
  if (observed) {
    const where = series ? ` with ${pointName(points[observed.point])}` : "";
    const words = wordsFor(observed.policies, where);
    for (const figure of [overTimeFigure, utilisationFigure, workerRowsFigure, timelineFigure]) figures.push(figure(report, policies, words));
  }
  return figures;
}
