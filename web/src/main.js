import { element } from "./dom.js";
import { plain, prose } from "./format.js";
import { distributionFigure } from "./figures/distribution.js";
import { neededFigure } from "./figures/needed.js";
import { overTimeFigure, utilisationFigure } from "./figures/over_time.js";
import { sweepFigure } from "./figures/sweep.js";
import { timelineFigure } from "./figures/timeline.js";
import { workerRowsFigure } from "./figures/worker_rows.js";
import { Policies } from "./policies.js";
import { pointName, seriesOf } from "./study.js";

const kinds = { simulate: "simulation", plan: "plan", replay: "replay" };

function themeSwitch() {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const button = element("button.theme", { type: "button", onclick: () => set(root.dataset.theme === "dark" ? "light" : "dark") });
  const set = (theme) => {
    root.dataset.theme = theme;
    button.textContent = theme === "dark" ? "Light" : "Dark";
    button.setAttribute("aria-label", `Switch to the ${theme === "dark" ? "light" : "dark"} theme`);
  };
  const follow = () => set(dark.matches ? "dark" : "light");
  dark.addEventListener("change", follow);
  follow();
  return button;
}

function heading(report) {
  const kind = Object.keys(kinds).find((part) => report[part]);
  const [answer, ...others] = report.summary.map(prose);
  return element("header", {},
    element("div.top", {}, element("span", {}, `artel ${kinds[kind] ?? "report"}`), themeSwitch()),
    element("h1", {}, report.title),
    element("p.lede", {}, answer ?? ""),
    ...others.map((sentence) => element("p.more", {}, sentence)),
    element("dl.facts", {}, ...report.facts.map(({ name, value }) => element("div", {}, element("dt", {}, name), element("dd", {}, plain(value))))));
}

function simulationFigures(report) {
  const { points } = report.simulate;
  const { observed } = report;
  const policies = new Policies(points[0].policies.map(({ policy }) => policy));
  const series = seriesOf(report.simulate);
  const figures = [
    neededFigure(report, policies, series),
    sweepFigure(report, policies, series),
    distributionFigure(report, policies, observed?.point ?? points.length - 1),
  ];
  if (observed) {
    const name = series ? ` with ${pointName(points[observed.point])}` : "";
    for (const figure of [overTimeFigure, utilisationFigure, workerRowsFigure, timelineFigure]) figures.push(figure(report, policies, name));
  }
  return figures.filter((node) => node !== null);
}

function page(report) {
  const nodes = [heading(report)];
  if (report.simulate) nodes.push(...simulationFigures(report));
  nodes.push(element("footer", {}, `Made by ${report.made_by}. This file needs nothing else: it loads nothing and sends nothing. Its data is inside as JSON (${report.schema}).`));
  return nodes;
}

document.getElementById("page").replaceChildren(...page(JSON.parse(document.getElementById("report").textContent)));

// On paper everything is open.
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open])")];
  for (const details of closed) details.open = true;
});
addEventListener("afterprint", () => { for (const details of closed) details.open = false; });
