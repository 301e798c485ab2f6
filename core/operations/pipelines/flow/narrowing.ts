import type { ConcreteKind } from '@quire/registry';
import type { Condition } from './model.js';
import { sampleFile } from '../templates.js';
import { factNamed } from './facts.js';
import { joined, needsOpen, together, type Stream, type Streams } from './streams.js';

/** The files for which a condition is true, and those for which it is false; undefined where there can be none. */
interface Split {
  readonly yes: Stream | undefined;
  readonly no: Stream | undefined;
}

/** The files that go either way. */
export function split(streams: Streams, condition: Condition): { readonly yes: Streams; readonly no: Streams } {
  const parts = streams.map((stream) => splitOne(stream, condition));
  const side = (of: keyof Split): Streams => joined(parts.flatMap((part) => part[of] ?? []));
  return { yes: side('yes'), no: side('no') };
}

function splitOne(stream: Stream, condition: Condition): Split {
  switch (condition.type) {
    case 'not': {
      const { yes, no } = splitOne(stream, condition.of);
      return { yes: no, no: yes };
    }
    case 'all':
      return inTurn(stream, condition.of);
    case 'any': {
      const { yes, no } = inTurn(
        stream,
        condition.of.map((of) => ({ type: 'not', of })),
      );
      return { yes: no, no: yes };
    }
    case 'filter': {
      const { accepts } = condition.step.entry.operation;
      return { yes: accepts.includes('any') ? stream : only(stream, accepts as readonly ConcreteKind[]), no: stream };
    }
    case 'fact':
      return byFact(stream, condition);
  }
}

/** Each condition sees what those before it let through. */
function inTurn(stream: Stream, conditions: readonly Condition[]): Split {
  const refused: Stream[] = [];
  let left: Stream | undefined = stream;
  for (const condition of conditions) {
    if (left === undefined) break;
    const { yes, no }: Split = splitOne(left, condition);
    if (no !== undefined) refused.push(no);
    left = yes;
  }
  return { yes: left, no: refused.length === 0 ? undefined : { ...stream, ...together(refused) } };
}

function byFact(stream: Stream, { fact, comparisonFor }: Extract<Condition, { type: 'fact' }>): Split {
  const { among } = comparisonFor.of(sampleFile);
  if (fact === 'kind' && among !== undefined) {
    const kinds = among.map((value) => String(value).toLowerCase()) as ConcreteKind[];
    return { yes: only(stream, kinds), no: without(stream, kinds) };
  }
  const kinds = factNamed(fact)?.kinds;
  const fitting = kinds === undefined ? stream : only(stream, kinds);
  // Of files that a step before has locked, this is known.
  if ((fact === 'locked' || fact === 'encrypted') && fitting?.lockedBy !== undefined)
    return among?.includes(true) === true ? { yes: fitting, no: undefined } : { yes: undefined, no: fitting };
  return { yes: fitting, no: stream };
}

function only(stream: Stream, kinds: readonly ConcreteKind[]): Stream | undefined {
  const left = stream.kinds === undefined ? kinds : [...stream.kinds].filter((kind) => kinds.includes(kind));
  return left.length === 0 ? undefined : { ...stream, kinds: new Set(left) };
}

function without(stream: Stream, kinds: readonly ConcreteKind[]): Stream | undefined {
  if (stream.kinds === undefined) return stream;
  const left = [...stream.kinds].filter((kind) => !kinds.includes(kind));
  return left.length === 0 ? undefined : { ...stream, kinds: new Set(left) };
}

/** Reports conditions that look into documents which a step before has locked. */
export function findLocked(streams: Streams, condition: Condition, report: (step: string) => void): void {
  switch (condition.type) {
    case 'not':
      return findLocked(streams, condition.of, report);
    case 'all':
    case 'any': {
      let left = streams;
      for (const of of condition.of) {
        findLocked(left, of, report);
        left = split(left, of)[condition.type === 'all' ? 'yes' : 'no'];
      }
      return;
    }
    case 'fact':
    case 'filter': {
      const opens = condition.type === 'fact' ? factNamed(condition.fact)?.needsOpen : needsOpen(condition.step);
      const locked = streams.find(({ lockedBy }) => lockedBy !== undefined);
      if (opens === true && locked?.lockedBy !== undefined) report(locked.lockedBy);
    }
  }
}
