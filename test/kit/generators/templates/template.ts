import type { NewOperation } from '../operation-names.js';

/** The files of a new operation, as a starting point for operations of one kind. */
export interface OperationTemplate {
  /** When to choose it, for the command's help. */
  readonly use: string;
  /** The work of the new operation until its author changes it, as a verb phrase. */
  readonly sample: string;
  /** `src/operations/<file>.op.ts`. */
  declaration(operation: NewOperation): string;
  /** `src/functions/<file>.ts`, the document work. */
  work(operation: NewOperation): string;
  /** `test/operations/<file>.test.ts`. */
  test(operation: NewOperation): string;
}
