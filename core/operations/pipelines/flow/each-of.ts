/** Maps in order with at most `limit` tasks at a time; after the first failure no further task starts. */
export async function eachOf<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  let failed = false;
  const lane = async (): Promise<void> => {
    while (next < items.length && !failed) {
      const index = next++;
      const item = items[index] as T;
      try {
        results[index] = await work(item, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, lane));
  const fault = lanes.find((outcome) => outcome.status === 'rejected');
  if (fault !== undefined) throw fault.reason;
  return results;
}

/**
 * As `eachOf`, for work of several steps: the first failure stops the others at their next step, and is the one that
 * is thrown.
 */
export async function allOf<T, R>(
  items: readonly T[],
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
  work: (item: T, signal: AbortSignal, index: number) => Promise<R>,
): Promise<R[]> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  let first: { readonly error: unknown } | undefined;
  return eachOf(items, limit, (item, index) =>
    work(item, either, index).catch((error: unknown) => {
      first ??= { error };
      stop.abort(error);
      throw error;
    }),
  ).catch((error: unknown) => {
    throw first === undefined ? error : first.error;
  });
}
