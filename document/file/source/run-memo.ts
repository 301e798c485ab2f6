let found: Map<string, unknown> | undefined;

/** Starts remembering what `onceInRun` returns. A process works on one run at a time. */
export function startMemo(): void {
  found = new Map();
}

/** Remembers a value for the rest of this run. */
export function rememberInRun(key: string, value: unknown): void {
  found?.set(key, value);
}

/** Returns the value of a key in this run; undefined where there is none. The caller knows its type by the key. */
export const recallInRun = <T>(key: string): T | undefined => found?.get(key) as T | undefined;

/** Forgets everything. */
export function endMemo(): void {
  found = undefined;
}

/**
 * Returns what `make` returns, which is called once in a run for each key; outside of a run it is always called. For
 * results that depend on nothing but the key, and that nobody changes.
 */
export function onceInRun<T>(key: string, make: () => T): T {
  if (found?.has(key) === true) return found.get(key) as T;
  const made = make();
  found?.set(key, made);
  return made;
}
