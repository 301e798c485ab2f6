import { useEffect } from 'preact/hooks';
import type { Loaded } from '../../components/index.ts';

/** Loads again some time after each answer, while `wanted` holds. */
export function useAgain<T>({ data, problem, reload }: Loaded<T>, everyMs: number, wanted: boolean): void {
  useEffect(() => {
    if (!wanted || (data === undefined && problem === undefined)) return undefined;
    const timer = setTimeout(() => void reload(), everyMs);
    return () => clearTimeout(timer);
  }, [data, problem, reload, everyMs, wanted]);
}
