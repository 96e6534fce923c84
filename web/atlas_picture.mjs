// atlasPicture(policies, cells): regret by age and load as an SVG, a panel per policy; a cell has the median over all other axes. `policies` are their
// names; of `cells`, each has a fleet with `staleness` and `load`, and regrets by policy.
const kCell = { width: 46, height: 22 };
const kPanel = { left: 34, top: 40, gap: 18 };
const kAcross = 4;
// From nothing to ten times as long and more, on a logarithmic scale.
const kLeast = 0.01;
const kMost = 10;

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const valuesOf = (cells, axis) => [...new Set(cells.map((cell) => cell.fleet[axis]))].sort((a, b) => a - b);
const shade = (regret) => Math.min(1, Math.max(0, Math.log(regret / kLeast) / Math.log(kMost / kLeast)));
const words = (regret) => (regret < 0.0005 ? '0' : regret < 0.0995 ? `${(100 * regret).toFixed(1)}%` : regret < 10 ? `${(100 * regret).toFixed(0)}%`
  : `${regret < 1000 ? Math.round(regret) : `${Math.round(regret / 1000)}k`}×`);
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function panel(name, at, ages, loads, regretOf) {
  const parts = [`<text x="${at.x + kPanel.left}" y="${at.y + 14}" class="name">${escaped(name)}</text>`];
  loads.forEach((load, i) => parts.push(
    `<text x="${at.x + kPanel.left + (i + 0.5) * kCell.width}" y="${at.y + 33}" class="axis middle">${load}</text>`));
  ages.forEach((age, j) => {
    const y = at.y + kPanel.top + j * kCell.height;
    parts.push(`<text x="${at.x + kPanel.left - 6}" y="${y + 15}" class="axis end">${age}</text>`);
    loads.forEach((load, i) => {
      const regret = regretOf(age, load);
      if (regret === undefined) return;
      const x = at.x + kPanel.left + i * kCell.width;
      const dark = shade(regret);
      parts.push(`<rect x="${x}" y="${y}" width="${kCell.width - 1}" height="${kCell.height - 1}" class="cell" fill-opacity="${(0.04 + 0.96 * dark).toFixed(2)}"/>`,
        `<text x="${x + kCell.width / 2}" y="${y + 15}" class="middle ${dark > 0.55 ? 'on' : 'value'}">${words(regret)}</text>`);
    });
  });
  return parts.join('\n');
}

export function atlasPicture(policies, cells) {
  const ages = valuesOf(cells, 'staleness');
  const loads = valuesOf(cells, 'load');
  const width = kPanel.left + loads.length * kCell.width + kPanel.gap;
  const height = kPanel.top + ages.length * kCell.height + kPanel.gap;
  const panels = policies.map((name, p) => panel(name, { x: (p % kAcross) * width, y: Math.floor(p / kAcross) * height }, ages, loads, (age, load) => {
    const here = cells.filter((cell) => cell.fleet.staleness === age && cell.fleet.load === load);
    return here.length === 0 ? undefined : median(here.map((cell) => cell.regrets[p]));
  }));
  const size = [Math.min(policies.length, kAcross) * width, Math.ceil(policies.length / kAcross) * height + 8];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.join(' ')}" width="${size[0]}" height="${size[1]}">
<style>
text { font: 11px system-ui, sans-serif; fill: #333 }
.name { font-weight: 600; font-size: 13px }
.axis { fill: #777 }
.middle { text-anchor: middle }
.end { text-anchor: end }
.cell { fill: #8c2d04 }
.on { fill: #fff }
@media (prefers-color-scheme: dark) {
  text { fill: #ddd }
  .axis { fill: #999 }
  .cell { fill: #fdae6b }
  .on { fill: #111 }
}
</style>
${panels.join('\n')}
</svg>
`;
}
