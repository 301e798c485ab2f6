/** Inputs of the current run that nobody reads after it, by path. A process works on one run at a time. */
const spent = new Set<string>();
const unsigned = new Set<string>();
/** Bytes that an input had before a result continued it. */
const sizes = new Map<string, number>();

/** Starts a run whose inputs at these paths are given up. */
export function startSpending(paths: readonly string[]): void {
  endSpending();
  for (const path of paths) spent.add(path);
}

/** Forgets everything. */
export function endSpending(): void {
  for (const known of [spent, unsigned, sizes]) known.clear();
}

/** Remembers that a file has no signature: its result need not be compared with its bytes. */
export function noteUnsigned(path: string): void {
  if (spent.has(path)) unsigned.add(path);
}

/**
 * True, once for each path, when the result may continue the file itself: it was given up and is not signed. `size`:
 * what the file has now, which stays what readers of its path see.
 */
export function spendInput(path: string, size: number): boolean {
  if (!unsigned.has(path) || sizes.has(path)) return false;
  sizes.set(path, size);
  return true;
}

/** Bytes of a file before a result continued it; undefined for a file that none continued. */
export function sizeBefore(path: string): number | undefined {
  return sizes.get(path);
}
