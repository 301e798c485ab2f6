import { useState } from 'preact/hooks';
import { asProblem } from '../../api/index.ts';
import { Button, IconButton, Loading, ProblemNotice, toast } from '../../components/index.ts';
import { formatBytes, formatDate, formatList } from '../../i18n/index.ts';
import { addressOf, forget, retry, type FailedFile, type Retried } from './facts.ts';
import { t } from './texts.ts';
import { usePages } from './use-folders.ts';

interface FailedFilesProps {
  readonly folder: string;
  /** Changes when the list may have changed. */
  readonly version: string;
}

const MOST_NAMES = 3;

/** Failed files with the reason; each, or all, can be processed again. */
export function FailedFiles({ folder, version }: FailedFilesProps) {
  const { items, problem, reload, more } = usePages<FailedFile>(addressOf(folder, 'failed'), 'files', version);
  const [busy, setBusy] = useState(false);
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      toast(asProblem(error).message, 'error');
    }
    await reload();
    setBusy(false);
  };
  return (
    <section class="stack" aria-labelledby="failed-files">
      <div class="row between">
        <h2 id="failed-files">{t('Failed files')}</h2>
        {items === undefined || items.length === 0 ? null : (
          <Button icon="rotate-ccw" busy={busy} onClick={() => void attempt(async () => report(await retry(folder)))}>
            {t('Retry all')}
          </Button>
        )}
      </div>
      {problem !== undefined ? <ProblemNotice problem={problem} /> : null}
      {items === undefined ? (
        problem === undefined ? (
          <Loading label={t('Loading')} />
        ) : null
      ) : items.length === 0 ? (
        <p class="soft">{t('No failed files')}</p>
      ) : (
        <ul class="folder-rows" aria-label={t('Failed files')}>
          {items.map((file) => (
            <FailedRow
              key={file.id}
              file={file}
              busy={busy}
              onRetry={() => void attempt(async () => report(await retry(folder, file.id)))}
              onForget={() => void attempt(() => forget(folder, file.id))}
            />
          ))}
        </ul>
      )}
      {more === undefined ? null : (
        <div class="row">
          <Button onClick={() => void more()}>{t('Show more failed files')}</Button>
        </div>
      )}
    </section>
  );
}

interface FailedRowProps {
  readonly file: FailedFile;
  readonly busy: boolean;
  readonly onRetry: () => void;
  readonly onForget: () => void;
}

function FailedRow({ file, busy, onRetry, onForget }: FailedRowProps) {
  const { name, keptAs, bytes, failedAt, here, error } = file;
  return (
    <li class="card folder-failed">
      <div class="grow">
        <p class="break">
          <strong>{name}</strong>
        </p>
        <p class="small break folder-problem" dir="auto">
          {error.detail}
        </p>
        <p class="soft small break">
          <bdi>{here === false ? t('No longer at {place}', { place: keptAs }) : keptAs}</bdi> {' · '}{' '}
          {formatBytes(bytes)} {' · '}
          {formatDate(failedAt)}
        </p>
      </div>
      <div class="row">
        <Button
          size="small"
          icon="rotate-ccw"
          disabled={busy || here === false}
          aria-label={t('Retry {name}', { name })}
          onClick={onRetry}
        >
          {t('Retry')}
        </Button>
        <IconButton
          icon="x"
          label={t('Forget {name}; the file stays where it is', { name })}
          busy={busy}
          onClick={onForget}
        />
      </div>
    </li>
  );
}

/** Says what was put back to work, and what could not be. */
function report({ retried, gone }: Retried): void {
  if (retried.length > 0)
    toast(t.count(retried.length, '{count} file is processed again', '{count} files are processed again'));
  if (gone.length === 0) return;
  const names = formatList(gone.length > MOST_NAMES ? [...gone.slice(0, MOST_NAMES), '…'] : gone);
  toast(t('No longer where they were: {names}', { names }), 'error');
}
