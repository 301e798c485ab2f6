import type { INodeProperties } from 'n8n-workflow';
import generated from './operations.json';

/** How an operation is called. Written by `npm run docs` of the repository. */
export interface Call {
  readonly path: string;
  /** `each`: one call for each file; `all`: one call with all files. */
  readonly documents: 'none' | 'each' | 'all';
  readonly returns: 'file' | 'json';
  /** The result may be several files. */
  readonly many?: boolean;
  readonly job: boolean;
  /** Types of its fields, by name. */
  readonly fields: Readonly<Record<string, string>>;
  /** Names of its file fields besides the documents. */
  readonly parts: readonly string[];
}

/** The operations by name. */
export const calls = generated.calls as unknown as Readonly<Record<string, Call>>;

/** Resource, operation and the fields of each operation. */
export const operationProperties = generated.properties as INodeProperties[];

/** Returns the names of the operations for which this holds. */
export function namesOf(holds: (call: Call) => boolean): string[] {
  return Object.entries(calls)
    .filter(([, call]) => holds(call))
    .map(([name]) => name);
}
