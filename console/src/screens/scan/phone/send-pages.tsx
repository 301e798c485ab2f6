import { useRef, useState } from 'preact/hooks';
import { asProblem, upload, type Problem } from '../../../api/index.ts';
import { Button, ProblemNotice, Progress } from '../../../components/index.ts';
import { t } from '../texts.ts';
import type { Page } from './page.ts';

interface SendPagesProps {
  readonly session: string;
  readonly pages: readonly Page[];
  readonly onSent: () => void;
}

/** Sends all pages in one call, so that all arrive or none. */
export function SendPages({ session, pages, onSent }: SendPagesProps) {
  const [share, setShare] = useState<number | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const stop = useRef(new AbortController());
  const send = async (): Promise<void> => {
    stop.current = new AbortController();
    setProblem(undefined);
    setShare(0);
    const form = (): FormData => {
      const data = new FormData();
      pages.forEach(({ result }, i) => data.append('files', result, `page-${String(i + 1).padStart(3, '0')}.jpg`));
      return data;
    };
    try {
      await upload(`mobile-scanner/upload/${encodeURIComponent(session)}`, form, {
        signal: stop.current.signal,
        progress: (done, total) => setShare(total === 0 ? 1 : done / total),
      });
      onSent();
    } catch (error) {
      const found = asProblem(error);
      if (!found.isAbort) setProblem(found);
    }
    setShare(undefined);
  };
  if (share !== undefined)
    return (
      <div class="stack" role="status">
        <Progress label={t('Sending the pages')} value={share} />
        <Button icon="x" onClick={() => stop.current.abort()}>
          {t('Cancel')}
        </Button>
      </div>
    );
  return (
    <>
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      {pages.length === 0 ? null : (
        <Button kind="primary" size="large" icon="send" onClick={() => void send()}>
          {t.count(pages.length, 'Send {count} page', 'Send {count} pages')}
        </Button>
      )}
    </>
  );
}
