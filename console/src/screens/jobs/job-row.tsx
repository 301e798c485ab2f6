import { useState } from 'preact/hooks';
import { asProblem, callBlob, cancelJob, jobResult, operationOf, type ListedJob } from '../../api/index.ts';
import { Icon, IconButton, Progress, toast, ToolIcon } from '../../components/index.ts';
import { fileNameOf, saveFile } from '../../files/index.ts';
import { formatBytes, formatDate, formatDuration, formatList } from '../../i18n/index.ts';
import { iconOf, statusLook, titleOf } from './job-names.ts';
import { t } from './texts.ts';

const MOST_NAMES = 3;

/** One job: what, of which files, how far, how long, and what can be done with it. */
export function JobRow({ job, everyone }: { readonly job: ListedJob; readonly everyone: boolean }) {
  const look = statusLook(job.status);
  return (
    <li class="job card">
      <span class="tool-icon">
        <ToolIcon icon={iconOf(job)} />
      </span>
      <div class="job-text">
        <p class="row">
          <a class="job-title" href={`jobs/${encodeURIComponent(job.jobId)}`}>
            {titleOf(job)}
          </a>
          <span class={`badge ${look.badge}`}>
            <Icon name={look.icon} size={14} />
            {look.label}
          </span>
        </p>
        <p class="soft small break">{namesOf(job)}</p>
        {job.status === 'running' ? <Progress label={stepWords(job)} value={job.progress / 100} /> : null}
        {job.error === null ? null : (
          <p class="small break job-error" dir="auto">
            {job.error}
          </p>
        )}
        <p class="soft small">{timesOf(job, everyone)}</p>
      </div>
      <JobActions job={job} />
    </li>
  );
}

function namesOf({ inputs }: ListedJob): string {
  if (inputs.length === 0) return t('No file');
  const more = inputs.length - MOST_NAMES;
  return more <= 1
    ? formatList(inputs)
    : formatList([...inputs.slice(0, MOST_NAMES), t.count(more, '{count} more file', '{count} more files')]);
}

function stepWords({ step }: ListedJob): string {
  return step === null ? t('Working …') : t('Step {number}', { number: step.index + 1 });
}

function timesOf(
  { createdAt, startedAt, completedAt, queuePosition, startedBy, files }: ListedJob,
  everyone: boolean,
): string {
  const took = startedAt !== null && completedAt !== null ? Date.parse(completedAt) - Date.parse(startedAt) : undefined;
  const bytes = files.reduce((sum, { fileSize }) => sum + fileSize, 0);
  return [
    formatDate(createdAt),
    ...(everyone && startedBy !== null ? [startedBy] : []),
    ...(queuePosition === null ? [] : [t('Place {position} in the queue', { position: queuePosition + 1 })]),
    ...(took === undefined ? [] : [formatDuration(Math.max(took, 0))]),
    ...(files.length === 0
      ? []
      : [
          files.length === 1
            ? formatBytes(bytes)
            : `${t.count(files.length, '{count} file', '{count} files')}, ${formatBytes(bytes)}`,
        ]),
  ].join(' · ');
}

function JobActions({ job }: { readonly job: ListedJob }) {
  const [busy, setBusy] = useState(false);
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      toast(asProblem(error).message, 'error');
    } finally {
      setBusy(false);
    }
  };
  const title = titleOf(job);
  const ended = job.completedAt !== null;
  return (
    <div class="job-actions">
      {job.status === 'succeeded' && job.files.length > 0 ? (
        <IconButton
          icon="download"
          label={t('Download the result of {job}', { job: title })}
          busy={busy}
          onClick={() => void attempt(() => download(job))}
        />
      ) : null}
      {job.status === 'failed' && operationOf(job.path) !== undefined ? (
        <a
          class="button quiet normal icon-button"
          href={`tool/${job.path}`}
          aria-label={t('Open the tool again: {job}', { job: title })}
          title={t('Open the tool again: {job}', { job: title })}
        >
          <Icon name="rotate-ccw" size={18} />
        </a>
      ) : null}
      <IconButton
        icon={ended ? 'trash-2' : 'x'}
        label={ended ? t('Delete {job}', { job: title }) : t('Cancel {job}', { job: title })}
        busy={busy}
        onClick={() => void attempt(() => cancelJob(job.jobId))}
      />
    </div>
  );
}

/** The result of a job: its only file, or the zip of all. */
async function download({ jobId, files }: ListedJob): Promise<void> {
  const [only] = files;
  if (files.length === 1 && only !== undefined)
    return saveFile(await callBlob(`general/files/${encodeURIComponent(only.fileId)}`), only.fileName);
  const answer = await jobResult(jobId);
  saveFile(await answer.blob(), fileNameOf(answer.headers.get('content-disposition')) ?? 'results.zip');
}
