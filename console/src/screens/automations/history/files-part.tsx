import { useState } from 'preact/hooks';
import { asProblem, type Problem } from '../../../api/index.ts';
import { Button, Field, Icon, Loading, ProblemNotice, Select, toast } from '../../../components/index.ts';
import { formatBytes, formatDate, formatNumber } from '../../../i18n/index.ts';
import { fileLook } from '../looks.ts';
import {
  fileStates,
  retryFiles,
  type Automation,
  type AutomationFile,
  type FilesNews,
  type FileState,
} from '../model/automation.ts';
import { t } from '../texts.ts';
import { useFiles } from './use-files.ts';

interface FilesPartProps {
  readonly automation: Automation;
  readonly news: FilesNews | undefined;
  readonly problem: Problem | undefined;
}

/** The files: where each is, why it waits or is parked, and where its results are. */
export function FilesPart({ automation: { id, folder }, news, problem: lost }: FilesPartProps) {
  const [state, setState] = useState<FileState | undefined>();
  const [busy, setBusy] = useState(false);
  const { files, problem: refused, more } = useFiles(id, state, news);
  const problem = lost ?? refused;
  const retry = async (file?: string): Promise<void> => {
    setBusy(true);
    try {
      const { count } = await retryFiles(id, file);
      toast(t.count(count, '{count} file is processed again', '{count} files are processed again'));
    } catch (error) {
      toast(asProblem(error).message, 'error');
    } finally {
      setBusy(false);
    }
  };
  const counts = news?.counts;
  const all = fileStates.reduce((sum, one) => sum + (counts?.[one] ?? 0), 0);
  const option = (value: string, label: string, count: number) => ({
    value,
    label: `${label} (${formatNumber(count)})`,
  });
  return (
    <section class="stack" data-part="files">
      <div class="row between">
        <h2>{t('Files')}</h2>
        {counts === undefined || counts.parked === 0 ? null : (
          <Button icon="rotate-ccw" busy={busy} data-retry-all onClick={() => void retry()}>
            {t('Retry all')}
          </Button>
        )}
      </div>
      <div class="automation-filter" data-field="state">
        <Field label={t('State')}>
          {(control) => (
            <Select
              control={control}
              value={state ?? ''}
              options={[
                option('', t('All'), all),
                ...fileStates.map((one) => option(one, fileLook(one).label, counts?.[one] ?? 0)),
              ]}
              onValue={(value) => setState(value === '' ? undefined : (value as FileState))}
            />
          )}
        </Field>
      </div>
      {problem !== undefined ? (
        <ProblemNotice problem={problem} />
      ) : files === undefined ? (
        <Loading label={t('Loading')} />
      ) : files.length === 0 ? (
        <p class="soft">{state === undefined ? t('No file has come yet.') : t('No file is in this state.')}</p>
      ) : (
        <ul class="automation-rows" aria-label={t('Files')}>
          {files.map((file) => (
            <FileRow
              key={file.id}
              file={file}
              hasJob={folder === null}
              busy={busy}
              onRetry={() => void retry(file.id)}
            />
          ))}
        </ul>
      )}
      {more === undefined ? null : (
        <div class="row">
          <Button onClick={() => void more()}>{t('Show older files')}</Button>
        </div>
      )}
    </section>
  );
}

interface FileRowProps {
  readonly file: AutomationFile;
  /** False where ids of runs are not those of jobs. */
  readonly hasJob: boolean;
  readonly busy: boolean;
  readonly onRetry: () => void;
}

function FileRow({ file, hasJob, busy, onRetry }: FileRowProps) {
  const { name, size, state, since, nextAttempt, jobId, reason, places } = file;
  const look = fileLook(state);
  return (
    <li class="card automation-row automation-file" data-file={name}>
      <div class="grow">
        <p class="row">
          <strong class="break">
            <bdi>{name === '' ? t('Without a name') : name}</bdi>
          </strong>
          <span class={`badge ${look.badge}`}>
            <Icon name={look.icon} size={14} />
            {look.label}
          </span>
        </p>
        {reason === null ? null : (
          <p class={`small break ${state === 'parked' ? 'automation-problem' : 'soft'}`} dir="auto">
            {reason.detail === '' ? reason.code : reason.detail}
          </p>
        )}
        {places.map((place) => (
          <p key={place} class="small break">
            <Icon name="send" size={14} /> <bdi>{place}</bdi>
          </p>
        ))}
        <p class="soft small">
          {[
            formatBytes(size),
            formatDate(since),
            ...(nextAttempt === null || reason === null
              ? []
              : [t('Next attempt: {time}', { time: formatDate(nextAttempt) })]),
          ].join(' · ')}
          {/* What was delivered is not kept twice: its job is gone. */}
          {jobId === null || places.length > 0 || !hasJob ? null : (
            <>
              {' · '}
              <a href={`jobs/${encodeURIComponent(jobId)}`} aria-label={t('Job of {name}', { name })}>
                {t('Job')}
              </a>
            </>
          )}
        </p>
      </div>
      {state === 'parked' ? (
        <Button
          size="small"
          icon="rotate-ccw"
          disabled={busy}
          aria-label={t('Retry {name}', { name })}
          onClick={onRetry}
        >
          {t('Retry')}
        </Button>
      ) : null}
    </li>
  );
}
