import type { RunResult } from '../../operations/runner/index.js';
import type { JobFacts } from '../../jobs/index.js';
import { escapeText, headerList, headerText } from './content-disposition.js';

/** Longest report of an operation: half of what HTTP clients accept for all headers together. */
const REPORT_LENGTH = 8192;

/** Longest list of decisions, in characters. */
const DECISIONS_LENGTH = 2048;

/**
 * The headers that report what a run or a pipeline did beside its result. `files`: number of files that a pipeline
 * returned.
 */
export function factHeaders(
  { effects, warnings, ignored, replaced = [], report, dropped, decisions = [], decisionsCount }: JobFacts,
  files: number,
): Record<string, string> {
  return {
    ...(effects.length > 0 ? { 'x-effects': effects.join(', ') } : {}),
    ...(warnings.length > 0 ? { 'x-warnings': headerText(warnings.join(' ')) } : {}),
    ...noticedHeaders({ ignored, replaced }),
    ...(Object.keys(report).length > 0 ? { 'x-tool-report': headerText(JSON.stringify(report), REPORT_LENGTH) } : {}),
    ...(dropped !== undefined && (dropped.length > 0 || decisions.length > 0 || files === 0)
      ? { 'x-pipeline-report': headerList('dropped', dropped, { files, ...shownDecisions(decisions, decisionsCount) }) }
      : {}),
  };
}

/** As many as leave place for the dropped files, and the number of all (`count`) if some are left out. */
function shownDecisions(
  decisions: readonly object[],
  count = decisions.length,
): { readonly decisions?: readonly object[]; readonly decisionsCount?: number } {
  let length = 0;
  const shown = decisions.filter(
    (decision) => (length += escapeText(JSON.stringify(decision)).length) <= DECISIONS_LENGTH,
  );
  return {
    ...(shown.length > 0 ? { decisions: shown } : {}),
    ...(shown.length < count ? { decisionsCount: count } : {}),
  };
}

/** The headers that name what was sent and not used: unknown fields, and values that another one replaced. */
export function noticedHeaders({ ignored, replaced }: Pick<RunResult, 'ignored' | 'replaced'>): Record<string, string> {
  return {
    ...(ignored.length > 0 ? { 'x-ignored-fields': headerText(ignored.join(', ')) } : {}),
    ...(replaced.length > 0 ? { 'x-replaced-values': headerText(replaced.join(', ')) } : {}),
  };
}
