import { useEffect, useState } from 'preact/hooks';
import { asProblem, callJson, followEvents, type Problem } from '../../api/index.ts';
import { FOLDERS, type FolderList } from './facts.ts';

interface Followed {
  readonly list: FolderList | undefined;
  readonly connected: boolean;
  readonly problem: Problem | undefined;
}

/** The list of folders as it changes. */
export function useFolders(): Followed {
  const [list, setList] = useState<FolderList | undefined>();
  const [connected, setConnected] = useState(true);
  const [problem, setProblem] = useState<Problem | undefined>();
  useEffect(() => {
    const stop = new AbortController();
    followEvents(`${FOLDERS}/events`, {
      signal: stop.signal,
      connected: setConnected,
      event: ({ data }) => setList(JSON.parse(data) as FolderList),
    }).catch((error: unknown) => setProblem(asProblem(error)));
    return () => stop.abort();
  }, []);
  return { list, connected, problem };
}

interface Entry {
  readonly id: string;
}

interface Pages<T> {
  /** Undefined until the first page is there. */
  readonly items: readonly T[] | undefined;
  readonly problem: Problem | undefined;
  readonly reload: () => Promise<void>;
  /** Loads older entries; undefined when all are there. */
  readonly more: (() => Promise<void>) | undefined;
}

/** Loads a list page by page, from the first again whenever `version` changes. */
export function usePages<T extends Entry>(address: string, member: string, version: string): Pages<T> {
  const [first, setFirst] = useState<readonly T[] | undefined>();
  const [older, setOlder] = useState<readonly T[]>([]);
  const [next, setNext] = useState<string | null>(null);
  const [problem, setProblem] = useState<Problem | undefined>();
  const load = async (before?: string): Promise<{ readonly items: readonly T[]; readonly next: string | null }> => {
    const answer = await callJson<Readonly<Record<string, unknown>>>(address, { query: { before } });
    return { items: answer[member] as readonly T[], next: answer['next'] as string | null };
  };
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      setProblem(undefined);
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  const reload = (): Promise<void> =>
    attempt(async () => {
      const page = await load();
      setFirst(page.items);
      setOlder([]);
      setNext(page.next);
    });
  useEffect(() => void reload(), [address, version]);
  const known = new Set(first?.map(({ id }) => id));
  return {
    items: first === undefined ? undefined : [...first, ...older.filter(({ id }) => !known.has(id))],
    problem,
    reload,
    more:
      next === null
        ? undefined
        : () =>
            attempt(async () => {
              const page = await load(next);
              setOlder([...older, ...page.items]);
              setNext(page.next);
            }),
  };
}
