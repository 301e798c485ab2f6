import type { FieldFault, ShownField } from '@quire/registry';

export const rights = ['use', 'edit'] as const;
/** `use`: run it and see its inputs; `edit`: see and change everything except the owner. */
export type Right = (typeof rights)[number];

/** With whom a pipeline is shared. */
export interface Share {
  readonly kind: 'user' | 'team' | 'everyone';
  /** Id of the user or the team; null for everyone. */
  readonly id: string | null;
  /** Name of the user or the team when it was shared; null for everyone. */
  readonly name: string | null;
  readonly right: Right;
}

/**
 * An input of a saved pipeline as its author declares it. With `field` it is a parameter of a step; without, it exists
 * for placeholders in texts.
 */
export interface InputDeclaration {
  readonly name: string;
  /** JSON Pointer into the definition: `/pipeline/0/parameters/angle`. */
  readonly field?: string;
  readonly label?: string;
  readonly help?: string;
  /** Of an input without `field`; default `text`. */
  readonly type?: 'text' | 'number' | 'integer' | 'boolean';
  readonly required?: boolean;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  /** The values that it allows; by default those of the step's parameter. */
  readonly values?: readonly (string | number | boolean)[];
}

/** What an author sends: the steps of a pipeline, as `pipeline/handleData` takes them. */
export interface Definition {
  readonly pipeline: readonly unknown[];
}

/** What changes from version to version. */
export interface PipelineContent {
  readonly title: string;
  readonly description: string;
  readonly definition: Definition;
  readonly inputs: readonly InputDeclaration[];
}

/** A version as stored; times in milliseconds since 1970. */
export interface VersionFacts {
  /** From 1 up. */
  readonly version: number;
  readonly savedAt: number;
  /** Name of who saved it; null while login is off. */
  readonly savedBy: string | null;
  /** Encrypted PipelineContent, because parameters may be passwords. */
  readonly content: string;
}

/** A saved pipeline as stored, with its current version. */
export interface PipelineRecord extends VersionFacts {
  /** UUID. */
  readonly id: string;
  /** Unique on the server: its address is `/api/v1/tools/<name>`. */
  readonly name: string;
  /** Empty while login is off. */
  readonly ownerId: string;
  readonly ownerName: string | null;
  readonly sharedWith: readonly Share[];
  readonly createdAt: number;
}

/** An earlier version; the id is `<pipelineId>@<version>`. */
export interface VersionRecord extends VersionFacts {
  readonly id: string;
  readonly pipelineId: string;
}

/** A saved pipeline as a caller may see it. */
export interface SavedPipeline {
  readonly record: Omit<PipelineRecord, 'content'>;
  /** The version that was asked for. */
  readonly version: Omit<VersionFacts, 'content'>;
  readonly right: Right;
  readonly content: PipelineContent;
  readonly fields: readonly ShownField[];
  /** Why it cannot run now; pointers into the definition or to the inputs. */
  readonly faults: readonly FieldFault[];
}
