// npm run bench [-- name ...] [--page docs/reports/benchmarks.md]: runs benchmarks, each next to native programs in the
// same minute.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { isBuilt } from '../verification/corpus/built-server.js';
import { machine } from '../verification/corpus/report.js';
import { accessCost, load50 } from './server/access.bench.js';
import { automationRate } from './server/automations.bench.js';
import { pageCount100, pageSizes500 } from './operations/analysis.bench.js';
import { callStages } from './server/call-stages.bench.js';
import { cluster } from './server/cluster.bench.js';
import { consoleCost } from './console/console.bench.js';
import { compressLevels } from './operations/compress-levels.bench.js';
import {
  coreCount,
  coreMergeLong,
  coreMergeMany,
  corePack,
  coreRotate,
  coreRotateLarge,
  coreSplit,
} from './operations/document-core.bench.js';
import { merge20, render20, rotate500, split500 } from './operations/documents.bench.js';
import { coreDecrypt, coreEncrypt, decrypt500, encrypt500 } from './operations/encryption.bench.js';
import { info500 } from './operations/get-info.bench.js';
import { htmlCss } from './operations/html.bench.js';
import { idleAutomations } from './server/idle-automations.bench.js';
import { firstCall } from './server/first-call.bench.js';
import { idleMemory } from './server/idle-memory.bench.js';
import { memoryAfterLoad } from './server/memory-after-load.bench.js';
import { memoryWithClients } from './server/memory-with-clients.bench.js';
import type { Bench, BenchRow } from './measure/bench.js';
import { replaceTable } from './measure/table-page.js';
import { validateInvoices } from './operations/invoices.bench.js';
import { isolation } from './server/isolation.bench.js';
import { metering } from './server/metering.bench.js';
import { ocr, ocrLibrary } from './operations/ocr.bench.js';
import { office20, officeLetter } from './operations/office.bench.js';
import { pdfa20, vector100 } from './operations/page-languages.bench.js';
import { compress500, numbers500, nup500, overlay500, rearrange500, remove500 } from './operations/page-tools.bench.js';
import { pipeline } from './server/pipeline.bench.js';
import { redact500 } from './operations/redaction.bench.js';
import { drawn10 } from './operations/drawn-pages.bench.js';
import { requestMetrics } from './server/request-metrics.bench.js';
import { rotateLoad } from './server/rotate-load.bench.js';
import { scans } from './operations/scans.bench.js';
import { sign10, sign100, signMemory } from './operations/sign.bench.js';
import { sizes } from './operations/sizes.bench.js';
import { start } from './server/start.bench.js';
import { storedFiles } from './server/storage.bench.js';
import { text500 } from './operations/text.bench.js';
import { upload100 } from './server/upload-100mb.bench.js';
import { validate10, validate100mb, validate500 } from './operations/validate.bench.js';
import { verify1, verify500, verifyNothing500 } from './operations/verify-pdf.bench.js';
import { watermark500 } from './operations/watermark.bench.js';

const benches: readonly Bench[] = [
  start,
  firstCall,
  idleMemory,
  memoryAfterLoad,
  memoryWithClients,
  consoleCost,
  coreRotate,
  coreRotateLarge,
  coreCount,
  coreSplit,
  coreMergeLong,
  coreMergeMany,
  coreEncrypt,
  coreDecrypt,
  corePack,
  rotate500,
  split500,
  merge20,
  render20,
  rearrange500,
  remove500,
  overlay500,
  nup500,
  numbers500,
  watermark500,
  compress500,
  encrypt500,
  decrypt500,
  compressLevels,
  sizes,
  scans,
  drawn10,
  info500,
  pageCount100,
  pageSizes500,
  verify1,
  verify500,
  verifyNothing500,
  redact500,
  sign10,
  sign100,
  signMemory,
  validateInvoices,
  validate10,
  validate500,
  validate100mb,
  ocr,
  ocrLibrary,
  office20,
  officeLetter,
  htmlCss,
  text500,
  vector100,
  pdfa20,
  upload100,
  rotateLoad,
  callStages,
  pipeline,
  automationRate,
  idleAutomations,
  metering,
  requestMetrics,
  isolation,
  accessCost,
  load50,
  storedFiles,
  cluster,
];
const { values, positionals } = parseArgs({ allowPositionals: true, options: { page: { type: 'string' } } });
const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0)
  throw new Error(`unknown benchmarks ${unknown.join(', ')}; known: ${benches.map(({ name }) => name).join(', ')}`);
if (!(await isBuilt())) throw new Error('not built yet: npm run build');

const lines: string[] = [];
for (const bench of benches.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  const load = loadavg()[0]?.toFixed(1) ?? '?';
  const rows = await bench.run().catch((error: unknown): BenchRow[] => [
    {
      what: `${bench.name} failed`,
      ours: error instanceof Error ? error.message : String(error),
      native: '',
      ratio: undefined,
      target: '',
      met: false,
    },
  ]);
  for (const row of rows) {
    lines.push(lineOf(bench, row, load));
    process.stdout.write(
      `${row.what}\n  ours    ${row.ours}\n${row.native === '' ? '' : `  native  ${row.native}\n`}` +
        `${row.ratio === undefined ? '' : `  ratio   ${row.ratio.toFixed(2)}\n`}` +
        `${row.target === '' ? '' : `  target  ${row.target}: ${row.met === true ? 'met' : 'MISSED'}\n`}`,
    );
  }
}
if (values.page !== undefined)
  await replaceTable(values.page, (page) =>
    [
      `Date ${new Date().toISOString().slice(0, 10)}. Machine: ${machine()}.`,
      '',
      '| What | Command | Ours | Compared with | Ratio | Target | Load before |',
      '|---|---|---|---|--:|---|--:|',
      ...withOlder(page),
    ].join('\n'),
  );

/** Returns the rows in the order of the benchmarks; rows of benchmarks that did not run are taken from the page. */
function withOlder(page: string): string[] {
  const older = page.split('\n').filter((line) => line.startsWith('| ') && line.includes('`npm run bench -- '));
  return benches.flatMap(({ name }) => {
    const of = (all: readonly string[]): string[] =>
      all.filter((line) => line.includes(`\`npm run bench -- ${name}\``));
    return of(lines).length > 0 ? of(lines) : of(older);
  });
}

function lineOf(bench: Bench, row: BenchRow, load: string): string {
  const target = row.target === '' ? '' : `${row.target}: ${row.met === true ? 'met' : '**missed**'}`;
  return (
    `| ${row.what} | \`npm run bench -- ${bench.name}\` | ${row.ours} | ${row.native} | ` +
    `${row.ratio?.toFixed(2) ?? ''} | ${target} | ${load} |`
  );
}
