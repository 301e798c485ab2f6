import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../../api/index.ts';
import { Button, Dialog, LinkButton, Notice, ProblemNotice, Progress } from '../../components/index.ts';
import { saveFile } from '../../files/index.ts';
import { formatBytes } from '../../i18n/index.ts';
import { NextDialog } from '../tool/next-dialog.tsx';
import { PdfView } from '../../viewer/index.ts';
import { organiser, type Entries } from './organiser.ts';
import { assemble, type Made, problemOf, SeveralPasswords } from './run.ts';
import { t } from './texts.ts';

export interface RunState {
  readonly state: 'none' | 'running' | 'done' | 'failed';
  /** Share that was sent; 1 while the server works. */
  readonly sent: number;
  readonly made: Made | undefined;
  readonly problem: Problem | SeveralPasswords | undefined;
  readonly start: () => void;
  readonly cancel: () => void;
  readonly close: () => void;
}

type Current = Pick<RunState, 'state' | 'sent' | 'made' | 'problem'>;

const idle: Current = { state: 'none', sent: 0, made: undefined, problem: undefined };

/** The call that makes the document. A change of the pages takes its result away, which no longer fits. */
export function useRun(): RunState {
  const [current, setCurrent] = useState<Current>(idle);
  const stop = useRef<AbortController | undefined>(undefined);
  const entries = organiser.entries.value;
  useEffect(() => {
    stop.current?.abort();
    setCurrent(idle);
  }, [entries]);
  useEffect(() => () => stop.current?.abort(), []);
  const start = (): void => {
    const abort = new AbortController();
    stop.current = abort;
    setCurrent({ ...idle, state: 'running' });
    assemble(entries, nameOf(entries), abort.signal, (sent, total) => {
      if (!abort.signal.aborted) setCurrent({ ...idle, state: 'running', sent: sent / Math.max(1, total) });
    }).then(
      (made) => abort.signal.aborted || setCurrent({ ...idle, state: 'done', made }),
      (error: unknown) => abort.signal.aborted || setCurrent({ ...idle, state: 'failed', problem: problemOf(error) }),
    );
  };
  const close = (): void => {
    stop.current?.abort();
    setCurrent(idle);
  };
  return { ...current, start, cancel: close, close };
}

function nameOf(entries: Entries): string {
  const first = entries.find(({ source }) => source !== undefined)?.source?.name ?? 'document.pdf';
  return `${first.replace(/\.pdf$/i, '')}_organised.pdf`;
}

/** Progress, the result with what can be done with it, or what went wrong. */
export function Result({ run }: { readonly run: RunState }) {
  const [shown, setShown] = useState(false);
  const [next, setNext] = useState(false);
  const { state, made, problem } = run;
  if (state === 'running')
    return (
      <div class="row">
        <div class="grow">
          <Progress
            label={run.sent < 1 ? t('Sending') : t('Putting the pages together')}
            value={run.sent < 1 ? run.sent : undefined}
          />
        </div>
        <Button onClick={run.cancel}>{t('Cancel')}</Button>
      </div>
    );
  if (problem instanceof SeveralPasswords)
    return (
      <Notice
        kind="error"
        actions={
          <LinkButton href="tool/security/remove-password" icon="lock-open">
            {t('Remove a password')}
          </LinkButton>
        }
      >
        <p>
          {t('These files have different passwords. Remove the password of all but one first, then add them again.')}
        </p>
      </Notice>
    );
  if (problem !== undefined)
    return <ProblemNotice problem={problem} actions={<Button onClick={run.start}>{t('Try again')}</Button>} />;
  if (made === undefined) return null;
  return (
    <>
      <Notice
        kind="done"
        title={t('“{name}” is ready', { name: made.file.name })}
        actions={
          <>
            <Button kind="primary" icon="download" onClick={() => saveFile(made.file, made.file.name)}>
              {t('Save')}
            </Button>
            <Button icon="eye" onClick={() => setShown(true)}>
              {t('Look at it')}
            </Button>
            <Button kind="quiet" icon="arrow-right" onClick={() => setNext(true)}>
              {t('Next tool with this file')}
            </Button>
          </>
        }
      >
        <p>
          {t.count(organiser.entries.value.length, '{count} page', '{count} pages')} · {formatBytes(made.file.size)}
        </p>
        {made.warnings === undefined ? null : <p>{made.warnings}</p>}
      </Notice>
      {next ? (
        <NextDialog
          from="general/assemble-pages"
          name={made.file.name}
          read={async () => [made.file]}
          onClose={() => setNext(false)}
        />
      ) : null}
      {shown ? (
        <Dialog title={made.file.name} size="large" onClose={() => setShown(false)}>
          <PdfView file={made.file} name={made.file.name} />
        </Dialog>
      ) : null}
    </>
  );
}
