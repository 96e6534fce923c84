import { element } from "./dom.js";
import { spoken } from "./format.js";
import { distributionFigure } from "./figures/distribution.js";
import { Policies } from "./policies.js";

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
  const [answer, ...others] = report.summary.map(spoken);
  return element("header", {},
    element("div.top", {}, element("span", {}, `artel ${kinds[kind] ?? "report"}`), themeSwitch()),
    element("h1", {}, report.title),
    element("p.lede", {}, answer ?? ""),
    ...others.map((sentence) => element("p.more", {}, sentence)),
    element("dl.facts", {}, ...report.facts.map(({ name, value }) => element("div", {}, element("dt", {}, name), element("dd", {}, value)))));
}

function page(report) {
  const nodes = [heading(report)];
  if (report.simulate) {
    const policies = new Policies(report.simulate.points[0].policies.map(({ policy }) => policy));
    nodes.push(distributionFigure(report, policies, report.observed?.point ?? report.simulate.points.length - 1));
  }
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
