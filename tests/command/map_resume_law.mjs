#!/usr/bin/env node
// map_resume_law.mjs ARTEL ROUNDS [SEED]: a run of artel map that is stopped by signals and resumed is the straight run.
//
// In each round some jobs run with --joblog; a signal stops the run, one to three times, at a random moment; the last --resume
// runs to the end. Checked: stdout and stderr, which are files, have the bytes of a run that was not stopped (--as-ready: the
// same outputs, each whole); the log has each job once; no attempt of a job begins while another one of it is alive; no file and
// no process is left. The effect of a job is a line in a file. In every second round, signals come only when no job is between
// its effect and the moment artel has recorded its end; then each effect is there once.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [artel, rounds, firstSeed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const kDeadline = 60_000;
const kSignals = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'];

function dice(seed) {
  let state = (seed * 2654435761) >>> 0;
  const real = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return { real, upTo: (most) => Math.floor(real() * (most + 1)), one: (list) => list[Math.floor(real() * list.length)] };
}

const pause = (ms) => new Promise((go) => setTimeout(go, ms));
async function until(what, holds) {
  for (const end = Date.now() + kDeadline; !holds(); await pause(2)) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
  }
}

// The job: $1 its number, $2 seconds, $3 bytes, $4 how it waits. The lock is held from before the effect until the job has ended.
const kJob = `case $4 in deaf) trap "" TERM ;; esac
echo "begin $1 $$" >> effects; echo "<$1"
case $4 in own-group) timeout 60 sleep $2 ;; own-session) setsid -w sleep $2 ;; *) sleep $2 ;; esac
exec 9<>lock; flock -s 9 || exit
head -c $3 /dev/zero | tr "\\0" x; echo "$1>"; echo "err $1" >&2
echo "end $1 $$" >> effects`;

const outOf = (job, bytes) => `<${job}\n${'x'.repeat(bytes)}${job}>\n`;
const statusOf = (pid) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state, parent: Number(parent) };
  } catch { return undefined; }
};
const pids = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number);
const processesOf = (folder) => pids().filter((pid) => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`LAW=${folder}\0`) && 'ZX'.indexOf(statusOf(pid)?.state ?? 'X') < 0;
  } catch { return false; }
});
// It waits for events, and no child of its has an end to be seen.
const isIdle = (pid) => statusOf(pid)?.state !== 'R' && statusOf(pid)?.state !== 'D' &&
  !pids().some((other) => { const status = statusOf(other); return status?.parent === pid && 'ZX'.includes(status.state); });

function plan(seed) {
  const roll = dice(seed);
  const jobs = 8 + roll.upTo(20);
  return {
    seed, jobs, signal: kSignals[seed % kSignals.length], between: Math.floor(seed / kSignals.length) % 2 === 1,
    ready: roll.upTo(3) === 0, slots: 1 + roll.upTo(5),
    seconds: Array.from({ length: jobs }, () => roll.one([0, 0, 0.02, 0.05, 0.1])),
    bytes: Array.from({ length: jobs }, () => roll.one([0, 10, 1000, 200_000])),
    waits: Array.from({ length: jobs }, () => roll.one(['plain', 'plain', 'plain', 'own-group', 'own-session', roll.upTo(3) === 0 ? 'deaf' : 'plain'])),
    moments: Array.from({ length: 1 + roll.upTo(2) }, () => roll.real() * 300),
  };
}

