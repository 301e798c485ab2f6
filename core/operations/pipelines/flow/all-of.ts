import { mapAtOnce } from '../../../semaphore/index.js';

/**
 * As `mapAtOnce`, for work of several steps: the first failure stops the others at their next step, and is the one that
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
  return mapAtOnce(items, limit, (item, index) =>
    work(item, either, index).catch((error: unknown) => {
      first ??= { error };
      stop.abort(error);
      throw error;
    }),
  ).catch((error: unknown) => {
    throw first === undefined ? error : first.error;
  });
}
