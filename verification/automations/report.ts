import { readFile, writeFile } from 'node:fs/promises';
import { machine } from '../corpus/report.js';
import type { Outcome } from './audit.js';
import { faults } from './phases.js';
import type { AutomationTestRun, PhaseResult } from './run-automations.js';

const COLUMNS = [
  'Fault',
  'Files',
  'Kills',
  'Delivered',
  'Parked',
  'Waiting',
  'Lost',
  'Twice',
  'Incomplete',
  'Sent again under one id',
  'Time',
] as const;
const titles = { embedded: 'One node with its embedded store', cluster: 'Two nodes on one store' } as const;

/** Whether no file was lost, delivered twice or incompletely, or left behind. */
export function isClean({ phases }: AutomationTestRun): boolean {
  return phases.every(({ outcomes }) => outcomes.every(({ problems }) => problems.length === 0));
}

/** The result as Markdown: what each fault did, and every source and destination under every fault. */
export function tableOf(runs: readonly AutomationTestRun[]): string {
  return [`Date ${new Date().toISOString().slice(0, 10)}. Machine: ${machine()}.`, '', ...runs.flatMap(runTable)]
    .join('\n')
    .trimEnd();
}

/** Replaces the table of the page. */
export async function writeTable(page: string, runs: readonly AutomationTestRun[]): Promise<void> {
  const text = await readFile(page, 'utf8');
  const table = tableOf(runs);
  await writeFile(
    page,
    text.replace(
      /(<!-- automations -->\n)[\s\S]*(<!-- \/automations -->)/,
      (_, open: string, close: string) => `${open}${table}\n${close}`,
    ),
  );
}

function runTable({ store, phases, skipped }: AutomationTestRun): string[] {
  const routes = [...new Set(phases.flatMap(({ outcomes }) => outcomes.map(({ route }) => route)))];
  return [
    `### ${titles[store]}`,
    '',
    `| ${COLUMNS.join(' | ')} |`,
    `|${COLUMNS.map(() => '---|').join('')}`,
    ...phases.map(faultRow),
    ...skipped.map(({ fault, reason }) => `| ${faults[fault]} | not made: ${reason} |`),
    '',
    `| Source and destination | ${phases.map(({ fault }) => faults[fault]).join(' | ')} |`,
    `|---|${phases.map(() => '---|').join('')}`,
    ...routes.map(
      (route) => `| ${route.replace('-to-', ' → ')} | ${phases.map((phase) => cell(phase, route)).join(' | ')} |`,
    ),
    '',
  ];
}

function faultRow({ fault, kills, seconds, outcomes }: PhaseResult): string {
  const sum = (of: (outcome: Outcome) => number): string =>
    String(outcomes.reduce((total, outcome) => total + of(outcome), 0));
  return `| ${[
    faults[fault],
    sum(({ files }) => files),
    String(kills),
    sum(({ delivered }) => delivered),
    sum(parkedIn),
    sum(({ waiting }) => waiting),
    sum(({ lost }) => lost),
    sum(({ twice }) => twice),
    sum(({ wrong }) => wrong),
    sum(({ repeated }) => repeated),
    `${seconds.toFixed(0)} s`,
  ].join(' | ')} |`;
}

function cell({ outcomes }: PhaseResult, route: string): string {
  const found = outcomes.find((outcome) => outcome.route === route);
  if (found === undefined) return '';
  const others = [
    ...[...found.parked].map(([code, count]) => `${count} parked (${code})`),
    ...(['waiting', 'lost', 'twice', 'wrong'] as const).flatMap((what) =>
      found[what] === 0 ? [] : [`**${found[what]} ${what}**`],
    ),
    ...(found.repeated === 0 ? [] : [`${found.repeated} sent again`]),
  ];
  return [`${found.delivered} of ${found.files}`, ...others].join(', ');
}

function parkedIn({ parked }: Outcome): number {
  return [...parked.values()].reduce((sum, count) => sum + count, 0);
}