// One run; `moment`: when the signal comes, if at all.
async function run(folder, planned, resume, moment) {
  const { jobs, seconds, bytes, waits, signal } = planned;
  const files = ['out', 'err'].map((name) => openSync(join(folder, name), resume ? 'a' : 'w'));
  const child = spawn(artel, ['map', '-j', String(planned.slots), ...(planned.ready ? ['--as-ready'] : []), '--joblog', 'log',
    ...(resume ? ['--resume'] : []), '--colsep', ' ', '--', 'sh', './job', '{1}', '{2}', '{3}', '{4}', ':::',
    ...Array.from({ length: jobs }, (_, i) => `${i + 1} ${seconds[i]} ${bytes[i]} ${waits[i]}`)],
  { cwd: folder, stdio: ['ignore', ...files], env: { ...process.env, LAW: folder, TMPDIR: folder } });
  files.forEach(closeSync);
  let ended = false;
  const end = new Promise((done) => { child.on('exit', (status, how) => { ended = true; done(status ?? how); }); });
  let lock;
  if (moment !== undefined) {
    await pause(moment);
    if (planned.between && !ended) {
      lock = spawn('flock', ['-x', 'lock', 'sh', '-c', 'echo locked; read _'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
      await new Promise((locked) => { lock.stdout.once('data', locked); });
      await until('artel is idle', () => ended || isIdle(child.pid));
    }
    if (!ended) child.kill(signal);
    if (signal === 'SIGINT') lock?.stdin.end();   // the jobs that run end by themselves
  } else {
    setTimeout(() => { if (!ended) child.kill('SIGKILL'); }, kDeadline).unref();
  }
  const status = await end;
  if (lock) {
    await until('the jobs of a stopped run are ended', () => processesOf(folder).length === 0);
    lock.stdin.end();
    await new Promise((done) => { lock.on('exit', done); if (lock.exitCode !== null) done(); });
  }
  return status;
}

function check(folder, planned, status) {
  const problems = [];
  const read = (name) => readFileSync(join(folder, name), 'latin1');
  if (status !== 0) problems.push(`the last run ended with ${status}`);
  const numbers = Array.from({ length: planned.jobs }, (_, i) => i + 1);
  let out = read('out');
  let err = read('err').split('\n').filter((line) => !line.startsWith('artel: ')).join('\n');
  if (planned.ready) {
    out = out.split(/(?<=\d>\n)/).sort((a, b) => Number(a.slice(1, 3)) - Number(b.slice(1, 3))).join('');
    err = err.split(/(?<=\n)/).sort((a, b) => Number(a.slice(4)) - Number(b.slice(4))).join('');
  }
  const straight = { out: numbers.map((job) => outOf(job, planned.bytes[job - 1])).join(''), err: numbers.map((job) => `err ${job}\n`).join('') };
  const short = (text) => text.replaceAll(/x{20,}/g, (all) => `x*${all.length}`).slice(0, 600);
  if (out !== straight.out) problems.push(`stdout is not the straight run's: ${short(out)}`);
  if (err !== straight.err) problems.push(`stderr is not the straight run's: ${short(err)}`);
  const logged = read('log').split('\n').slice(1, -1).map((line) => Number(line.split('\t')[0])).sort((a, b) => a - b);
  if (logged.join() !== numbers.join()) problems.push(`the log has the jobs ${logged}`);
  const open = new Map();
  const effects = new Map();
  for (const line of read('effects').split('\n').slice(0, -1)) {
    const [what, job, attempt] = line.split(' ');
    if (what === 'begin') open.set(job, attempt);
    else if (open.get(job) !== attempt) problems.push(`job ${job}: an attempt went on beside a later one`);
    else effects.set(job, (effects.get(job) ?? 0) + 1);
  }
  for (const job of numbers) {
    const times = effects.get(String(job)) ?? 0;
    if (planned.between ? times !== 1 : times < 1) problems.push(`job ${job} had its effect ${times} times`);
  }
  if (existsSync(join(folder, 'log.unprinted'))) problems.push('log.unprinted is left');
  if (processesOf(folder).length > 0) problems.push(`processes are left: ${processesOf(folder)}`);
  return problems;
}

let bad = 0;
for (let seed = Number(firstSeed); seed < Number(firstSeed) + Number(rounds); ++seed) {
  const folder = mkdtempSync(join(tmpdir(), 'artel-law-'));
  const planned = plan(seed);
  writeFileSync(join(folder, 'job'), kJob);
  let resume = false;
  for (const moment of planned.moments) {
    await run(folder, planned, resume, moment);
    resume = existsSync(join(folder, 'log'));
  }
  const problems = check(folder, planned, await run(folder, planned, resume));
  for (const problem of problems) {
    console.log(`seed ${seed} (${planned.jobs} jobs, -j ${planned.slots}, ${planned.signal} ${planned.between ? 'between jobs' : 'at any moment'}` +
      `${planned.ready ? ', as ready' : ''}): ${problem}\n  again: tests/command/map_resume_law.mjs ${artel} 1 ${seed}`);
  }
  bad += problems.length > 0 ? 1 : 0;
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${rounds} rounds from seed ${firstSeed}, ${bad} not as the straight run`);
process.exit(bad > 0 ? 1 : 0);
