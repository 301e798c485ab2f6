import { useEffect, useState } from 'preact/hooks';
import {
  apiAddress,
  asProblem,
  callBlob,
  cancelJob,
  followJob,
  getJob,
  jobResult,
  loadCatalog,
  type Job,
  type Problem,
  type ResultFile,
} from '../../api/index.ts';
import { navigate } from '../../app/router.ts';
import { Button, Icon, Loading, Notice, ProblemNotice, Progress, toast } from '../../components/index.ts';
import { saveFile } from '../../files/index.ts';
import { formatDate } from '../../i18n/index.ts';
import { DocumentView, JsonValue } from '../../viewers/index.ts';
import { FileRows } from '../tool/run/file-rows.tsx';
import { NextDialog } from '../tool/next-dialog.tsx';
import { ReportView } from '../tool/report-view.tsx';
import { statusLook } from './job-names.ts';
import { t } from './texts.ts';

/** One job as it changes, its report, and its result. */
export function JobDetail({ jobId }: { readonly jobId: string }) {
  const [job, setJob] = useState<Job | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const [connected, setConnected] = useState(true);
  useEffect(() => {
    const stop = new AbortController();
    void loadCatalog();
    const load = async (): Promise<void> => {
      const found = await getJob(jobId);
      if (stop.signal.aborted) return;
      setJob(found);
      if (!found.complete) setJob(await followJob(jobId, stop.signal, setJob, setConnected));
    };
    load().catch((error: unknown) => {
      if (!stop.signal.aborted) setProblem(asProblem(error));
    });
    return () => stop.abort();
  }, [jobId]);
  return (
    <div class="page">
      <header class="page-head">
        <nav class="crumbs small" aria-label={t('You are here')}>
          <a href="jobs">{t('Jobs')}</a>
        </nav>
        <h1>{t('Job')}</h1>
        <p class="soft small">
          <code>{jobId}</code>
        </p>
      </header>
      {problem !== undefined ? (
        <ProblemNotice problem={problem} />
      ) : job === undefined ? (
        <Loading label={t('Loading')} />
      ) : (
        <JobBody job={job} connected={connected} />
      )}
    </div>
  );
}

function JobBody({ job, connected }: { readonly job: Job; readonly connected: boolean }) {
  const look = statusLook(job.status);
  const end = async (): Promise<void> => {
    try {
      await cancelJob(job.jobId);
      if (job.complete) navigate('jobs');
    } catch (error) {
      toast(asProblem(error).message, 'error');
    }
  };
  return (
    <>
      <section class="card stack">
        <div class="row between" role="status">
          <span class={`badge ${look.badge}`}>
            <Icon name={look.icon} size={14} />
            {look.label}
          </span>
          <Button kind="quiet" icon={job.complete ? 'trash-2' : 'x'} onClick={() => void end()}>
            {job.complete ? t('Delete the job and its files') : t('Cancel')}
          </Button>
        </div>
        {job.complete ? null : (
          <Progress
            label={
              !connected
                ? t('The connection is lost. Trying again …')
                : job.step === null
                  ? t('Working …')
                  : t('Step {number}', { number: job.step.index + 1 })
            }
            value={job.progress / 100}
          />
        )}
        {job.error === null ? null : (
          <Notice kind="error">
            <p dir="auto">{job.error}</p>
          </Notice>
        )}
        {job.notes.map((note) => (
          <p key={note} class="small break" dir="auto">
            {note}
          </p>
        ))}
        {job.expiresAt === null ? null : (
          <p class="soft small">{t('Kept until {time}', { time: formatDate(job.expiresAt) })}</p>
        )}
      </section>
      {job.status === 'succeeded' ? <JobResult job={job} /> : null}
    </>
  );
}

function JobResult({ job }: { readonly job: Job }) {
  const [chosen, setChosen] = useState(0);
  const [next, setNext] = useState(false);
  const header = useResultHeaders(job.jobId);
  const file = job.allResultFiles[chosen];
  return (
    <section class="card stack" aria-label={t('Result')}>
      {header === undefined ? null : <ReportView outcome={{ header }} />}
      {job.allResultFiles.length > 1 ? (
        <FileRows
          files={job.allResultFiles.map(({ fileName, fileSize }) => ({ name: fileName, size: fileSize }))}
          label={t('Result')}
          shown={chosen}
          onShow={setChosen}
        />
      ) : null}
      {file === undefined ? (
        job.result === null || job.result === undefined ? (
          <p>{t('The job has no file as its result.')}</p>
        ) : (
          <JsonValue value={job.result} />
        )
      ) : (
        <>
          <div class="row between">
            <h2 class="break">{file.fileName}</h2>
            <div class="row">
              <Button icon="arrow-right" onClick={() => setNext(true)}>
                {t('Next tool with this file')}
              </Button>
              <Button kind="primary" icon="download" onClick={() => void save(file)}>
                {t('Download')}
              </Button>
            </div>
          </div>
          <DocumentView source={apiAddress(pathOf(file))} name={file.fileName} />
        </>
      )}
      {next && file !== undefined ? (
        <NextDialog
          from=""
          name={file.fileName}
          read={async () => [new File([await callBlob(pathOf(file))], file.fileName, { type: file.contentType })]}
          onClose={() => setNext(false)}
        />
      ) : null}
    </section>
  );
}

const pathOf = ({ fileId }: ResultFile): string => `general/files/${encodeURIComponent(fileId)}`;

async function save(file: ResultFile): Promise<void> {
  try {
    saveFile(await callBlob(pathOf(file)), file.fileName);
  } catch (error) {
    toast(asProblem(error).message, 'error');
  }
}

/** The headers of the result, which say what the tool reports; its body is not read. */
function useResultHeaders(jobId: string): ((name: string) => string | null) | undefined {
  const [headers, setHeaders] = useState<Headers | undefined>();
  useEffect(() => {
    const stop = new AbortController();
    jobResult(jobId, stop.signal)
      .then((answer) => {
        setHeaders(answer.headers);
        stop.abort();
      })
      // The files are shown all the same.
      .catch(() => undefined);
    return () => stop.abort();
  }, [jobId]);
  return headers === undefined ? undefined : (name) => headers.get(name);
}
