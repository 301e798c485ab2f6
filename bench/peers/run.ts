// npm run bench:peers [-- --only <job> ...] [--page docs/reports/peers.md] [--gotenberg http://127.0.0.1:3000]: the
// table of issue Q: ours, Gotenberg and native programs side by side, about six minutes for all jobs.
import { execFile } from 'node:child_process';
import { loadavg } from 'node:os';
import { parseArgs, promisify } from 'node:util';
import { isBuilt } from '../../verification/corpus/built-server.js';
import { machine } from '../../verification/corpus/report.js';
import { replaceTable } from '../measure/table-page.js';
import { withServer } from '../measure/with-server.js';
import { startGotenberg } from './gotenberg.js';
import { jobs } from './jobs.js';
import { measureJob, type PeerServer } from './measure.js';
import { mergeRows, problemsOf, rowOf, tableHead } from './table.js';

/** How each program prints its version. */
const VERSIONS: readonly (readonly [string, ...string[]])[] = [
  ['qpdf', '--version'],
  ['pdftotext', '-v'],
  ['gs', '--version'],
  ['tesseract', '--version'],
  ['soffice', '--version'],
  ['chromium', '--version'],
  ['exiftool', '-ver'],
];

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    page: { type: 'string' },
    gotenberg: { type: 'string' },
  },
});
const unknown = (values.only ?? []).filter((name) => !jobs.some((job) => job.name === name));
if (unknown.length > 0)
  throw new Error(`unknown jobs ${unknown.join(', ')}; known: ${jobs.map(({ name }) => name).join(', ')}`);
if (!(await isBuilt())) throw new Error('not built yet: npm run build');

const load = loadavg()[0]?.toFixed(1) ?? '?';
const chosen = jobs.filter(({ name }) => values.only === undefined || values.only.includes(name));
const started = values.gotenberg === undefined ? await startGotenberg() : undefined;
const gotenbergUrl = values.gotenberg ?? started?.url;
const gotenbergFacts = await gotenbergVersion();
const rows = new Map<string, string>();
const problems: string[] = [];
try {
  await withServer(async ({ url }) => {
    const ours: PeerServer = { url, prefix: '/api/v1/', field: 'fileInput' };
    const gotenberg = gotenbergUrl === undefined ? undefined : { url: gotenbergUrl, prefix: '/forms/', field: 'files' };
    for (const job of chosen) {
      const result = await measureJob(job, ours, gotenberg);
      rows.set(job.what, rowOf(result));
      problems.push(...problemsOf(result));
      process.stdout.write(`${rowOf(result)}\n`);
    }
  });
} finally {
  await started?.stop();
}
for (const problem of problems) process.stdout.write(`not measured: ${problem}\n`);
if (values.page !== undefined) {
  const facts = await factsOf();
  await replaceTable(values.page, (page) => [...facts, '', ...tableHead, ...mergeRows(page, rows, jobs)].join('\n'));
}

async function factsOf(): Promise<string[]> {
  const versions = await Promise.all(VERSIONS.map(versionOf));
  return [
    `Last run ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC (${rows.size} of ${jobs.length} jobs), ` +
      `load before ${load}. Machine: ${machine()}.`,
    `Gotenberg: ${gotenbergFacts}. Programs: ${versions.filter((version) => version !== '').join('; ')}.`,
    ...(problems.length === 0 ? [] : ['', 'Not measured:', '', ...problems.map((problem) => `- ${problem}`)]),
  ];
}

async function versionOf([program, ...args]: readonly [string, ...string[]]): Promise<string> {
  const answer = await promisify(execFile)(program, args).catch(() => undefined);
  const [first = ''] = `${answer?.stdout ?? ''}${answer?.stderr ?? ''}`.trim().split('\n');
  return /^[\d.]+$/.test(first) ? `${program} ${first}` : first;
}

/** The version route answers with the number alone. */
async function gotenbergVersion(): Promise<string> {
  if (gotenbergUrl === undefined) return 'not installed';
  const answer = await fetch(`${gotenbergUrl}/version`);
  return answer.text();
}
