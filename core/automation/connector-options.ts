import { escapePointer } from '../operations/runner/index.js';
import { isQuireError, type FieldFault } from '@quire/registry';
import type { ConnectorContext, ConnectorOptions, DestinationKind, SourceKind } from './connectors/model.js';

export interface CheckedOptions {
  /** With defaults. */
  readonly options: ConnectorOptions;
  readonly faults: readonly FieldFault[];
}

/** Reads options by the schema of their kind. `pointer`: where they are in the body. */
function readOptions(
  kind: Pick<SourceKind | DestinationKind, 'options'>,
  sent: ConnectorOptions,
  pointer: string,
): CheckedOptions {
  const { value, error } = kind.options.validate(sent, { abortEarly: false }) as {
    readonly value: unknown;
    readonly error?: { readonly details: readonly { readonly path: readonly unknown[]; readonly message: string }[] };
  };
  const faults = (error?.details ?? []).map(({ path, message }) => ({
    pointer: [pointer, ...path.map((part) => escapePointer(String(part)))].join('/'),
    detail: message.replace(/^"[^"]*" /, ''),
  }));
  return { options: value as ConnectorOptions, faults };
}

/** Reads options and proves that they work. Faults of the proof point into the options. */
export async function proveOptions(
  kind: SourceKind | DestinationKind,
  sent: ConnectorOptions,
  pointer: string,
  context: ConnectorContext,
): Promise<CheckedOptions> {
  const read = readOptions(kind, sent, pointer);
  if (read.faults.length > 0) return read;
  return { options: read.options, faults: await provenFaults(kind, read.options, pointer, context) };
}

/** Proves that stored options still work. */
export async function provenFaults(
  kind: SourceKind | DestinationKind,
  options: ConnectorOptions,
  pointer: string,
  context: ConnectorContext,
): Promise<readonly FieldFault[]> {
  try {
    await kind.check(options, context);
    return [];
  } catch (error) {
    if (!isQuireError(error) || error.code === 'CANCELLED') throw error;
    return error.errors.length === 0
      ? [{ pointer, detail: error.message }]
      : error.errors.map((fault) => ({ pointer: `${pointer}${fault.pointer}`, detail: fault.detail }));
  }
}

/** Faults as one sentence for the detail of a problem. */
export function sentence(faults: readonly FieldFault[]): string {
  return faults.map(({ pointer, detail }) => `${pointer} ${detail}`.trim()).join('; ');
}

/** A kind of source that makes options itself, whatever is sent: an id and a secret of a webhook. */
export interface MakingKind extends SourceKind {
  make?(): ConnectorOptions;
}

/** The kinds of sources and destinations by their type. */
export class Kinds {
  readonly sources: ReadonlyMap<string, MakingKind>;
  readonly destinations: ReadonlyMap<string, DestinationKind>;

  constructor(sources: readonly MakingKind[], destinations: readonly DestinationKind[]) {
    this.sources = new Map(sources.map((kind) => [kind.type, kind]));
    this.destinations = new Map(destinations.map((kind) => [kind.type, kind]));
  }

  /** What is wrong with a type that does not exist. */
  unknown(of: 'sources' | 'destinations', type: string): string {
    const known = [...this[of].keys()].sort();
    const allowed = known.length === 0 ? 'this server has none' : `allowed are ${known.join(', ')}`;
    return `"${type}" is not a kind of ${of === 'sources' ? 'source' : 'destination'}; ${allowed}`;
  }
}
