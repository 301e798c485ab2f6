import { useEffect, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../../api/index.ts';
import { namesIn, readPage, type Arrived } from './session.ts';

const POLL_MS = 2000;

interface Arrivals {
  readonly pages: readonly Arrived[];
  /** Why nothing arrives at the moment; it goes on trying. */
  readonly problem: Problem | undefined;
  remove(page: Arrived): void;
}

/** Fetches the pages of a session as they arrive. */
export function useArrivals(session: string): Arrivals {
  const [pages, setPages] = useState<readonly Arrived[]>([]);
  const [problem, setProblem] = useState<Problem | undefined>();
  useEffect(() => {
    const stop = new AbortController();
    const urls: string[] = [];
    const known = new Set<string>();
    const look = async (): Promise<void> => {
      for (const name of await namesIn(session, stop.signal)) {
        if (known.has(name)) continue;
        const page = await readPage(session, name, stop.signal);
        known.add(name);
        urls.push(page.url);
        setPages((before) => [...before, page]);
      }
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const poll = async (): Promise<void> => {
      try {
        await look();
        setProblem(undefined);
      } catch (error) {
        if (!stop.signal.aborted) setProblem(asProblem(error));
      }
      if (!stop.signal.aborted) timer = setTimeout(() => void poll(), POLL_MS);
    };
    setPages([]);
    void poll();
    return () => {
      stop.abort();
      clearTimeout(timer);
      for (const url of urls) URL.revokeObjectURL(url);
    };
  }, [session]);
  return { pages, problem, remove: (page) => setPages((all) => all.filter((each) => each !== page)) };
}
