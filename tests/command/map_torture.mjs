// map_torture.mjs ARTEL SECONDS [SEED]: artel map, here and on a cluster of its own, under bad luck: signals at any moment,
// readers that go or pause, few files, big outputs; then again with --resume.
//
// The law: what the log says is printed has reached the reader once and is not printed again; everything else is printed by
// the run that resumes. Nothing is lost, and nothing hangs.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [artel, seconds, seedText] = process.argv.slice(2);
const firstSeed = seedText === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(seedText);
const end = Date.now() + 1000 * Number(seconds);
// ms until a run is given up; a busy machine takes its time
const kHang = Number(process.env.ARTEL_HANG_MS ?? 60_000);
const hasServer = ['/usr/bin', '/usr/sbin', '/usr/local/bin', ...process.env.PATH.split(':')]
  .some((folder) => existsSync(join(folder, 'nats-server')));

function dice(seed) {      // mulberry32
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    real: next,
    upTo: (most) => Math.floor(next() * (most + 1)),
    one: (list) => list[Math.floor(next() * list.length)],
  };
}

// What job i prints.
const textOf = (i, size) => `<${i}:${'x'.repeat(size)}:${i}>\n`;

function plan(seed) {
  const roll = dice(seed);
  const cluster = hasServer && roll.upTo(3) === 0;
  const jobs = cluster ? 5 + roll.upTo(20) : 5 + roll.upTo(60);
  const sizes = Array.from({ length: jobs }, () => roll.one([0, 10, 1000, 70_000, 300_000]));
  const pauses = Array.from({ length: jobs }, () => roll.one([0, 0, 0, 0.01, 0.1]));
  const options = ['-j', String(1 + roll.upTo(7))];
  if (roll.upTo(2) === 0) options.push('--as-ready');
  if (!cluster) options.push(...roll.one([[], [], [], ['--spill-max', '100kB'], ['--retries', '1']]));
  if (cluster) options.push('--cluster', 'local');
  const luck = roll.one(['none', 'none', 'SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGINT', 'twice', 'SIGHUP', 'SIGQUIT', 'reader', 'reader',
    'paused', 'files', 'Ctrl-Z']);
  return { seed, cluster, jobs, sizes, pauses, options, luck, after: roll.real() * (cluster ? 2500 : 700), bytes: roll.upTo(500_000) };
}

// Runs artel; `bad` is what happens to it. Gives what its reader took.
function run(folder, { options, sizes, pauses, jobs }, extra, bad) {
  return new Promise((done) => {
    const script = 'i=$1; set -- $(sed -n "${i}p" "$PLAN"); printf "<%s:" $i; head -c $1 /dev/zero | tr "\\0" x; sleep $2; printf ":%s>\\n" $i';
    const few = bad.luck === 'files' ? 'ulimit -n 40; ' : '';
    writeFileSync(join(folder, 'plan'), sizes.map((size, i) => `${size} ${pauses[i]}\n`).join(''));
    const child = spawn('/bin/sh', ['-c', `${few}exec "$0" "$@"`, artel, 'map', '--joblog', join(folder, 'log'), ...options, ...extra,
      '--shell', '--', script, ':::', ...Array.from({ length: jobs }, (_, i) => String(i + 1))],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, PLAN: join(folder, 'plan'), TMPDIR: folder } });
    const taken = [];
    let bytes = 0;
    let err = '';
    const timers = [];
    const later = (ms, what) => timers.push(setTimeout(what, ms));
    child.stderr.on('data', (data) => { err += data; });
    child.stdout.on('data', (data) => {
      taken.push(data);
      bytes += data.length;
      if (bad.luck === 'reader' && bytes >= bad.bytes) child.stdout.destroy();
      if (bad.luck === 'paused' && !bad.paused) {
        bad.paused = true;
        child.stdout.pause();
        later(300, () => child.stdout.resume());
      }
    });
    later(bad.after ?? 0, () => {
      if (bad.luck?.startsWith('SIG')) child.kill(bad.luck);
      if (bad.luck === 'twice') { child.kill('SIGINT'); later(20, () => child.kill('SIGINT')); }
      if (bad.luck === 'Ctrl-Z') { child.kill('SIGTSTP'); later(200, () => child.kill('SIGCONT')); }
    });
    let hung = false;
    later(kHang, () => { hung = true; child.kill('SIGKILL'); });
    child.on('close', (status, signal) => {
      timers.forEach(clearTimeout);
      done({ out: Buffer.concat(taken).toString('latin1'), err, status, signal, hung });
    });
  });
}

function logged(folder) {
  if (!existsSync(join(folder, 'log'))) return [];
  const lines = readFileSync(join(folder, 'log'), 'latin1').split('\n');
  return lines.slice(1, -1).map((line) => Number(line.split('\t')[0]));   // the last one ends with a line break, or was cut off
}

function leftProcesses(folder) {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`PLAN=${folder}/`);
    } catch { return false; }
  });
}

async function round(seed) {
  const folder = mkdtempSync(join(tmpdir(), 'artel-torture-'));
  const planned = plan(seed);
  const problems = [];
  const first = await run(folder, planned, [], { ...planned });
  const done = new Set(logged(folder));
  const second = await run(folder, planned, ['--resume'], { luck: 'none' });
  if (first.hung || second.hung) problems.push('it hangs');
  if (second.status !== 0) problems.push(`the resumed run ended with ${second.status ?? second.signal}: ${second.err}`);
  for (let i = 1; i <= planned.jobs; ++i) {
    const text = textOf(i, planned.sizes[i - 1]);
    const before = first.out.split(text).length - 1;
    const after = second.out.split(text).length - 1;
    if (done.has(i) ? before !== 1 || after !== 0 : before > 1 || after !== 1) {
      problems.push(`job ${i}, ${done.has(i) ? '' : 'not '}in the log: printed ${before} times, then ${after}`);
    }
  }
  if (['none', 'paused', 'files', 'Ctrl-Z'].includes(planned.luck) && (first.status !== 0 || done.size !== planned.jobs)) {
    problems.push(`${done.size} of ${planned.jobs} jobs are in the log, status ${first.status ?? first.signal}: ${first.err}`);
  }
  // What a killed artel leaves is ended by its guard.
  for (let i = 0; i < 100 && leftProcesses(folder).length > 0; ++i) await new Promise((go) => setTimeout(go, 50));
  const left = leftProcesses(folder);
  if (left.length > 0) problems.push(`processes are left: ${left.join(' ')}`);
  const files = readdirSync(folder).filter((name) => name.startsWith('artel'));
  if (files.length > 0) problems.push(`files are left: ${files.join(' ')}`);
  rmSync(folder, { recursive: true, force: true });
  const what = `${planned.cluster ? 'cluster' : 'here'}, ${planned.jobs} jobs, ${planned.options.join(' ')}, ${planned.luck}`;
  for (const problem of problems) console.log(`seed ${seed} (${what}): ${problem.slice(0, 500)}`);
  if (problems.length > 0) console.log(`  again: tests/command/map_torture.mjs ${artel} 1 ${seed}`);
  return problems.length;
}

let problems = 0;
let seed = firstSeed;
do {
  problems += await round(seed++);
} while (Date.now() < end);
console.log(`${seed - firstSeed} rounds from seed ${firstSeed}, ${problems} problems`);
process.exit(problems > 0 ? 1 : 0);
