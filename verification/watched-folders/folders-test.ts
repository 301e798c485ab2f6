// npm run folders:test [-- --files 500 --seconds-between-kills 2 --kills 10 --most-kills 20 --feed-seconds 60 --page
// docs/guides/watched-folders.md --keep --nodes 2]
//
// Puts many kinds of files into watched folders while the server is killed again and again; each input must be
// processed once, and each output written once. With several nodes they share a MongoDB, and one of them is killed
// each time.
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { machine } from '../corpus/report.js';
import { runFolderTest, type FolderTestRun } from './folder-test.js';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '500' },
    'seconds-between-kills': { type: 'string', default: '2' },
    kills: { type: 'string', default: '10' },
    'most-kills': { type: 'string', default: '20' },
    'feed-seconds': { type: 'string', default: '60' },
    page: { type: 'string' },
    nodes: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
});
const began = performance.now();
const run = await runFolderTest({
  files: Number(values.files),
  kills: Number(values.kills),
  mostKills: Number(values['most-kills']),
  everyMs: Number(values['seconds-between-kills']) * 1000,
  feedMs: Number(values['feed-seconds']) * 1000,
  patienceMs: 600_000,
  settleMs: 1000,
  nodes: Number(values.nodes),
  keep: values.keep,
  say: (text) =>
    void process.stdout.write(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${text}\n`),
});
const rows = figures(run);
for (const [what, figure] of rows) process.stdout.write(`${what.padEnd(64)} ${figure}\n`);
for (const problem of run.problems.slice(0, 50)) process.stdout.write(`problem: ${problem}\n`);
if (run.base !== undefined) process.stdout.write(`log and files: ${run.base}\n`);
if (values.page !== undefined) {
  const page = await readFile(values.page, 'utf8');
  const lines = [
    `Date ${new Date().toISOString().slice(0, 10)}. Machine: ${machine()}.`,
    '',
    '| What | Figure |',
    '|---|---|',
    ...rows.map(([what, figure]) => `| ${what} | ${figure} |`),
  ];
  await writeFile(
    values.page,
    page.replace(
      /(<!-- folders -->\n)[\s\S]*(<!-- \/folders -->)/,
      (_, open: string, close: string) => `${open}${lines.join('\n')}\n${close}`,
    ),
  );
}
process.exitCode = run.problems.length === 0 ? 0 : 1;

function figures({
  files,
  nodes,
  kills,
  everyMs,
  settleMs,
  seconds,
  done,
  failed,
  againByKill,
  outputs,
  outputPages,
  waits,
  problems,
}: FolderTestRun): [string, string][] {
  const at = (share: number): string =>
    (waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0).toFixed(1);
  return [
    ['Files put in (good, damaged, cut off, empty, wrong type, growing)', String(files)],
    ...(nodes > 1 ? [['Servers on one MongoDB', String(nodes)] as [string, string]] : []),
    [
      'Kills (kill -9), and maximum time from the first result after a start to the kill',
      `${kills}, ${(everyMs * 2) / 1000} s`,
    ],
    ['Time', `${seconds.toFixed(0)} s`],
    ['In done/ with a report', String(done)],
    ['In failed/ with a report', String(failed)],
    ['Runs interrupted by a kill and restarted', String(againByKill)],
    ['Outputs; pages in them, each exactly once', `${outputs}; ${outputPages}`],
    [
      `From written to processed with kills, including ${settleMs / 1000} s to settle: p50, p95, longest`,
      `${at(0.5)} s, ${at(0.95)} s, ${at(1)} s`,
    ],
    ['Problems', String(problems.length)],
  ];
}
