// Loaded into every Node.js process by any-day.mjs; does what libfaketime cannot.
// 1. The server starts its child processes with an environment of its own, which would lose the simulated time.
// 2. The kernel writes real times to files, and Node.js reads them without libfaketime.
import childProcess, { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';

const names = (process.env.QUIRE_CLOCK_VARIABLES ?? '').split(' ');
const clock = Object.fromEntries(
  names.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined),
);
const shiftMs = Number(/^([+-]\d+)s$/.exec(process.env.FAKETIME ?? '')?.[1] ?? 0) * 1000;

keepInChildren();
if (shiftMs !== 0) await shiftFileTimes();
syncBuiltinESMExports();

function keepInChildren() {
  const { spawn } = ChildProcess.prototype;
  ChildProcess.prototype.spawn = function spawnWithClock(options) {
    const names = new Set((options.envPairs ?? []).map((pair) => pair.split('=')[0]));
    const added = Object.entries(clock).filter(([name]) => !names.has(name));
    options.envPairs?.push(...added.map(([name, value]) => `${name}=${value}`));
    return spawn.call(this, options);
  };
  for (const name of ['spawnSync', 'execFileSync', 'execSync']) {
    const own = childProcess[name];
    childProcess[name] = (...args) =>
      own(...args.map((arg) => (arg?.env === undefined ? arg : { ...arg, env: { ...clock, ...arg.env } })));
  }
}

async function shiftFileTimes() {
  const probe = await fs.promises.open(tmpdir(), 'r');
  const handles = Object.getPrototypeOf(probe);
  await probe.close();
  for (const [owner, names] of [
    [fs, ['statSync', 'lstatSync', 'fstatSync']],
    [fs.promises, ['stat', 'lstat']],
    [handles, ['stat']],
  ])
    for (const name of names) after(owner, name, shiftStats);
  for (const name of ['stat', 'lstat', 'fstat']) afterCallback(fs, name);
  for (const owner of [fs, fs.promises, handles])
    for (const name of ['utimes', 'futimes', 'lutimes', 'utimesSync', 'futimesSync', 'lutimesSync'])
      if (typeof owner[name] === 'function') shiftSetTimes(owner, name, owner === handles ? 0 : 1);
}

function after(owner, name, change) {
  const own = owner[name];
  owner[name] = function withShiftedTimes(...args) {
    const result = own.apply(this, args);
    return result instanceof Promise ? result.then(change) : change(result);
  };
}

function afterCallback(owner, name) {
  const own = owner[name];
  owner[name] = (...args) => {
    const callback = args.pop();
    return own(...args, (error, stats) => callback(error, shiftStats(stats)));
  };
}

function shiftStats(stats) {
  if (stats === undefined || stats === null) return stats;
  for (const name of ['atime', 'mtime', 'ctime', 'birthtime']) {
    const isBig = typeof stats[`${name}Ms`] === 'bigint';
    stats[`${name}Ms`] += isBig ? BigInt(shiftMs) : shiftMs;
    if (isBig) stats[`${name}Ns`] += BigInt(shiftMs) * 1_000_000n;
    stats[name] = new Date(Number(stats[`${name}Ms`]));
  }
  return stats;
}

/** Access and modification time follow the path or descriptor, as seconds, text or Date. */
function shiftSetTimes(owner, name, first) {
  const own = owner[name];
  const shift = (time) => (time instanceof Date ? new Date(time.getTime() - shiftMs) : Number(time) - shiftMs / 1000);
  owner[name] = function withShiftedTimes(...args) {
    return own.apply(this, [
      ...args.slice(0, first),
      ...args.slice(first, first + 2).map(shift),
      ...args.slice(first + 2),
    ]);
  };
}
