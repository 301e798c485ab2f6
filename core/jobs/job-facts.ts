import type { ReportFact } from '@quire/registry';

/** Facts about a finished job that an answer reports beside its result. */
export interface JobFacts {
  readonly effects: readonly string[];
  readonly warnings: readonly string[];
  /** What was sent and not used: names of fields, or pointers into a pipeline. */
  readonly ignored: readonly string[];
  /** The operation's own report; empty for a pipeline. */
  readonly report: Readonly<Record<string, ReportFact>>;
  /** Files that a pipeline left out; undefined for an operation. */
  readonly dropped?: readonly object[];
}
