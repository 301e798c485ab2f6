import type { FieldFault } from '../errors/classes.js';
import type { Principal } from './principal.js';
import type { FileKind } from './file-kinds.js';
import type { Effect } from './operation.js';
import type { DocumentFile } from './run-context.js';

/** A parameter of an operation, described for building pipelines. */
export interface StepField {
  readonly name: string;
  /** `string`, `number`, `boolean`, `array`, `object` or `any`. */
  readonly type: string;
  readonly required: boolean;
  readonly description?: string;
  /** All accepted values, where they can be listed. */
  readonly allowed?: readonly unknown[];
  readonly least?: number;
  readonly most?: number;
  readonly default?: unknown;
}

/** An operation that this caller may use in a pipeline now. */
export interface StepOperation {
  /** Full path, as in a step (`/api/v1/general/rotate-pdf`). */
  readonly operation: string;
  readonly summary: string;
  readonly accepts: readonly FileKind[];
  readonly effects: readonly Effect[];
  /** Computed on access. */
  readonly fields: readonly StepField[];
}

/** A requested step; it is checked before anything runs. */
export interface AskedStep {
  readonly operation: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** An output file of a run, for `GET /api/v1/general/files/{fileId}`. */
export interface RunFile {
  readonly fileId: string;
  readonly fileName: string;
  readonly contentType: string;
}

/** A pipeline run over given files. */
export interface PipelineCall {
  readonly steps: readonly AskedStep[];
  readonly files: readonly DocumentFile[];
  readonly principal: Principal;
  readonly signal: AbortSignal;
  /** Called when a step begins (0-based). */
  readonly onStep?: (index: number, operation: string) => void;
}

/**
 * Pipelines for endpoints of plugins: checked, charged and run like those that clients send. Available in the server
 * only.
 */
export interface PipelineRuns {
  /**
   * The possible steps for this caller: allowed, enabled, with their programs installed, and without a required second
   * file.
   */
  operations(principal: Principal): readonly StepOperation[];
  /** Returns everything that is wrong with these steps, including unknown fields; empty when they can run. */
  check(steps: readonly AskedStep[], principal: Principal): readonly FieldFault[];
  /**
   * Runs the steps as a job of the caller, which is cancelled with the signal, and returns its files. Rejects with
   * PIPELINE_INVALID, QUEUE_FULL, CANCELLED, the codes of the allowance, and whatever a step rejects with.
   */
  run(call: PipelineCall): Promise<readonly RunFile[]>;
}

/** A pipeline that is stored on this server to be run later. It has not been checked. */
export interface SavedPipeline {
  /**
   * `preset`: offered to everybody by the web tool. `watchedFolder`: that of a folder whose files the server processes.
   */
  readonly kind: 'preset' | 'watchedFolder';
  /** Its name; for a watched folder its path relative to the root. */
  readonly name: string;
  readonly steps: readonly AskedStep[];
}

/** The pipelines stored on this server. Available in the server only. */
export interface SavedPipelines {
  list(): Promise<readonly SavedPipeline[]>;
}
