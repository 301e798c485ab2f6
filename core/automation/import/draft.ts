import type { FieldFault, Principal } from '@quire/registry';
import type { AutomationContent, Trigger } from '../automations/model.js';
import type { Source } from '../sources/source-records.js';
import type { ConnectorOptions } from '../connectors/model.js';

/**
 * `translated`: the same in other words; `differs`: it will not be as it was; `todo`: somebody has to do something
 * before the automation can run.
 */
export const findingKinds = ['translated', 'differs', 'todo'] as const;

/** What is not as it was in the file. */
export interface Finding {
  readonly kind: (typeof findingKinds)[number];
  /** JSON Pointer into the document. */
  readonly pointer: string;
  readonly detail: string;
}

export const documentKinds = ['automation', 'policy', 'pipeline', 'source'] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** A source as files describe it. */
export interface DescribedSource {
  readonly name: string;
  readonly type: string;
  readonly options: ConnectorOptions;
}

/** A stored file of the other server. */
export interface DescribedFile {
  readonly fileName: string;
  readonly sha256: string;
}

export interface ImportCall {
  readonly principal: Principal;
  readonly signal: AbortSignal;
  /** Sources that were sent with the others, by their id on the other server. */
  readonly described: ReadonlyMap<string, DescribedSource>;
  /** Sources that documents before this one would make, when nothing is saved. */
  readonly planned: readonly PlannedSource[];
}

/** A new source of another document of the same call. */
export interface PlannedSource {
  readonly source: Source;
  /** The automation for which it would be made. */
  readonly automation: string;
}

export interface DraftInput {
  readonly pointer: string;
  /** A description, the id of a source that may be here or in another of the files, or null for uploads. */
  readonly source: DescribedSource | string | null;
  /** By the kind of the source, which is known later. */
  readonly trigger: (type: string | undefined) => Trigger;
}

export interface DraftDestination {
  readonly pointer: string;
  /** The type with its options, or the id of a source that is used as one. */
  readonly target: { readonly type: string; readonly options: ConnectorOptions } | string;
}

/** An automation that a document describes. */
export interface Draft {
  readonly kind: DocumentKind;
  readonly name: string;
  readonly content: Omit<AutomationContent, 'inputs' | 'destinations'>;
  /** Pointer of each step in the document. */
  readonly steps: readonly string[];
  readonly inputs: readonly DraftInput[];
  readonly destinations: readonly DraftDestination[];
  /** Stored files that its steps name, as far as the document describes them, by id. */
  readonly files: ReadonlyMap<string, DescribedFile>;
  readonly findings: readonly Finding[];
}

/** What a document is: an automation, a source that others name, or something that is not understood. */
export type ReadDocument =
  | { readonly draft: Draft }
  | { readonly source: DescribedSource & { readonly id: string } }
  | { readonly faults: readonly FieldFault[] };

const LONGEST_NAME = 80;

/** The name in a document, else that of its file. */
export function nameOf(written: unknown, file: string): string {
  const named = typeof written === 'string' ? written.trim() : '';
  const base = file.replace(/^.*[/\\]/, '').replace(/(\.folder-scan)?\.json$/i, '');
  return (named || base.trim() || 'Automation').slice(0, LONGEST_NAME).trim();
}

/** Findings for members that mean nothing here. */
export function ignoredMembers(value: Readonly<Record<string, unknown>>, known: readonly string[]): Finding[] {
  return Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => ({ kind: 'differs', pointer: `/${name}`, detail: 'is left out: it means nothing here' }));
}

/** Options without the number of a saved connection: here, another connection may have it. */
export function withoutConnection(options: ConnectorOptions, pointer: string, findings: Finding[]): ConnectorOptions {
  const { connectionId, ...rest } = options;
  if (connectionId === undefined) return options;
  findings.push({
    kind: 'todo',
    pointer: `${pointer}/connectionId`,
    detail: 'is left out: it is the number of a saved connection of the other server; choose one of this server',
  });
  return rest;
}
