import { type Context, createContext, runInContext, Script } from 'node:vm';

/**
 * Runs a synchronous function for at most `milliseconds`. V8 itself interrupts it, including loops in JavaScript and
 * WebAssembly that no timer could stop. The function's data is left in an unknown state, so WebAssembly instances must
 * be discarded. Returned promises are not limited. Throws the errors of `fn`, and an error recognised by
 * `isInterrupted`.
 */
export function withinTime<T>(milliseconds: number, fn: () => T): T {
  return runInContext('fn()', createContext({ fn }), { timeout: Math.max(1, Math.ceil(milliseconds)) }) as T;
}

/** Runs many short functions under time limits as `withinTime` does, but sets up the costly environment only once. */
export class TimeLimit {
  readonly #script = new Script('fn()');
  readonly #around: { fn: () => unknown } = { fn: () => undefined };
  readonly #context: Context = createContext(this.#around);

  run<T>(milliseconds: number, fn: () => T): T {
    this.#around.fn = fn;
    return this.#script.runInContext(this.#context, { timeout: Math.max(1, Math.ceil(milliseconds)) }) as T;
  }
}

/** True for the error that `withinTime` throws at the deadline. */
export function isInterrupted(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && (error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
