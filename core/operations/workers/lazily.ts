/** Returns a function that loads something once: an `import()` of a loaded module takes 20 µs, in each task again. */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => (loading ??= load());
}
