import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { machine } from '../corpus/report.js';
import type { FaultCounts } from './faults.js';
import type { Patience } from './job-client.js';
import type { Entry, Judgement } from './ledger.js';
import type { Audit } from './store-audit.js';

/** Results of a test run of the cluster. */
export interface ClusterRun {
  readonly wanted: number;
  readonly refused: number;
  readonly workers: number;
  readonly everySeconds: number;
  readonly seconds: number;
  readonly program: string;
  readonly faults: FaultCounts;
  readonly patience: Patience;
  readonly judgement: Judgement;
  readonly audit: Audit;
  readonly leftovers: readonly string[];
  readonly problems: readonly string[];
  readonly entries: readonly Entry[];
  readonly differing: string;
}

/** Figures of a run as pairs of label and value. */
export function figures(run: ClusterRun): [string, string][] {
  const { judgement, audit, patience, faults, entries } = run;
  const waits = entries
    .flatMap(({ submittedAt, finishedAt }) => (finishedAt === undefined ? [] : [(finishedAt - submittedAt) / 1000]))
    .sort((a, b) => a - b);
  const at = (share: number): string =>
    (waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0).toFixed(1);
  const again = entries.filter(({ final }) => (final?.attempts ?? 0) > 1).length;
  const submitted = (shape: string): number => entries.filter(({ kind }) => kind.shape === shape).length;
  return [
    [
      'Jobs submitted (calls, pipelines, large files)',
      `${run.wanted} (${['call', 'pipeline', 'large'].map(submitted).join(', ')})`,
    ],
    ['Nodes', `1 api, ${run.workers} workers; store: ${basename(run.program)}`],
    ['Workers killed (kill -9) and restarted', `${faults.kills}, one about every ${run.everySeconds} s`],
    ['Store outages of 10 s (one freeze, one kill -9)', String(faults.storeStops)],
    ['Restarts of the api node', String(faults.apiRestarts)],
    ['Time', `${run.seconds.toFixed(0)} s, ${(run.wanted / run.seconds).toFixed(1)} jobs/s`],
    [
      'From submission to completion as seen by the client: p50, p95, longest',
      `${at(0.5)} s, ${at(0.95)} s, ${at(1)} s`,
    ],
    ['Jobs started more than once', String(again)],
    ['Succeeded', String(judgement.succeeded)],
    [
      'of these with the same bytes as in the calm run',
      `${judgement.equal} (${judgement.uncompared} of kinds whose bytes differ between runs${run.differing})`,
    ],
    ['Failed and reported that two nodes died while running them', String(judgement.gaveUp)],
    ['Failed with the same text as in the calm run', String(judgement.failedAsExpected)],
    ['Rejected when submitted, as expected', String(run.refused)],
    ['Lost or unfinished', String(run.problems.filter((problem) => /lost|not finished/.test(problem)).length)],
    [
      'Changed after completion, or run twice',
      String(run.problems.filter((problem) => /after its end|than at first|nobody submitted/.test(problem)).length),
    ],
    ['Answers 503 and 429 with Retry-After; broken connections', `${patience.asked}; ${patience.broken}`],
    [
      'Submissions in doubt (connection broken, or 503); jobs created by them',
      `${patience.unanswered}; ${audit.unknown}`,
    ],
    ['Result files named by jobs; missing ones', `${audit.named}; ${audit.missing}`],
    ['Files left by dead nodes; left after the hourly sweep', `${audit.orphansBefore}; ${audit.orphansAfter}`],
    [
      'Orphaned chunks, orphaned rows, queue rows at the end',
      `${audit.pieces}; ${audit.strayRows}; ${audit.queueRows}`,
    ],
    ['Temporary files on the nodes at the end', String(run.leftovers.length)],
    ['Problems', String(run.problems.length)],
  ];
}

/** Writes the table at the mark `<!-- cluster -->` of a page. */
export async function clusterPage(path: string, run: ClusterRun): Promise<void> {
  const page = await readFile(path, 'utf8');
  const lines = [
    `Date ${new Date().toISOString().slice(0, 10)}. Machine: ${machine()}.`,
    '',
    '| What | Figure |',
    '|---|---|',
    ...figures(run).map(([what, figure]) => `| ${what} | ${figure} |`),
    ...(run.problems.length === 0 ? [] : ['', ...run.problems.slice(0, 20).map((problem) => `- ${problem}`)]),
  ];
  await writeFile(
    path,
    page.replace(
      /(<!-- cluster -->\n)[\s\S]*(<!-- \/cluster -->)/,
      (_, open: string, close: string) => `${open}${lines.join('\n')}\n${close}`,
    ),
  );
}
