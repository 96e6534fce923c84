// The policies of a report: their colours, and which of them the reader wants to see.
import { element } from "./dom.js";
import { spoken } from "./format.js";

const colours = 8;

export class Policies {
  #hidden = new Set();
  #listeners = [];

  constructor(names) {
    this.names = names;
  }
  colour(name) {
    return `var(--c${this.names.indexOf(name) % colours})`;
  }
  // Colours repeat after eight: the next eight are dashed.
  dash(name) {
    return ["none", "6 3", "2 3"][Math.floor(this.names.indexOf(name) / colours) % 3];
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

  // Which colour is whose; a click hides or shows the policy in all charts. Null for a single one.
  legend() {
    if (this.names.length === 1) return null;
    const list = element("ul.legend", { "aria-label": "Policies: show or hide" });
    const render = () => list.replaceChildren(...this.names.map((name) => element("li", {},
      element("button.chip", {
        type: "button", "aria-pressed": String(!this.#hidden.has(name)), "data-policy": name,
        onclick: () => this.toggle(name),
      }, swatch(this.colour(name)), spoken(name)))));
    render();
    this.onChange(() => {
      const focused = list.contains(document.activeElement) ? document.activeElement.dataset.policy : null;
      render();
      if (focused !== null) [...list.querySelectorAll("button")].find((b) => b.dataset.policy === focused)?.focus();
    });
    return list;
  }
}

export function swatch(colour) {
  const node = element("span.swatch");
  node.style.background = colour;
  return node;
}
