import { useEffect, useState } from 'preact/hooks';
import { asProblem, followEvents, type Problem } from '../../../api/index.ts';
import {
  addressOf,
  listFiles,
  type AutomationFile,
  type FilesNews,
  type FilesPage,
  type FileState,
} from '../model/automation.ts';

interface Followed {
  /** The first page of all files, and how many there are in each state; undefined until it is there. */
  readonly news: FilesNews | undefined;
  readonly connected: boolean;
  readonly problem: Problem | undefined;
}

/** The files of an automation as they change. */
export function useNews(id: string): Followed {
  const [news, setNews] = useState<FilesNews | undefined>();
  const [connected, setConnected] = useState(true);
  const [problem, setProblem] = useState<Problem | undefined>();
  useEffect(() => {
    const stop = new AbortController();
    followEvents(addressOf(id, 'events'), {
      signal: stop.signal,
      connected: setConnected,
      event: ({ data }) => setNews(JSON.parse(data) as FilesNews),
    }).catch((error: unknown) => setProblem(asProblem(error)));
    return () => stop.abort();
  }, [id]);
  return { news, connected, problem };
}

interface Files {
  readonly files: readonly AutomationFile[] | undefined;
  readonly problem: Problem | undefined;
  /** Loads older ones; undefined when all are there. */
  readonly more: (() => Promise<void>) | undefined;
}

/** The files in a state, or all, from the first again with every news. */
export function useFiles(id: string, state: FileState | undefined, news: FilesNews | undefined): Files {
  const [first, setFirst] = useState<FilesPage | undefined>();
  const [older, setOlder] = useState<FilesPage | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  useEffect(() => {
    setOlder(undefined);
    if (state === undefined || news === undefined) {
      setFirst(news);
      return undefined;
    }
    const stop = new AbortController();
    listFiles(id, { state }, stop.signal).then(
      (page) => {
        setFirst(page);
        setProblem(undefined);
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setProblem(asProblem(error));
      },
    );
    return () => stop.abort();
  }, [id, state, news]);
  const known = new Set(first?.files.map((file) => file.id));
  const next = (older ?? first)?.next ?? null;
  const more = async (): Promise<void> => {
    try {
      const page = await listFiles(id, { state, offset: next ?? 0 });
      setOlder({ ...page, files: [...(older?.files ?? []), ...page.files] });
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return {
    files: first && [...first.files, ...(older?.files ?? []).filter((file) => !known.has(file.id))],
    problem,
    more: next === null ? undefined : more,
  };
}
