import { isQuireError } from '@quire/registry';
import type { PipelineResult, StepTime } from '../operations/pipelines/index.js';

/** The report next to an input in `done/` or `failed/`, named `<name>.report.json`. */
export interface RunReport {
  readonly status: 'done' | 'failed';
  /** The name of the input when it was taken. */
  readonly input: string;
  readonly bytes: number;
  /** The other inputs of the same run, if a step processes all files together. */
  readonly together?: readonly string[];
  readonly pipeline: { readonly file: string; readonly name: string };
  readonly run: string;
  /** ISO 8601. */
  readonly takenAt: string;
  readonly endedAt: string;
  readonly attempts: number;
  /** Absolute paths. */
  readonly outputs: readonly string[];
  readonly dropped?: PipelineResult['dropped'];
  readonly effects?: readonly string[];
  readonly warnings?: readonly string[];
  readonly error?: ReportedError;
}

/** A file of a run that has ended. */
export interface EndedFile {
  /** The name of the input when it was taken. */
  readonly name: string;
  readonly bytes: number;
  readonly status: RunReport['status'];
  /** Where it is now, inside its watched folder: `failed/a(1).pdf`; missing when it was deleted. */
  readonly keptAs?: string;
  readonly error?: ReportedError;
}

/** A run that has ended, for the history of its folder. It names files without absolute paths. */
export interface EndedRun {
  readonly id: string;
  /** Id of the folder. */
  readonly folder: string;
  readonly takenAt: string;
  readonly endedAt: string;
  /** Duration of the last attempt. */
  readonly ms: number;
  readonly attempts: number;
  readonly pipeline: { readonly file: string; readonly name: string };
  readonly files: readonly EndedFile[];
  readonly outputs: readonly string[];
  readonly dropped: PipelineResult['dropped'];
  readonly effects: readonly string[];
  readonly warnings: readonly string[];
  /** Ids of the failed files that the run processed again. */
  readonly retryOf: readonly string[];
  /** As runs of automations have them; missing in the journals of older servers. */
  readonly facts?: RunFacts;
}

/** What a run did beside its files. */
export interface RunFacts {
  readonly stepCount: number;
  /** What each operation did. */
  readonly steps: readonly StepTime[];
  /** Of each output. */
  readonly results: readonly { readonly size: number; readonly contentType: string }[];
}

/** An error as in a problem response (RFC 9457), without internal details of the server. */
export interface ReportedError {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  /** The step that failed; the first is 0. */
  readonly step?: { readonly index: number; readonly operation: string };
}

/** Converts an error for a report; errors without a code become INTERNAL. */
export function reportedError(error: unknown): ReportedError {
  if (!isQuireError(error))
    return {
      code: 'INTERNAL',
      status: 500,
      title: 'Internal error',
      detail: 'An internal error occurred. It was logged with the id of the run.',
    };
  const { code, row, message, errors, data } = error;
  const { stepIndex, stepOperation } = data;
  return {
    code,
    status: row.status,
    title: row.title,
    detail: message,
    ...(errors.length > 0 ? { errors } : {}),
    ...(typeof stepIndex === 'number' ? { step: { index: stepIndex, operation: String(stepOperation) } } : {}),
  };
}
