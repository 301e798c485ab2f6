import type { CatalogOperation } from '@quire/catalog';
import type { StepFile } from '../step-files.js';
import type { PerFile } from '../templates.js';
import type { Comparison } from './comparison.js';

/** A checked step that can run. */
export interface VerifiedStep {
  readonly entry: CatalogOperation;
  readonly path: string;
  /** Its pointer; inside of a saved pipeline, that of the step that names the pipeline. */
  readonly at: string;
  /** Names of the saved pipelines that it is in. */
  readonly within: readonly string[];
  /** How many steps it is inside of. */
  readonly depth: number;
  /** With placeholders, what they are for a sample file; `paramsFor` has them for a file. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Stored files by file field of the operation. */
  readonly parts: Readonly<Record<string, readonly StepFile[]>>;
  /** The parameters for a file; throws INPUT_INVALID if its name does not fit into them. */
  readonly paramsFor?: PerFile<Readonly<Record<string, unknown>>>;
}

export const reactions = ['stop', 'skip', 'continue'] as const;
/** When a step fails: end the run, leave the file out, or pass the file on as it was before the step. */
export type Reaction = (typeof reactions)[number];

/** What every step may have beside its work. */
export interface StepOptions {
  readonly onError: Reaction;
  /** The name of results, without its extension, for the file that the step received. */
  readonly nameFor?: PerFile<string>;
}

/** A condition that is true or false for each file. */
export type Condition =
  | {
      readonly type: 'fact';
      readonly fact: string;
      /** Throws INPUT_INVALID if the name of the file does not fit into its placeholders. */
      readonly comparisonFor: PerFile<Comparison>;
    }
  | { readonly type: 'filter'; readonly step: VerifiedStep; readonly index: number }
  | { readonly type: 'all' | 'any'; readonly of: readonly Condition[] }
  | { readonly type: 'not'; readonly of: Condition };

/** A step of a verified pipeline, with those inside of it. */
export type VerifiedNode = StepOptions & { readonly at: string } & (
    | {
        readonly type: 'step';
        readonly step: VerifiedStep;
        /** Its place among all operations of the pipeline, in the order in which they are written. */
        readonly index: number;
      }
    | {
        readonly type: 'if';
        readonly condition: Condition;
        readonly then: readonly VerifiedNode[];
        readonly else: readonly VerifiedNode[];
      }
    | { readonly type: 'parallel'; readonly branches: readonly (readonly VerifiedNode[])[] }
    /** A saved pipeline with all files together; `each` runs its steps for every file alone. */
    | { readonly type: 'each'; readonly steps: readonly VerifiedNode[] }
    | { readonly type: 'saved'; readonly steps: readonly VerifiedNode[] }
  );
