// bars.mjs FIGURES.json OUT [BENCH.json…]: draws OUT-light.svg and OUT-dark.svg, a bar for each contender of each chart in FIGURES.
// With results of `./dev bench`, FIGURES is written anew from them first: medians of the rows that have a chart's workload and metric.
import { readFileSync, writeFileSync } from "node:fs";

const [figures, out, ...results] = process.argv.slice(2);
if (!out) {
  console.error("usage: node web/bars.mjs FIGURES.json OUT [BENCH.json…]");
  process.exit(2);
}
const data = JSON.parse(readFileSync(figures, "utf8"));

function take(bench) {
  for (const chart of data.charts) {
    for (const bar of chart.bars) {
      const row = bench.rows.find((r) => r.workload === chart.workload && r.contender === bar.contender && r.metric === chart.metric);
      if (row) bar.value = Number((row.median / chart.scale).toPrecision(3));
    }
  }
  Object.assign(data, { cpu: bench.cpu, compiler: bench.compiler, commit: bench.commit, date: new Date().toISOString().slice(0, 10) });
}
results.forEach((file) => take(JSON.parse(readFileSync(file, "utf8"))));
if (results.length > 0) writeFileSync(figures, `${JSON.stringify(data, null, 2)}\n`);

const kThemes = {
  light: { ours: "#0b62c4", others: "#b6bfca", text: "#1f2328", faint: "#59636e", ground: "#ffffff" },
  dark: { ours: "#58a6ff", others: "#4a5360", text: "#e6edf3", faint: "#9198a1", ground: "#0d1117" },
};
const kWidth = 720, kName = 96, kBar = 14, kStep = 20, kTitle = 30, kGap = 18, kValue = 52;
const escape = (text) => String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

function draw(theme) {
  const parts = [];
  const text = (x, y, words, { fill = theme.text, anchor = "start", weight = 400, size = 12 } = {}) => parts.push(
    `<text x="${x}" y="${y}" fill="${fill}" text-anchor="${anchor}" font-weight="${weight}" font-size="${size}">${escape(words)}</text>`);
  let y = kGap;
  for (const chart of data.charts) {
    text(0, y + 4, chart.title, { weight: 600, size: 13 });
    text(kWidth, y + 4, `${chart.unit}, ${chart.better} is better`, { anchor: "end", fill: theme.faint });
    y += kTitle - kStep / 2;
    const most = Math.max(...chart.bars.map((bar) => bar.value));
    const bars = [...chart.bars].sort((a, b) => (chart.better === "more" ? b.value - a.value : a.value - b.value));
    for (const bar of bars) {
      const ours = bar.name === "artel";
      const length = ((kWidth - kName - kValue) * bar.value) / most;
      text(kName - 8, y + kBar - 3, bar.name, { anchor: "end", weight: ours ? 600 : 400 });
      parts.push(`<rect x="${kName}" y="${y}" width="${length.toFixed(1)}" height="${kBar}" rx="2" fill="${ours ? theme.ours : theme.others}"/>`);
      text(kName + length + 6, y + kBar - 3, bar.value, { weight: ours ? 600 : 400 });
      y += kStep;
    }
    y += kGap;
  }
  text(0, y, `${data.machine}, ${data.compiler}, ${data.date}: ${data.command}`, { fill: theme.faint, size: 11 });
  const height = y + 10;
  const names = data.charts.map((chart) => chart.title).join("; ");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-12 -8 ${kWidth + 24} ${height + 8}" width="${kWidth + 24}" role="img" ` +
    `font-family="system-ui, sans-serif">\n<title>${escape(names)}</title>\n` +
    `<rect x="-12" y="-8" width="100%" height="100%" fill="${theme.ground}"/>\n${parts.join("\n")}\n</svg>\n`;
}
for (const [name, theme] of Object.entries(kThemes)) writeFileSync(`${out}-${name}.svg`, draw(theme));
