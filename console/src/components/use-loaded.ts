import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../api/index.ts';

/** What a screen loads: its data, or why there is none. */
export interface Loaded<T> {
  /** Undefined until it is loaded; the last data while it is loaded again. */
  readonly data: T | undefined;
  readonly problem: Problem | undefined;
  /** Loads it again. */
  readonly reload: () => Promise<void>;
}

/** Loads data when the screen is shown and whenever a key changes. The result of an earlier key is dropped. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, keys: readonly unknown[]): Loaded<T> {
  const [data, setData] = useState<T | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const stop = useRef(new AbortController());
  const reload = useCallback(async (): Promise<void> => {
    stop.current.abort();
    const { signal } = (stop.current = new AbortController());
    try {
      const loaded = await load(signal);
      if (signal.aborted) return;
      setData(() => loaded);
      setProblem(undefined);
    } catch (error) {
      if (!signal.aborted) setProblem(asProblem(error));
    }
  }, keys);
  useEffect(() => {
    setData(undefined);
    void reload();
    return () => stop.current.abort();
  }, [reload]);
  return { data, problem, reload };
}
