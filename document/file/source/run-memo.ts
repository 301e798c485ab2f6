let found: Map<string, unknown> | undefined;

/** Starts remembering what `onceInRun` returns. A process works on one run at a time. */
export function startMemo(): void {
  found = new Map();
}

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
