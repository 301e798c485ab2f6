import { isQuireError, type QuireError } from '@quire/registry';
import { errorRow, reviveError, serialiseError } from '@quire/registry/errors';
import type { WireFile } from '../../workers/index.js';
import type { VerifiedStep } from './model.js';

/** What an operation of a pipeline did in a run. */
export interface StepTime {
  /** Its place among all operations, in the order in which they are written. */
  readonly index: number;
  readonly operation: string;
  /** Pointer of the step, if it is inside of another one. */
  readonly pointer?: string;
  /** From the begin of its first call to the end of its last one. */
  readonly ms: number;
  readonly received: StepFiles;
  readonly returned: StepFiles;
  /** The first ones. */
  readonly warnings?: readonly string[];
  /** Why it failed, also if the pipeline went on. */
  readonly error?: StepError;
}

interface StepFiles {
  readonly count: number;
  /** Of all of them; missing in records of earlier versions. */
  readonly bytes?: number;
  /** Of the first files. */
  readonly names: readonly string[];
}

interface StepError {
  readonly code: string;
  readonly detail: string;
  /** Pointer into the definition. */
  readonly pointer?: string;
  /** What to do. */
  readonly hint?: string;
  /** The files of the call that failed. */
  readonly file?: string;
}

/** A call of an operation; times are milliseconds since 1970. */
export interface BegunCall {
  readonly step: Pick<VerifiedStep, 'at' | 'path' | 'depth' | 'within'>;
  readonly index: number;
  readonly beganAt: number;
  readonly received: readonly WireFile[];
}

export interface DoneCall extends BegunCall {
  readonly endedAt: number;
  readonly returned: readonly WireFile[];
  readonly warnings: readonly string[];
}

export interface FailedCall extends BegunCall {
  readonly endedAt: number;
  readonly error: unknown;
  /** The same error as it is thrown, with pointers into the definition. */
  readonly placed: unknown;
}

/** More names would make the record of a run large. */
const MOST_NAMES = 5;
const MOST_WARNINGS = 5;
const LONGEST_TEXT = 1000;

const none: StepFiles = { count: 0, bytes: 0, names: [] };

interface Kept {
  readonly beganAt: number;
  endedAt: number;
  /** Calls that have not ended. */
  open: number;
  /** Names the step, for an error that it did not throw itself. */
  readonly at: string;
  time: StepTime;
}

/** Collects what the operations of a run did. */
export class StepTimes {
  readonly #steps = new Map<string, Kept>();

  begin({ step, index, beganAt, received }: BegunCall): void {
    const key = keyOf({ step, index });
    const before = this.#steps.get(key);
    const kept = before ?? {
      beganAt,
      endedAt: beganAt,
      open: 0,
      at: step.at,
      time: {
        index,
        operation: step.path,
        ...(step.depth > 0 && step.within.length === 0 ? { pointer: step.at } : {}),
        ms: 0,
        received: none,
        returned: none,
      },
    };
    kept.open++;
    kept.time = { ...kept.time, received: more(kept.time.received, received) };
    this.#steps.set(key, kept);
  }

  done({ warnings, returned, ...call }: DoneCall): void {
    this.#end(call, (time) => ({
      ...time,
      returned: more(time.returned, returned),
      ...moreWarnings(time.warnings, warnings),
    }));
  }

  /** The first failure of a step stays. */
  failed({ error, placed, ...call }: FailedCall): void {
    const file = call.received.map(({ name }) => name).join(', ');
    this.#end(call, (time) => ({ error: stepError(error, { placed, at: call.step.at, file }), ...time }));
  }

  /** A condition could not read a fact about a file. `index`: of the first operation inside of the step. */
  unread({
    at,
    index,
    file,
    ...failure
  }: Pick<FailedCall, 'error' | 'placed' | 'index'> & { readonly at: string; readonly file: WireFile }): void {
    const now = Date.now();
    const call = { step: { at, path: 'if', depth: 1, within: [] }, index, beganAt: now, received: [file] };
    this.begin(call);
    this.failed({ ...call, endedAt: now, ...failure });
  }

  /**
   * In the order in which the operations are written. `failure`: what the run ended with; the operations that it
   * stopped have failed with it, if none has failed by itself.
   */
  all(failure?: unknown): readonly StepTime[] {
    const now = Date.now();
    const steps = [...this.#steps.values()];
    const isBlamed = failure !== undefined && !steps.some(({ time }) => time.error !== undefined);
    return steps
      .map(({ time, open, beganAt, endedAt, at }): StepTime => ({
        ...time,
        ms: (open > 0 ? Math.max(now, beganAt) : endedAt) - beganAt,
        ...(isBlamed && open > 0 ? { error: stepError(failure, { at }) } : {}),
      }))
      .sort((a, b) => a.index - b.index);
  }

  #end(call: Omit<DoneCall, 'returned' | 'warnings'>, change: (time: StepTime) => StepTime): void {
    const kept = this.#steps.get(keyOf(call));
    if (kept === undefined) return;
    kept.open--;
    kept.endedAt = Math.max(kept.endedAt, call.endedAt);
    kept.time = change(kept.time);
  }
}

/** A condition about a fact has the index of the step after it, and a path of its own. */
function keyOf({ index, step }: Pick<BegunCall, 'index' | 'step'>): string {
  return `${index} ${step.path}`;
}

function stepError(
  error: unknown,
  { placed, at, file }: { readonly placed?: unknown; readonly at: string; readonly file?: string },
): StepError {
  const found: QuireError = isQuireError(error) ? error : reviveError(serialiseError(error));
  const [fault] = isQuireError(placed) ? placed.errors : found.errors;
  const { hint } = errorRow(found.code);
  return {
    code: found.code,
    detail: found.message.slice(0, LONGEST_TEXT),
    pointer: fault?.pointer ?? at,
    ...(hint === undefined ? {} : { hint }),
    ...(file === undefined ? {} : { file: file.slice(0, LONGEST_TEXT) }),
  };
}

function more(
  { count, bytes = 0, names }: StepFiles,
  files: readonly { readonly name: string; readonly size: number }[],
): StepFiles {
  return {
    count: count + files.length,
    bytes: files.reduce((sum, { size }) => sum + size, bytes),
    names: names.length >= MOST_NAMES ? names : [...names, ...files.map(({ name }) => name)].slice(0, MOST_NAMES),
  };
}

function moreWarnings(before: readonly string[] = [], added: readonly string[]): Pick<StepTime, 'warnings'> {
  if (added.length === 0 || before.length >= MOST_WARNINGS) return {};
  const short = added.map((text) => text.slice(0, LONGEST_TEXT));
  return { warnings: [...new Set([...before, ...short])].slice(0, MOST_WARNINGS) };
}
