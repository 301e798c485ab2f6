import type { AttributePath } from '../model/attribute-path.js';

export const operators = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const;
export type Operator = (typeof operators)[number];
export type FilterValue = string | number | boolean | null;

/** A filter that was understood (RFC 7644, 3.4.2.2). */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly left: Filter; readonly right: Filter }
  | { readonly kind: 'not'; readonly of: Filter }
  | { readonly kind: 'present'; readonly path: AttributePath }
  | {
      readonly kind: 'compare';
      readonly path: AttributePath;
      readonly operator: Operator;
      readonly value: FilterValue;
    }
  /** Holds if one element of the list matches. */
  | { readonly kind: 'elements'; readonly path: AttributePath; readonly filter: Filter };

/** The target of an operation of PATCH (RFC 7644, 3.5.2). */
export interface PatchPath extends AttributePath {
  /** Chooses elements of a list. */
  readonly filter?: Filter | undefined;
}
