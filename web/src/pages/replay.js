// The report of `artel replay`: a recorded run beside its prediction.
import { curvesFigure } from "../figures/distribution.js";
import { overTimeFigure, utilisationFigure } from "../figures/over_time.js";
import { classesSection, predictedFigure } from "../figures/predicted.js";
import { timelineFigure } from "../figures/timeline.js";
import { workerRowsFigure } from "../figures/worker_rows.js";
import { Policies } from "../policies.js";

export function replayFigures(report) {
  const [curves] = report.tails;
  const runs = new Policies(curves.map(({ policy }) => policy));
  const figures = [predictedFigure(report), curvesFigure(curves, runs, { note: "Here the best prediction is the one that cannot be told from what was measured." })];
  if (report.replay.classes) figures.splice(1, 0, classesSection(report));
  if (report.observed) {
    const words = {
      run: "as measured, and as predicted from the same work",
      sameWork: "",
      moment: "The moment when most tasks were there, as measured and as predicted: choose the other one to compare.",
      choose: "Show",
    };
    for (const figure of [overTimeFigure, utilisationFigure, workerRowsFigure, timelineFigure]) figures.push(figure(report, runs, words));
  }
  return figures;
}
