// Numbers, verdicts, legends and looks, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { duration, number, percent, roundBelow, timeUnit, verdictMark, verdictText } from "../src/format.js";
import { placeLabels } from "../src/plot_style.js";
import { lookOf, slotsOf } from "../src/policies.js";

test("what is not known is a dash, never 0", () => {
  for (const nothing of [null, undefined, NaN])
    for (const text of [number, percent, duration]) assert.equal(text(nothing), "–");
  assert.equal(number(timeUnit(1e-3).of(null)), "–");
  assert.equal(percent(0), "0%");
});

test("every verdict has its words", () => {
  assert.deepEqual(["met", "missed", "unclear", "not measured"].map(verdictText), ["yes", "no", "unclear", "not measured"]);
  assert.deepEqual(["met", "missed", "unclear", "not measured", undefined].map(verdictMark), [" ✓", " ✗", " ?", " (not measured)", ""]);
});

test("the steps of a legend are round, below the largest value, and no two are alike", () => {
  for (const longest of [7, 8, 0.7, 0.8, 1, 2, 5, 10, 3.3, 1e-6, 86400]) {
    const steps = roundBelow(longest, 3);
    assert.equal(new Set(steps.map((step) => duration(step))).size, 3, `${longest}: ${steps}`);
    assert.deepEqual(steps, [...steps].sort((a, b) => a - b));
    assert.ok(steps[2] < longest && steps[2] >= longest / 2.6, `${longest}: ${steps}`);
  }
  assert.deepEqual(roundBelow(8, 3), [1, 2, 5]);
});

test("labels stand beside their points, and none on another one", () => {
  const bounds = { right: 300, top: 0, bottom: 200 };
  const points = [[50, 20], [55, 24], [280, 24], [280, 30], [280, 30], [60, 200]].map(([x, y]) => ({ x, y, width: 60 }));
  const placed = placeLabels(points, bounds);
  placed.forEach((a, i) => {
    assert.ok(a.x + 60 <= 300 && a.y >= 0 && a.y <= 200 && Math.abs(a.y - points[i].y) <= 45, JSON.stringify(a));
    for (const b of placed.slice(i + 1)) assert.ok(Math.abs(a.y - b.y) >= 14.9 || Math.abs(a.x - b.x) >= 60, JSON.stringify([a, b]));
  });
  assert.equal(placeLabels(Array.from({ length: 40 }, () => ({ x: 0, y: 0, width: 60 })), bounds), null);
});

test("a policy's colour goes by its name, whatever stands beside it", () => {
  const colourOf = (name, names) => lookOf(slotsOf(names).get(name)).colour;
  const alone = colourOf("least_loaded", ["least_loaded"]);
  assert.equal(colourOf("least_loaded", ["random", "central", "mine", "least_loaded"]), alone);
  assert.equal(colourOf("least_loaded (queue 4)", ["central", "least_loaded (queue 4)"]), alone);
  assert.equal(colourOf("jsq(d=2)", ["jsq(d=2)"]), colourOf("jsq(d=3)", ["jsq(d=2)", "jsq(d=3)"]));
});

test("no two policies of a page look the same, and few of them share a colour", () => {
  const names = ["mine", "other", "third", "central", "random", "least_loaded", "jsq(d=2)", "jsq(d=3)", "jsq(d=4)", "sita", "a", "b", "c", "d", "e", "f"];
  const looks = [...slotsOf(names).values()].map(lookOf);
  assert.equal(new Set(looks.map(({ colour, dash }) => colour + dash)).size, names.length);
  assert.equal(new Set(looks.map(({ colour, symbol }) => colour + symbol)).size, names.length);
  const eight = [...slotsOf(["u", "v", "w", "x", "y", "z", "central", "random"]).values()].map(lookOf);
  for (const part of ["colour", "dash", "symbol"]) assert.equal(new Set(eight.map((look) => look[part])).size, 8);
});
