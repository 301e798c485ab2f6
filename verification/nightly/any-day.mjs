// Runs the test suite once for each configuration below (date, time zone, order, locale, user); started by any-day.sh.
// The last line is "N passed, N failed".
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { randomInt } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const keepClock = new URL('keep-clock.mjs', import.meta.url).href;
const clockVariables = [
  'LD_PRELOAD',
  'FAKETIME',
  'FAKETIME_SHARED',
  'FAKETIME_DONT_FAKE_MONOTONIC',
  'FAKETIME_FORCE_MONOTONIC_FIX',
  'NODE_OPTIONS',
  'QUIRE_CLOCK_VARIABLES',
];
const asked = process.argv.slice(2);
const args = asked.some((arg) => !arg.includes('/')) ? asked : ['unit', 'kit', 'http', ...asked];
const firstSeed = Number(process.env.SEED ?? randomInt(1_000_000));
const berlin = { TZ: 'Europe/Berlin' };

/** `at` is the simulated start time. Defaults: normal order, UTC, locale and user of the caller. */
const days = [
  { name: 'tomorrow', at: later({ days: 1 }) },
  { name: 'month', at: later({ months: 1 }) },
  { name: 'year', at: later({ months: 12 }) },
  { name: 'ten-years', at: later({ months: 120 }) },
  { name: 'leap-day', at: new Date('2028-02-29T12:00:00Z') },
  // 01:59:30 and 02:59:30 in Berlin: half a minute before the clock goes forward, and back.
  { name: 'spring', at: new Date('2027-03-28T00:59:30Z'), env: berlin },
  { name: 'autumn', at: new Date('2027-10-31T00:59:30Z'), env: berlin },
  { name: 'far-zone', env: { TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' } },
  { name: 'random-1', seed: firstSeed },
  { name: 'random-2', seed: firstSeed + 1 },
  { name: 'random-3', seed: firstSeed + 2, asNobody: process.getuid() === 0 },
];
const only = process.env.ONLY?.split(',') ?? days.map(({ name }) => name);
const unknown = only.filter((name) => !days.some((day) => day.name === name));
if (unknown.length > 0) throw new Error(`unknown days: ${unknown.join(', ')}`);

const total = { passed: 0, failed: 0 };
const lines = [];
for (const day of days.filter(({ name }) => only.includes(name))) {
  const { passed, failed } = await run(day);
  total.passed += passed;
  total.failed += failed;
  lines.push(`  ${day.name}${orderOf(day)}: ${passed} passed, ${failed} failed`);
}
console.log(`\n${lines.join('\n')}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** Describes how to repeat a random order. */
function orderOf({ name, seed }) {
  return seed === undefined ? '' : ` (again: SEED=${firstSeed} ONLY=${name})`;
}

async function run({ name, at, env = {}, seed, asNobody = false }) {
  const folder = mkdtempSync(join(tmpdir(), 'quire-day-'));
  // Another user creates files in it.
  chmodSync(folder, 0o1777);
  console.log(`\n=== ${name}: ${(at ?? new Date()).toISOString()}${orderOf({ name, seed })}`);
  const command = [
    ...(asNobody ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []),
    ...(at === undefined ? [] : fakedClock(at)),
    process.execPath,
    'tools/run-tests.mjs',
    ...args,
  ];
  const child = spawn(command[0], command.slice(1), {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      TZ: 'UTC',
      TMPDIR: folder,
      ...(asNobody ? { HOME: folder } : {}),
      ...(at === undefined ? {} : clockEnvironment()),
      ...(seed === undefined ? {} : { QUIRE_TEST_SEED: String(seed) }),
      ...env,
    },
  });
  let end = '';
  child.stdout.on('data', (data) => {
    process.stdout.write(data);
    end = `${end}${data}`.slice(-200);
  });
  await new Promise((resolve) => child.once('close', resolve));
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  const [, passed = '0', failed = '1'] = /(\d+) passed, (\d+) failed\n$/.exec(end) ?? [];
  return { passed: Number(passed), failed: Number(failed) };
}

/**
 * libfaketime gets an offset, not a date: with a date each process would start at that date again. Timers keep the real
 * clock.
 */
function fakedClock(at) {
  const seconds = Math.round((at.getTime() - Date.now()) / 1000);
  return ['faketime', '--exclude-monotonic', '-f', `${seconds < 0 ? '' : '+'}${seconds}s`];
}

function clockEnvironment() {
  return {
    // Without this every timed wait of Java and C++ returns at once.
    FAKETIME_FORCE_MONOTONIC_FIX: '0',
    NODE_OPTIONS: `--import=${keepClock}`,
    QUIRE_CLOCK_VARIABLES: clockVariables.join(' '),
  };
}

function later({ days: some = 0, months = 0 }) {
  const at = new Date();
  at.setUTCMonth(at.getUTCMonth() + months);
  at.setUTCDate(at.getUTCDate() + some);
  return at;
}
