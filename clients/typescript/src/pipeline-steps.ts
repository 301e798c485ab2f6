import type { Options } from './form.js';

/** What a failure of a step does: end the run, leave the file out, or pass it on as it was. Default: `stop`. */
export type Reaction = 'stop' | 'skip' | 'continue';

interface Failing {
  readonly onError?: Reaction;
}

interface Named {
  /** Name of the results without an extension, with placeholders: `{{file.base}}-signed`. */
  readonly name?: string;
}

/** A call of an operation. */
export interface OperationStep extends Failing, Named {
  /** Its path: `/api/v1/general/rotate-pdf`. */
  readonly operation: string;
  readonly parameters: Options;
}

/** Each file goes one way; without `else`, the others go on as they are. */
export interface IfStep extends Failing {
  readonly if: Condition;
  readonly then: readonly PipelineStep[];
  readonly else?: readonly PipelineStep[];
}

/** Every branch gets all files; all results go on. */
export interface ParallelStep extends Failing {
  readonly parallel: readonly (readonly PipelineStep[])[];
}

/** The steps run for every file alone. */
export interface EachStep extends Failing, Named {
  readonly each: readonly PipelineStep[];
}

/** A step of a pipeline (docs/guides/pipelines.md). It has one form alone. */
export type PipelineStep =
  | (OperationStep & { readonly if?: never; readonly parallel?: never; readonly each?: never })
  | (IfStep & { readonly operation?: never; readonly parallel?: never; readonly each?: never })
  | (ParallelStep & { readonly operation?: never; readonly if?: never; readonly each?: never })
  | (EachStep & { readonly operation?: never; readonly if?: never; readonly parallel?: never });

/** A value that a fact is compared with; a text may be a placeholder. */
export type FactValue = string | number | boolean;

/** All comparisons must hold. Which facts there are is in docs/guides/pipelines.md. */
export interface FactCondition {
  readonly fact: string;
  readonly is?: FactValue;
  readonly in?: readonly FactValue[];
  readonly above?: number | string;
  readonly below?: number | string;
  readonly atLeast?: number | string;
  readonly atMost?: number | string;
}

/** A condition that is true or false for each file. */
export type Condition =
  | FactCondition
  /** True for files that a filter of the server keeps. */
  | { readonly filter: string; readonly parameters?: Options }
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition };
