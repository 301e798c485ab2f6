import { isRecord } from '../../../viewers/index.ts';

/** What a condition has found about a file: a fact by its name or a filter by its path; null if it has no such fact. */
interface FoundFact {
  readonly fact?: string;
  readonly filter?: string;
  readonly value: number | boolean | string | null;
}

/** Which way a file went at a condition, as `X-Pipeline-Report` has it. */
export interface Decision {
  readonly file: string;
  readonly taken: 'then' | 'else';
  readonly found: readonly FoundFact[];
}

/** The decisions of a report; none if there is no report. */
export function decisionsIn(report: string | null): readonly Decision[] {
  const read: unknown = report === null ? {} : JSON.parse(report);
  const decisions = isRecord(read) ? read['decisions'] : undefined;
  return Array.isArray(decisions) ? (decisions as readonly Decision[]) : [];
}
