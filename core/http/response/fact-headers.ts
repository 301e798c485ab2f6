import type { JobFacts } from '../../jobs/index.js';
import { headerList, headerText } from './content-disposition.js';

/** Longest report of an operation: half of what HTTP clients accept for all headers together. */
const REPORT_LENGTH = 8192;

/**
 * The headers that report what a run or a pipeline did beside its result. `files`: number of files that a pipeline
 * returned.
 */
export function factHeaders(
  { effects, warnings, ignored, report, dropped }: JobFacts,
  files: number,
): Record<string, string> {
  return {
    ...(effects.length > 0 ? { 'x-effects': effects.join(', ') } : {}),
    ...(warnings.length > 0 ? { 'x-warnings': headerText(warnings.join(' ')) } : {}),
    ...(ignored.length > 0 ? { 'x-ignored-fields': headerText(ignored.join(', ')) } : {}),
    ...(Object.keys(report).length > 0 ? { 'x-tool-report': headerText(JSON.stringify(report), REPORT_LENGTH) } : {}),
    ...(dropped !== undefined && (dropped.length > 0 || files === 0)
      ? { 'x-pipeline-report': headerList('dropped', dropped, { files }) }
      : {}),
  };
}
