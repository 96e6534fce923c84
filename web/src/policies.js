// The policies of a report: how each is drawn, and which of them the reader wants to see.
import * as Plot from "@observablehq/plot";
import { element } from "./dom.js";
import { spoken } from "./format.js";

// A policy looks the same on every page: the place of its name here says how. Those that are often compared come first.
const known = [
  "central", "random", "least_loaded", "jsq", "round_robin", "jiq", "least_work_left", "closed_loop",
  "weighted_round_robin", "sita", "peak_ewma", "rendezvous", "maglev", "jbt", "c3", "affinity", "cache_aware", "prequal", "weighted_least_request", "plugin",
];
// Recorded runs and laws, and their predictions.
const runs = { measured: 0, recorded: 0, "predicted, same work": 1, "predicted, fitted work": 2, fitted: 2 };

// Colours that readers of any colour vision tell apart (test/colours_test.mjs), each with a dash and a mark of its own.
const colours = 8;
const dashes = ["none", "10 3", "2 2.5", "10 3 2 3", "5 3", "16 4", "10 3 2 3 2 3", "7 3 7 3 2 3"];
const symbols = ["circle", "square", "triangle", "diamond", "star", "cross", "wye", "hexagon"];

// "jsq(d=2)", "least_loaded (queue 4)": jsq, least_loaded
function family(name) {
  return name.split(/[ (]/)[0];
}

function hash(name) {
  let sum = 0;
  for (const character of name) sum = (31 * sum + character.codePointAt(0)) % 65521;
  return sum;
}

// A number per name, of which each stands for a look: by the name alone, but where two of the page would look the same. Policies of
// one family then have one colour and differ in dash and mark; names that nobody knows take a colour that is free.
export function slotsOf(names) {
  const slots = new Map();
  const taken = new Set();
  const take = (name, slot) => {
    while (taken.has(slot)) slot += colours;
    taken.add(slot);
    slots.set(name, slot);
  };
  const placeOf = (name) => runs[name] ?? known.indexOf(family(name));
  for (const name of names) if (placeOf(name) >= 0) take(name, placeOf(name));
  for (const name of names) {
    if (slots.has(name)) continue;
    const wanted = Array.from({ length: colours }, (_, i) => (hash(name) + i) % colours);
    take(name, wanted.find((slot) => !taken.has(slot)) ?? wanted[0]);
  }
  return slots;
}

// {colour, dash, symbol} of a slot.
export function lookOf(slot) {
  const shape = (slot + Math.floor(slot / colours)) % colours;
  return { colour: `var(--c${slot % colours})`, dash: dashes[shape], symbol: symbols[shape] };
}

export class Policies {
  #hidden = new Set();
  #listeners = [];
  #slots;
  #marks = new Map();

  constructor(names) {
    this.names = names;
    this.#slots = slotsOf(names);
  }
  look(name) {
    return lookOf(this.#slots.get(name) ?? 0);
  }
  colour(name) {
    return this.look(name).colour;
  }
  dash(name) {
    return this.look(name).dash;
  }
  symbol(name) {
    return this.look(name).symbol;
  }
  // A piece of its line, with its mark.
  mark(name) {
    if (!this.#marks.has(name)) this.#marks.set(name, lineMark(this.look(name)));
    return this.#marks.get(name).cloneNode(true);
  }
  get shown() {
    return this.names.filter((name) => !this.#hidden.has(name));
  }
  toggle(name) {
    if (!this.#hidden.delete(name) && this.shown.length > 1) this.#hidden.add(name);
    for (const listener of this.#listeners) listener();
  }
  onChange(listener) {
    this.#listeners.push(listener);
  }

  // How who is drawn; a click hides or shows the policy in all charts. Null for a single one.
  legend() {
    if (this.names.length === 1) return null;
    const list = element("ul.legend", { "aria-label": "Policies: show or hide" });
    const render = () => list.replaceChildren(...this.names.map((name) => element("li", {},
      element("button.chip", {
        type: "button", "aria-pressed": String(!this.#hidden.has(name)), "data-policy": name,
        onclick: () => this.toggle(name),
      }, this.mark(name), spoken(name)))));
    render();
    this.onChange(() => {
      const focused = list.contains(document.activeElement) ? document.activeElement.dataset.policy : null;
      render();
      if (focused !== null) [...list.querySelectorAll("button")].find((b) => b.dataset.policy === focused)?.focus();
    });
    return list;
  }
}

function lineMark({ colour, dash, symbol }) {
  const node = Plot.plot({
    width: 30, height: 12, margin: 0, axis: null, x: { domain: [0, 30], range: [0, 30] }, y: { domain: [0, 1] },
    marks: [
      Plot.line([[0, 0.5], [30, 0.5]], { stroke: colour, strokeWidth: 2, strokeDasharray: dash }),
      Plot.dot([[15, 0.5]], { symbol, fill: colour, r: 3.5 }),
    ],
  });
  node.classList.add("mark");
  node.setAttribute("aria-hidden", "true");
  return node;
}

export function swatch(colour) {
  const node = element("span.swatch");
  node.style.background = colour;
  return node;
}
