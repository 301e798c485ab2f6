import type { FieldFault } from '../errors/classes.js';
import type { Principal } from './principal.js';
import type { FileKind } from './file-kinds.js';
import type { Effect } from './operation.js';
import type { DocumentFile } from './run-context.js';

/** A parameter of an operation, as it is told to whoever makes up a pipeline. */
export interface StepField {
  readonly name: string;
  /** `string`, `number`, `boolean`, `array`, `object` or `any`. */
  readonly type: string;
  readonly required: boolean;
  readonly description?: string;
  /** All values that are taken, where they can be listed. */
  readonly allowed?: readonly unknown[];
  readonly least?: number;
  readonly most?: number;
  readonly default?: unknown;
}

/** An operation that a pipeline of this caller may hold now. */
export interface StepOperation {
  /** Full path, as a step names it (`/api/v1/general/rotate-pdf`). */
  readonly operation: string;
  readonly summary: string;
  readonly accepts: readonly FileKind[];
  readonly effects: readonly Effect[];
  /** Made when it is read. */
  readonly fields: readonly StepField[];
}

/** A step as it is asked for; it is checked before anything runs. */
export interface AskedStep {
  readonly operation: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A file that a run gave, for `GET /api/v1/general/files/{fileId}`. */
export interface RunFile {
  readonly fileId: string;
  readonly fileName: string;
  readonly contentType: string;
}

/** A pipeline over files in hand. */
export interface PipelineCall {
  readonly steps: readonly AskedStep[];
  readonly files: readonly DocumentFile[];
  readonly principal: Principal;
  readonly signal: AbortSignal;
  /** Told when a step begins (0-based). */
  readonly onStep?: (index: number, operation: string) => void;
}

/** Pipelines for endpoints of plugins: checked, charged and run as those that clients send. Of the server alone. */
export interface PipelineRuns {
  /** What may be a step for this caller: allowed, switched on, its programs at hand, no second file always needed. */
  operations(principal: Principal): readonly StepOperation[];
  /** Everything that is wrong with these steps, fields that a step does not know among it; empty when they can run. */
  check(steps: readonly AskedStep[], principal: Principal): readonly FieldFault[];
  /**
   * Runs the steps as a job of the caller, which is cancelled with the signal, and gives its files. Rejects with
   * PIPELINE_INVALID, QUEUE_FULL, CANCELLED, what the allowance says, and what a step rejects with.
   */
  run(call: PipelineCall): Promise<readonly RunFile[]>;
}

/** A pipeline that is kept on this server to be run later. Nobody has checked it. */
export interface SavedPipeline {
  /**
   * `preset`: one that the web tool offers to everybody. `watchedFolder`: that of a folder whose files the server works
   * on.
   */
  readonly kind: 'preset' | 'watchedFolder';
  /** Its name; of a watched folder the way to it from its root. */
  readonly name: string;
  readonly steps: readonly AskedStep[];
}

/** What is kept on this server to be run later. Of the server alone. */
export interface SavedPipelines {
  list(): Promise<readonly SavedPipeline[]>;
}
