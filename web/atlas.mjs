// atlas.mjs ARTEL RESULTS [--fine] [--limit N]: runs the fleets of the atlas that RESULTS (CSV) does not have yet, appends a line for each, and
// writes docs/atlas.md and docs/images/atlas.svg from all that are there. `./dev atlas` calls it.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { execFileSync, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { atlasPage } from './atlas_page.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values, positionals: [artel, results] } = parseArgs({ allowPositionals: true,
  options: { fine: { type: 'boolean' }, limit: { type: 'string' } } });

const policies = ['random', 'weighted_round_robin', 'jsq(d=2)', 'jsq(d=2; busyness=weighted)', 'jiq', 'least_loaded', 'least_work_left',
  'closed_loop', 'peak_ewma(d=2)', 'c3', 'prequal', 'jbt(threshold=2)', 'weighted_least_request'];
const coarse = { workers: [4, 16, 64], speeds: [1, 2, 4, 10], scv: [0.25, 1, 4, 16], load: [0.3, 0.5, 0.7, 0.85, 0.95],
  staleness: [0, 0.5, 2, 10, 50] };
const fine = { workers: [4, 16, 64, 256], speeds: [1, 2, 3, 4, 10], scv: [0.0625, 0.25, 0.5, 1, 4, 8, 16],
  load: [0.3, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95], staleness: [0, 0.1, 0.5, 1, 2, 5, 10, 20, 50] };

/** Every combination, the coarse ones first, so that --fine goes on where the atlas is. */
function fleets() {
  const all = (axes) => Object.entries(axes).reduce(
    (rows, [key, options]) => rows.flatMap((row) => options.map((option) => ({ ...row, [key]: option }))), [{}]);
  const first = all(coarse);
  const known = new Set(first.map(nameOf));
  return values.fine ? [...first, ...all(fine).filter((fleet) => !known.has(nameOf(fleet)))] : first;
}

const nameOf = (fleet) => ['workers', 'speeds', 'scv', 'load', 'staleness'].map((key) => fleet[key]).join(',');

/** The arguments of the one command that makes a cell. */
const commandOf = (fleet) => ['arena', ...policies, '--scenarios', 'scenarios/atlas', '--replications', '3', '--json', '-j', '1',
  '--set', `pool.groups=[{workers=${fleet.workers / 2},speed=${fleet.speeds}},{workers=${fleet.workers / 2},speed=1}]`,
  '--set', `workload.service.shape=${1 / fleet.scv}`, '--set', `workload.service.scale=${fleet.scv}`,
  '--set', `workload.arrivals.load=${fleet.load}`, '--set', `dispatch.staleness=${fleet.staleness}`];

function run(fleet) {
  return new Promise((resolve, reject) => {
    const child = spawn(artel, commandOf(fleet), { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (part) => { text += part; });
    child.on('error', reject);
    child.on('close', (status) => (status === 0 ? resolve(JSON.parse(text)) : reject(new Error(`artel ${commandOf(fleet).join(' ')}: ${status}`))));
  });
}

const digits = (number) => (number === null ? '' : Number(number.toPrecision(4)));

/** workers … staleness, then mean response and the half-width of its regret, by policy. */
function line(fleet, json) {
  const columns = policies.flatMap((policy) => {
    const [cell] = json.policies.find((row) => row.policy === policy).scenarios;
    return [digits(cell.cost.value), digits(cell.regret.half_width)];
  });
  return `${nameOf(fleet)},${columns.join(',')}\n`;
}

const header = `workers,speeds,scv,load,staleness,${policies.flatMap((policy) => [policy, '±']).join(',')}\n`;
if (!existsSync(results)) writeFileSync(results, header);
const whole = readFileSync(results, 'utf8').replace(/[^\n]*$/, '');      // without half of a line
writeFileSync(results, whole);
if (!whole.startsWith(header)) throw new Error(`${results}: was made with other policies; remove it`);
const done = new Set(whole.split('\n').slice(1).map((row) => row.split(',').slice(0, 5).join(',')));
const missing = fleets().filter((fleet) => !done.has(nameOf(fleet))).slice(0, values.limit ? Number(values.limit) : undefined);
console.error(`${done.size - 1} fleets are there, ${missing.length} to run`);
let next = 0;
await Promise.all(Array.from({ length: availableParallelism() }, async () => {
  while (next < missing.length) {
    const fleet = missing[next++];
    appendFileSync(results, line(fleet, await run(fleet)));
    if (process.stderr.isTTY) process.stderr.write(`\r${next} of ${missing.length}`);
  }
}));
const rows = readFileSync(results, 'utf8').trimEnd().split('\n').slice(1).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
writeFileSync(results, header + rows.join('\n') + '\n');
const shown = (fleet) => commandOf(fleet).filter((word) => !['--json', '-j', '1'].includes(word));
const { page, picture } = atlasPage(policies, rows.map((row) => row.split(',').map(Number)), {
  command: (fleet) => `artel ${shown(fleet).map((word) => (/[ ()[\]{};]/.test(word) ? `'${word}'` : word)).join(' ')}`,
  output: (fleet) => execFileSync(artel, shown(fleet), { cwd: root, encoding: 'utf8' }),
});
writeFileSync(join(root, 'docs/atlas.md'), page);
writeFileSync(join(root, 'docs/images/atlas.svg'), picture);
