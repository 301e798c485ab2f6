import type { ReportFact } from '@quire/registry';
import type { SerialisedError } from '@quire/registry/errors';

/** Facts about a finished job that are reported with its result. */
export interface JobFacts {
  readonly effects: readonly string[];
  readonly warnings: readonly string[];
  /** Input that was not used: names of fields, or JSON pointers into a pipeline. */
  readonly ignored: readonly string[];
  /** Values that another one replaced: `field=used`; absent in records of earlier versions. */
  readonly replaced?: readonly string[];
  /** The operation's report; empty for a pipeline. */
  readonly report: Readonly<Record<string, ReportFact>>;
  /** Files that a pipeline left out; undefined for an operation. */
  readonly dropped?: readonly object[];
  /** What each operation of a pipeline did: time and files. */
  readonly steps?: readonly object[];
  /** Which way files went at the conditions of a pipeline, and what was found. */
  readonly decisions?: readonly object[];
  /** How many there were, if `decisions` are not all. */
  readonly decisionsCount?: number;
  /** The inputs that an unattended pipeline left out because they made it fail. */
  readonly faults?: readonly { readonly file: string; readonly error: SerialisedError }[];
  /** What became of each input, in their order, of a pipeline that ran for each by itself. */
  readonly each?: readonly InputFacts[];
}

/** What became of one input of a pipeline that ran for each by itself. */
export interface InputFacts {
  /** How many of the job's result files are its own: they follow those of the inputs before it. */
  readonly files: number;
  readonly facts: JobFacts;
  /** Why it has no result; missing when it has one. */
  readonly error?: SerialisedError;
}
