// The colours of policies are told apart by readers of any colour vision, in both themes: simulated by the matrices of Machado, Oliveira
// and Fernandes (2009) for severity 1 in linear RGB, and compared as distances in Oklab (Ottosson 2020), times 100.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const visions = {
  normal: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

function linear(hex) {
  return [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
}

function seen(rgb, matrix) {
  return [0, 3, 6].map((row) => Math.min(1, Math.max(0, matrix[row] * rgb[0] + matrix[row + 1] * rgb[1] + matrix[row + 2] * rgb[2])));
}

function oklab([r, g, b]) {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
}

function distance(a, b) {
  return 100 * Math.hypot(...a.map((value, i) => value - b[i]));
}

function contrast(a, b) {
  const luminance = ([red, green, blue]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

const style = readFileSync(new URL("../src/style.css", import.meta.url), "utf8");
const themes = { light: style.slice(0, style.indexOf("@media screen")), dark: style.slice(style.indexOf('[data-theme="dark"]')) };
const colour = (theme, name) => linear(new RegExp(`--${name}: (#[0-9a-f]{6})`).exec(themes[theme])[1]);

for (const theme of Object.keys(themes)) {
  const policies = Array.from({ length: 8 }, (_, i) => colour(theme, `c${i}`));
  for (const [vision, matrix] of Object.entries(visions)) {
    test(`no two policies look alike: ${theme}, ${vision}`, () => {
      const labs = policies.map((rgb) => oklab(seen(rgb, matrix)));
      labs.forEach((a, i) => labs.slice(0, i).forEach((b, j) => {
        // The closest of Okabe and Ito's colours are 7.6 apart.
        assert.ok(distance(a, b) >= 12, `c${i} and c${j}: ${distance(a, b).toFixed(1)}`);
      }));
    });
  }
  test(`policies stand out from the page, as do steps of a scale from each other: ${theme}`, () => {
    for (const [i, rgb] of policies.entries()) assert.ok(contrast(rgb, colour(theme, "surface")) >= 3, `c${i}`);
    for (const [scale, steps] of [["heat", 7], ["wait", 5]])
      for (const matrix of Object.values(visions))
        for (let i = 1; i < steps; ++i) {
          const [a, b] = [i - 1, i].map((step) => oklab(seen(colour(theme, `${scale}${step}`), matrix)));
          assert.ok(distance(a, b) >= 4, `${theme}: ${scale}${i - 1} and ${scale}${i}: ${distance(a, b).toFixed(1)}`);
        }
  });
}
