import { element } from "./dom.js";
import { plain, prose } from "./format.js";
import { modelFigures } from "./pages/model.js";
import { planFigures } from "./pages/plan.js";
import { replayFigures } from "./pages/replay.js";
import { simulateFigures } from "./pages/simulate.js";

// By the part that a report has.
const kinds = {
  simulate: { name: "simulation", figures: simulateFigures },
  plan: { name: "plan", figures: planFigures },
  replay: { name: "replay", figures: replayFigures },
  model: { name: "model", figures: modelFigures },
};

function kindOf(report) {
  return kinds[Object.keys(kinds).find((part) => report[part])] ?? { name: "report", figures: () => [] };
}

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
  const [answer, ...others] = report.summary.map(prose);
  return element("header", {},
    element("div.top", {}, element("span", {}, `artel ${kindOf(report).name}`), themeSwitch()),
    element("h1", {}, report.title),
    element("p.lede", {}, answer ?? ""),
    ...others.map((sentence) => element("p.more", {}, sentence)),
    element("dl.facts", {}, ...report.facts.map(({ name, value }) => element("div", {}, element("dt", {}, name), element("dd", {}, plain(value))))));
}

function page(report) {
  const { figures } = kindOf(report);
  return [
    heading(report),
    ...figures(report).filter((node) => node !== null),
    element("footer", {}, `Made by ${report.made_by}. This file needs nothing else: it loads nothing and sends nothing. Its data is inside as JSON (${report.schema}).`),
  ];
}

document.getElementById("page").replaceChildren(...page(JSON.parse(document.getElementById("report").textContent)));

// On paper everything is open.
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open])")];
  for (const details of closed) details.open = true;
});
addEventListener("afterprint", () => { for (const details of closed) details.open = false; });
