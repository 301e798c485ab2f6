import type { PeerJob, Wish } from './job.js';

/** A wish to keep a time allows this much more of it, which is how far two runs lie apart. */
const KEEP_TOLERANCE = 1.1;

/** What was measured of a server or a program; without a number the cell stays empty. */
export interface Measured {
  readonly ms?: number;
  readonly perSecond?: number;
  /** Why there is no number. */
  readonly problem?: string;
}

/** Everything that was measured of a job. */
export interface PeerResult {
  readonly job: PeerJob;
  readonly load: number;
  readonly ours: Measured;
  readonly gotenberg: Measured;
  readonly native: Measured;
  readonly command?: string;
}

/** Head of the table. */
export const tableHead = [
  '| What | Ours ms | Gotenberg ms | Ratio | Ours /s | Gotenberg /s | Native ms | Ratio | Wish | Load before |',
  '|---|--:|--:|--:|--:|--:|--:|--:|---|--:|',
] as const;

/** A row of the table. */
export function rowOf({ job, load, ours, gotenberg, native, command }: PeerResult): string {
  const nativeCell = native.ms === undefined ? '' : `${number(native.ms)} (\`${command ?? ''}\`)`;
  return `| ${[
    job.what,
    number(ours.ms),
    number(gotenberg.ms),
    ratio(ours.ms, gotenberg.ms),
    number(ours.perSecond),
    number(gotenberg.perSecond),
    nativeCell,
    ratio(ours.ms, native.ms),
    wishCell(job.wish, ours, native),
    load.toFixed(1),
  ].join(' | ')} |`;
}

/** Sentences about cells that are empty although somebody does the job. */
export function problemsOf({ job, ours, gotenberg, native }: PeerResult): string[] {
  return Object.entries({ ours, Gotenberg: gotenberg, 'the native program': native }).flatMap(([who, { problem }]) =>
    problem === undefined ? [] : [`${job.what}, ${who}: ${problem}`],
  );
}

/** The rows of a page with those of a new run in place of older ones, in the order of the jobs. */
export function mergeRows(page: string, rows: ReadonlyMap<string, string>, jobs: readonly PeerJob[]): string[] {
  const older = page.split('\n');
  return jobs.flatMap(({ what }) => {
    const row = rows.get(what) ?? older.find((line) => line.startsWith(`| ${what} | `));
    return row === undefined ? [] : [row];
  });
}

/** True when our numbers are as the issue wants them; undefined when one of them is missing. */
export function isMet(wish: Wish, { ms, perSecond }: Measured): boolean | undefined {
  const most = wish.ms === undefined || wish.keep !== true ? wish.ms : wish.ms * KEEP_TOLERANCE;
  const isFast = most === undefined ? true : ms === undefined ? undefined : ms <= most;
  const isMany =
    wish.perSecond === undefined ? true : perSecond === undefined ? undefined : perSecond >= wish.perSecond;
  return isFast === undefined || isMany === undefined ? undefined : isFast && isMany;
}

function wishCell(wish: Wish, ours: Measured, native: Measured): string {
  const amounts = [
    ...(wish.ms === undefined ? [] : [wish.keep === true ? `keep ${wish.ms} ms` : `≤ ${wish.ms} ms`]),
    ...(wish.perSecond === undefined ? [] : [`≥ ${wish.perSecond}/s`]),
  ];
  const ratios = [
    [ratio(wish.ms, wish.gotenbergMs), 'Gotenberg'],
    [ratio(wish.ms, native.ms), 'native'],
  ].flatMap(([value, of]) => (value === '' ? [] : [`${value} × ${of}`]));
  const met = isMet(wish, ours);
  const verdict = met === undefined ? '' : met ? ': met' : ': **missed**';
  return `${amounts.join(', ')}${ratios.length === 0 ? '' : ` (${ratios.join(', ')})`}${verdict}`;
}

function ratio(ours: number | undefined, theirs: number | undefined): string {
  return ours === undefined || theirs === undefined ? '' : (ours / theirs).toFixed(2);
}

function number(value: number | undefined): string {
  return value === undefined ? '' : value < 10 ? value.toFixed(1) : String(Math.round(value));
}
