import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Problem } from '../../api/index.ts';
import type { Loaded } from '../../components/index.ts';
import { ListFeed, type Shown } from './model/list-feed.ts';

/** The list of automations as it changes, while the page is in view. */
export function useListFeed(): Loaded<Shown> {
  const [data, setData] = useState<Shown | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const feed = useMemo(
    () =>
      new ListFeed({
        shown(shown) {
          setData(shown);
          setProblem(undefined);
        },
        failed: setProblem,
      }),
    [],
  );
  useEffect(() => {
    const seen = (): void => (document.visibilityState === 'visible' ? feed.start() : feed.stop());
    seen();
    document.addEventListener('visibilitychange', seen);
    return () => {
      feed.stop();
      document.removeEventListener('visibilitychange', seen);
    };
  }, []);
  return { data, problem, reload: () => feed.reload() };
}
