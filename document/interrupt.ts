import { type Context, createContext, runInContext, Script } from 'node:vm';

/**
 * Runs a synchronous function for at most `milliseconds`: the engine itself ends it, loops of JavaScript and of wasm
 * alike, which no timer could. What it was working on is left in an unknown state, so wasm instances must be dropped.
 * Promises it gives are not bounded. Throws what `fn` throws, and an error that `isInterrupted` knows.
 */
export function withinTime<T>(milliseconds: number, fn: () => T): T {
  return runInContext('fn()', createContext({ fn }), { timeout: Math.max(1, Math.ceil(milliseconds)) }) as T;
}

/**
 * Runs many short functions under time limits, as `withinTime` does one: the surroundings that takes most of its time
 * are made once.
 */
export class TimeLimit {
  readonly #script = new Script('fn()');
  readonly #around: { fn: () => unknown } = { fn: () => undefined };
  readonly #context: Context = createContext(this.#around);

  run<T>(milliseconds: number, fn: () => T): T {
    this.#around.fn = fn;
    return this.#script.runInContext(this.#context, { timeout: Math.max(1, Math.ceil(milliseconds)) }) as T;
  }
}

/** True for the error with which `withinTime` ends what takes too long. */
export function isInterrupted(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && (error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
