// The report of a program that studies a model of its user's own.
import { element } from "../dom.js";
import { choice, table } from "../figure.js";
import { curvesFigure } from "../figures/distribution.js";
import { sweepFigure } from "../figures/sweep.js";
import { duration, number, spoken } from "../format.js";
import { Policies } from "../policies.js";
import { pointName, seriesOf } from "../study.js";

// What the model reports as times is in seconds, but for how many there were.
function isTimeOf(names) {
  return (figure) => names.some((name) => figure.startsWith(`${name}.`) && figure !== `${name}.count`);
}

// Every figure of every variant at one point, and how much more it is than the first variant's.
function figuresTable({ points, shown }, isTime) {
  let point = points.length - 1;
  const cells = () => {
    const { variants } = points[point];
    const names = [...new Set([...shown, ...variants.flatMap(({ figures }) => Object.keys(figures))])];
    const cell = (figure, estimate) => {
      if (!estimate || estimate.value === null) return "–";
      const text = isTime(figure) ? duration : number;
      return { value: estimate.value, text: text(estimate.value), plusMinus: estimate.half_width ? text(estimate.half_width, 2) : null };
    };
    return table(
      [{ title: "Figure", name: true }, ...variants.map(({ variant }) => ({ title: spoken(variant) })), ...variants.slice(1).map(({ variant }) => ({ title: `Δ ${spoken(variant)}` }))],
      names.map((name) => [name, ...variants.map(({ figures }) => cell(name, figures[name])), ...variants.slice(1).map(({ figures }) => cell(name, figures[name]?.less_first))]));
  };
  const place = element("div.scroll", { tabindex: "0", role: "region", "aria-label": "Figures: table" }, cells());
  const select = points.length > 1
    ? element("div.controls", {}, choice("With", points.map((each, i) => ({ value: i, text: pointName(each) })), point, (value) => { point = Number(value); place.replaceChildren(cells()); }))
    : null;
  const difference = points[0].variants.length > 1 ? ` Δ: how much more than ${spoken(points[0].variants[0].variant)}, in runs that met the same chance.` : "";
  return element("section", { id: "figures" }, element("h2", {}, "What was measured?"),
    element("p.note", {}, `Means of all replications, with their confidence intervals.${difference}`), select, place);
}

export function modelFigures({ model, times }) {
  const study = { ...model, points: model.points.map(({ values, variants }) => ({ values, policies: variants.map(({ variant, figures }) => ({ policy: variant, figures })) })) };
  const policies = new Policies(model.points[0].variants.map(({ variant }) => variant));
  const isTime = isTimeOf(Object.keys(times));
  const quantities = model.shown.map((name) => ({ text: name, isTime: isTime(name), isPlain: !isTime(name), limit: null, of: (policy) => policy.figures[name] }));
  const last = model.points.length - 1;
  const curves = Object.entries(times).filter(([, points]) => points[last].length > 0);
  return [
    sweepFigure(study, policies, seriesOf(study), quantities),
    curves.length > 0 ? curvesFigure(curves[0][1][last], policies, { note: `Of “${curves[0][0]}”${last > 0 ? ` with ${pointName(model.points[last])}` : ""}. All runs together.` }) : null,
    figuresTable(model, isTime),
  ];
}
