import { readFile } from 'node:fs/promises';
import type { Invoice } from '@quire/document/invoices/model';
import { createXml } from '../../plugins/invoice/src/functions/create/create-xml.js';
import { areValidatorsInstalled, Phive } from '../../verification/invoices/validators.js';
import type { Bench, BenchRow } from '../measure/bench.js';
import { cached } from '../measure/inputs.js';
import { peakOf, resetPeak } from '../measure/peak.js';
import { mb, median, ms, timed } from '../measure/statistics.js';
import { WarmWorker } from '../measure/warm-worker.js';

const FIXTURE = new URL('../../plugins/invoice/fixtures/invoice.json', import.meta.url);
/** The schema, and the rules of EN 16931 and of XRechnung. */
const RULES = 'de.xrechnung:ubl-invoice:3.0.2';
const TICKS_PER_SECOND = 100;

/** Milliseconds of wall clock and of processor time, and what may be. */
interface Size {
  readonly lines: number;
  readonly warming: number;
  readonly measured: number;
  readonly limitMs: number;
}

const SIZES: readonly Size[] = [
  { lines: 100, warming: 30, measured: 15, limitMs: 30 },
  { lines: 10_000, warming: 2, measured: 3, limitMs: 2000 },
];
const LIMIT_MB = 300;

/** Validates XRechnung invoices in a warm worker, each time next to phive in one warm JVM. */
export const validateInvoices: Bench = {
  name: 'validate-invoice',
  run: async () => {
    const rows: BenchRow[] = [];
    for (const size of SIZES) rows.push(...(await measure(size)));
    return rows;
  },
};

async function measure({ lines, warming, measured, limitMs }: Size): Promise<BenchRow[]> {
  const path = await invoiceOf(lines);
  const worker = await WarmWorker.start();
  const phive = areValidatorsInstalled() ? new Phive() : undefined;
  try {
    const validate = (): Promise<number> =>
      worker.run('invoice', 'invoice/validate', [path], { output: 'json', language: 'en' }, 'xml');
    for (let i = 0; i < warming; i++) {
      await validate();
      await phive?.judge(RULES, path, 'again');
    }
    await resetPeak(worker.pid);
    const before = await processorMs(worker.pid);
    const [ours, theirs, theirProcessor]: [number[], number[], number[]] = [[], [], []];
    for (let i = 0; i < measured; i++) {
      ours.push(await timed(validate));
      const answer = await phive?.judge(RULES, path, 'again');
      if (answer !== undefined) {
        theirs.push(answer.wallMs);
        theirProcessor.push(answer.cpuMs);
      }
    }
    const processor = ((await processorMs(worker.pid)) - before) / measured;
    const peak = await peakOf(worker.pid);
    return rowsOf(lines, limitMs, { ours, processor, peak, theirs, theirProcessor });
  } finally {
    await worker.stop();
    phive?.stop();
  }
}

interface Measured {
  readonly ours: readonly number[];
  readonly processor: number;
  readonly peak: number;
  readonly theirs: readonly number[];
  readonly theirProcessor: readonly number[];
}

function rowsOf(lines: number, limitMs: number, found: Measured): BenchRow[] {
  const what = `Validate an XRechnung of ${lines.toLocaleString('en')} lines, warm worker`;
  const wall = median(found.ours);
  const phive = found.theirs.length === 0 ? undefined : median(found.theirs);
  const phiveProcessor = median(found.theirProcessor);
  const row: BenchRow = {
    what,
    ours: `${ms(wall)}, processor ${ms(found.processor)}`,
    native: phive === undefined ? 'phive not installed' : `phive ${ms(phive)}, processor ${ms(phiveProcessor)}`,
    ratio: phive === undefined ? undefined : wall / phive,
    target: `≤ ${ms(limitMs)}`,
    met: wall <= limitMs,
  };
  if (lines < 10_000) return [row];
  const memory: BenchRow = {
    what: `${what}: peak memory`,
    ours: mb(found.peak),
    native: '',
    ratio: undefined,
    target: `≤ ${mb(LIMIT_MB)}`,
    met: found.peak <= LIMIT_MB,
  };
  return [row, memory];
}

/** The fixture of invoice/create with more lines, as UBL. */
function invoiceOf(lines: number): Promise<string> {
  return cached(`xrechnung-${lines}.xml`, async () => {
    const invoice = JSON.parse(await readFile(FIXTURE, 'utf8')) as Invoice;
    const [line] = invoice.lines ?? [];
    const many = Array.from({ length: lines }, (_, index) => ({ ...line, id: String(index + 1) }));
    const json = Buffer.from(JSON.stringify({ ...invoice, lines: many }));
    const { xml } = await createXml(json, { format: 'ubl', profile: 'xrechnung' });
    return Buffer.from(xml);
  });
}

/** Processor time of a process so far, by `/proc/<pid>/stat` (utime and stime). */
async function processorMs(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1');
  const [user, system] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (((user ?? 0) + (system ?? 0)) * 1000) / TICKS_PER_SECOND;
}
