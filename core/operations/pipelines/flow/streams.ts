import { fileReturns, holds, passwordsOf, type ConcreteKind } from '@quire/registry';
import { accepts, kindList, outputKind } from '../../runner/index.js';
import type { VerifiedStep } from './model.js';

/** Files that may reach a step by one way through the pipeline. */
export interface Stream {
  /** Undefined for any file type. */
  readonly kinds: ReadonlySet<ConcreteKind> | undefined;
  /** The step that locked all of them with a password, as messages name it. */
  readonly lockedBy?: string;
  /** Pointer of the branch that they come from. */
  readonly from?: string;
}

/** All ways to a step; empty if no file can reach it. */
export type Streams = readonly Stream[];

/** Files of which nothing is known. */
export const anything: Streams = [{ kinds: undefined }];

/** More ways than these are followed as one; a pipeline that people write has a few. */
const MOST_STREAMS = 64;

/** Returns streams without those that are equal. */
export function joined(streams: Streams): Streams {
  const known = new Map<string, Stream>();
  for (const stream of streams) {
    const key = `${stream.lockedBy ?? ''}|${stream.kinds === undefined ? '*' : [...stream.kinds].sort().join()}`;
    if (!known.has(key)) known.set(key, stream);
  }
  return known.size > MOST_STREAMS ? [together([...known.values()])] : [...known.values()];
}

/** Streams as one: of all their file types, and locked only if all are. */
export function together(streams: Streams): Stream {
  const [first] = streams;
  const open = streams.some(({ kinds }) => kinds === undefined);
  const kinds = open ? undefined : new Set(streams.flatMap((stream) => [...(stream.kinds ?? [])]));
  const lockedBy = streams.every((stream) => stream.lockedBy !== undefined) ? first?.lockedBy : undefined;
  return {
    kinds,
    ...(lockedBy === undefined ? {} : { lockedBy }),
    ...(first?.from === undefined ? {} : { from: first.from }),
  };
}

/** Streams that come out of a branch. */
export function outOf(streams: Streams, from: string): Streams {
  return streams.map((stream) => ({ ...stream, from }));
}

/** Follows files through a step, and reports what it can never do. `label`: how messages name the step. */
export function throughStep(
  streams: Streams,
  step: VerifiedStep,
  label: string,
  refuse: (detail: string) => void,
): Streams {
  const locked = streams.find(({ lockedBy }) => lockedBy !== undefined);
  if (locked !== undefined && needsOpen(step))
    refuse(
      `can never open its input: ${locked.lockedBy} locks it with a password; move this step before it, or ` +
        'remove the password in between',
    );
  const accepted = kindList(step.entry.operation.accepts);
  const after = streams.map((stream) => kindsAfter(step, stream.kinds));
  const refused = streams.filter((_, i) => after[i] === 'never');
  if (refused.length > 0 && refused.length === streams.length)
    refuse(
      `can never receive a file: it accepts ${accepted}, and the steps ` +
        `before it return ${kindList([...(together(refused).kinds ?? [])])}`,
    );
  else
    for (const { from = 'the steps before it', kinds = [] } of refused)
      refuse(
        `can never receive the files that come from ${from}: it accepts ${accepted}, and these are ` +
          kindList([...kinds]),
      );
  return joined(
    streams.map((stream, i): Stream => {
      const kinds = after[i];
      const lockedBy = lockAfter(step, label, stream.lockedBy);
      return {
        kinds: kinds === 'never' ? undefined : kinds,
        ...(lockedBy === undefined ? {} : { lockedBy }),
        ...(stream.from === undefined ? {} : { from: stream.from }),
      };
    }),
  );
}

/** True for a step that opens its input and has no password for it. */
export function needsOpen({ entry: { operation }, params }: VerifiedStep): boolean {
  return operation.input !== 'raw' && passwordsOf(operation, params).input === undefined;
}

/** Returns the step that locked all output of this step; undefined if none is known. */
function lockAfter(step: VerifiedStep, label: string, before: string | undefined): string | undefined {
  const { operation } = step.entry;
  if (passwordsOf(operation, step.params).result !== undefined) return label;
  return operation.input === 'raw' && fileReturns(operation)?.kind === 'same' ? before : undefined;
}

/** Returns the file types that a step passes on, or `never` if it accepts nothing that reaches it. */
function kindsAfter({ entry, params }: VerifiedStep, reaching: Stream['kinds']): Stream['kinds'] | 'never' {
  const { operation } = entry;
  const taken = reaching === undefined ? undefined : [...reaching].filter((kind) => accepts(operation.accepts, kind));
  if (taken !== undefined && taken.length === 0) return 'never';
  const returns = fileReturns(operation);
  if (returns === undefined) return new Set(['json']);
  if (returns.kind === 'same') {
    if (taken !== undefined) return taken.includes('zip') ? undefined : new Set(taken);
    return operation.accepts.includes('any') ? undefined : new Set(operation.accepts as ConcreteKind[]);
  }
  if (returns.kind === 'any') return undefined;
  const kind = outputKind(returns, params, 'bin');
  // A zip is unpacked before the next step and may contain anything.
  if (kind === 'zip') return undefined;
  // A bundle is passed on whole or as its members, whichever the next step accepts.
  const bundled =
    returns.many?.unpack === 'onDemand' && (returns.many.when === undefined || holds(returns.many.when, params));
  return new Set(bundled ? [kind, 'zip'] : [kind]);
}
