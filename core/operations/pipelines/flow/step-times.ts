import type { DoneCall } from './run-step.js';

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
}

interface StepFiles {
  readonly count: number;
  /** Of the first files. */
  readonly names: readonly string[];
}

/** More names would make the record of a run large. */
const MOST_NAMES = 5;

/** Collects what the operations of a run did. */
export class StepTimes {
  readonly #steps = new Map<number, { readonly beganAt: number; readonly time: StepTime }>();

  add({ step, index, beganAt, endedAt, received, returned }: DoneCall): void {
    const before = this.#steps.get(index);
    const began = Math.min(before?.beganAt ?? beganAt, beganAt);
    const time: StepTime = {
      index,
      operation: step.path,
      ...(step.depth > 0 && step.within.length === 0 ? { pointer: step.at } : {}),
      ms: Math.max(before === undefined ? 0 : before.beganAt + before.time.ms, endedAt) - began,
      received: more(before?.time.received, received),
      returned: more(before?.time.returned, returned),
    };
    this.#steps.set(index, { beganAt: began, time });
  }

  /** In the order in which the operations are written. */
  get all(): readonly StepTime[] {
    return [...this.#steps.values()].map(({ time }) => time).sort((a, b) => a.index - b.index);
  }
}

function more(before: StepFiles | undefined, files: readonly { readonly name: string }[]): StepFiles {
  const { count, names } = before ?? { count: 0, names: [] };
  return {
    count: count + files.length,
    names: [...names, ...files.map(({ name }) => name)].slice(0, MOST_NAMES),
  };
}
