/**
 * Does something with each item, with `most` of them at once, and returns the results in the order of the items. After
 * a failure nothing more is begun; it rejects with that failure when everything that was begun has ended.
 */
export async function mapAtOnce<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  let failure: { readonly error: unknown } | undefined;
  const lane = async (): Promise<void> => {
    while (next < items.length && failure === undefined) {
      const index = next++;
      try {
        results[index] = await work(items[index] as T, index);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(most, items.length)) }, lane));
  if (failure !== undefined) throw failure.error;
  return results;
}
