// atlasPage(policies, rows, { command, output }): { page: docs/atlas.md, picture: docs/images/atlas.svg }; the command that makes a fleet, and what it prints. A row is workers, speeds, scv, load, staleness, then per policy its mean
// response and the half-width of its regret.
import { atlasPicture } from './atlas_picture.mjs';

const kAxes = ['workers', 'speeds', 'scv', 'load', 'staleness'];
const kTitles = { workers: 'workers', speeds: 'fast / slow', scv: 'SCV', load: 'load', staleness: 'age' };
// The columns of maps.
const kShort = { random: 'random', weighted_round_robin: 'weighted RR', 'jsq(d=2)': 'JSQ(2)', 'jsq(d=2; busyness=weighted)': 'JSQ(2) weighted',
  jiq: 'JIQ', least_loaded: 'least loaded', least_work_left: 'least work', closed_loop: 'closed loop',
  'peak_ewma(d=2)': 'peak EWMA', c3: 'C3', prequal: 'Prequal', 'jbt(threshold=2)': 'JBT(2)', weighted_least_request: 'weighted LR' };

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const percent = (share) => (share === 0 ? '0' : share < 0.0995 ? `${(100 * share).toFixed(1)}%` : share < 1000 ? `${(100 * share).toFixed(0)}%`
  : `${Number((100 * share).toPrecision(1)).toLocaleString('en').replaceAll(',', ' ')}%`);

/** Objects with the axes, costs and regrets by policy. */
function read(policies, rows) {
  return rows.map((row) => {
    const fleet = Object.fromEntries(kAxes.map((axis, i) => [axis, row[i]]));
    const costs = policies.map((_, p) => row[kAxes.length + 2 * p]);
    const least = Math.min(...costs);
    const regrets = costs.map((cost) => cost / least - 1);
    // As good as the best: what the interval cannot tell from it.
    const good = regrets.map((regret, p) => regret <= row[kAxes.length + 2 * p + 1]);
    return { fleet, costs, regrets, good, best: regrets.indexOf(0) };
  });
}

const table = (head, rows) => [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const valuesOf = (cells, axis) => [...new Set(cells.map((cell) => cell.fleet[axis]))].sort((a, b) => a - b);

/** Median regret of every policy, a line per value of the axis. */
function mapBy(policies, cells, axis) {
  return table([kTitles[axis], 'fleets', ...policies.map((policy) => kShort[policy])], valuesOf(cells, axis).map((value) => {
    const here = cells.filter((cell) => cell.fleet[axis] === value);
    const medians = policies.map((_, p) => median(here.map((cell) => cell.regrets[p])));
    const least = Math.min(...medians);
    return [value, here.length, ...medians.map((one) => (one === least ? `**${percent(one)}**` : percent(one)))];
  }));
}

/** Who is best most often, by age (down) and load (across), and its median regret there. */
function winners(policies, cells) {
  const loads = valuesOf(cells, 'load');
  return table(['age \\ load', ...loads], valuesOf(cells, 'staleness').map((age) => [age, ...loads.map((load) => {
    const here = cells.filter((cell) => cell.fleet.staleness === age && cell.fleet.load === load);
    if (here.length === 0) return '';
    const medians = policies.map((_, p) => median(here.map((cell) => cell.regrets[p])));
    const winner = medians.indexOf(Math.min(...medians));
    return `${kShort[policies[winner]]} ${percent(medians[winner])}`;
  })]));
}

/** How often a policy is the best, or cannot be told from it, and how bad it may be. */
function summary(policies, cells) {
  return table(['policy', 'best', 'as good as the best', 'median regret', 'worst regret', 'in the fleet'], policies.map((policy, p) => {
    const worst = cells.reduce((a, b) => (b.regrets[p] > a.regrets[p] ? b : a));
    const { workers, speeds, scv, load, staleness } = worst.fleet;
    const share = (count) => `${((100 * count) / cells.length).toFixed(0)}%`;
    return [`\`${policy}\``, share(cells.filter((cell) => cell.best === p).length), share(cells.filter((cell) => cell.good[p]).length),
      percent(median(cells.map((cell) => cell.regrets[p]))), percent(worst.regrets[p]),
      `${workers} workers, ${speeds}:1, SCV ${scv}, load ${load}, age ${staleness}`];
  }));
}

export function atlasPage(policies, rows, { command, output }) {
  const cells = read(policies, rows);
  const example = cells.find(({ fleet }) => fleet.workers === 16 && fleet.speeds === 4 && fleet.scv === 4 && fleet.load === 0.85 && fleet.staleness === 2)
    ?? cells[0];
  const { workers, speeds, scv, load, staleness } = example.fleet;
  const picture = atlasPicture(policies.map((policy) => kShort[policy]), cells);
  const page = `<!-- Made by ./dev atlas; do not edit. -->
# Which policy for which fleet

${cells.length} fleets, each with ${policies.length} policies on the same tasks: mean response against that of the best policy there (*regret*: 100% is twice as
long). All times are in service times; workers have queues of their own, without bound; one dispatcher. What fleets differ in:
- **workers**: ${valuesOf(cells, 'workers').join(', ')}; **fast / slow**: half of them are so many times as fast as the others (${valuesOf(cells, 'speeds').join(', ')});
- **SCV** of the service times (gamma; 1 is exponential): ${valuesOf(cells, 'scv').join(', ')}; **load**: ${valuesOf(cells, 'load').join(', ')};
- **age**: how old the loads get that the dispatcher sees before it hears again: ${valuesOf(cells, 'staleness').join(', ')}.

One common queue (\`central\`) is not among them: where tasks can wait unbound, [it beats all of these](policies/README.md).

## On the whole
${summary(policies, cells)}

*As good as the best*: the 99% interval of its regret, of three replications, reaches down to 0. Where a policy gives slow workers more than they can do, there is no steady state: its regret then grows with
the length of the run, 20 000 tasks here, and says only that it must not be used there.

## By age and load
The policy with the least median regret over all other axes, and that regret:

${winners(policies, cells)}

The median regret of each policy, age down and load across; 12× is 12 times longer than need be:

<img alt="Median regret of each policy by age and load; the tables below have the figures" src="images/atlas.svg" width="1130">

${kAxes.map((axis) => `## Median regret by ${kTitles[axis]}\n${mapBy(policies, cells, axis)}`).join('\n\n')}

## Every cell by one command
[atlas.csv](atlas.csv) has them all: the five axes, then per policy its mean response and the half-width of its regret. The fleet of ${workers} workers, ${speeds}:1,
SCV ${scv}, load ${load}, age ${staleness} is

\`\`\`sh
${command(example.fleet)}
\`\`\`
<!-- prints -->
\`\`\`text
${output(example.fleet)}\`\`\`
\`./dev atlas\` runs what is missing and writes this page anew; \`./dev atlas --fine\` goes on to 10 080 fleets; both may be stopped at any time. \`./dev verify --only
atlas\` compares ten cells with exact answers.
`;
  return { page, picture };
}
