import { createContext, runInContext } from 'node:vm';

/**
 * Runs a synchronous function for at most `milliseconds`: the engine itself ends it, loops of JavaScript and of wasm alike, which no timer
 * could. What it was working on is left in an unknown state, so wasm instances must be dropped. Promises it gives are not bounded.
 * Throws what `fn` throws, and an error that `isInterrupted` knows.
 */
export function withinTime<T>(milliseconds: number, fn: () => T): T {
  return runInContext('fn()', createContext({ fn }), { timeout: Math.max(1, Math.ceil(milliseconds)) }) as T;
}

/** True for the error with which `withinTime` ends what takes too long. */
export function isInterrupted(error: unknown): boolean {
  return typeof error === 'object' && error !== null && (error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
