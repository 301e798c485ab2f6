import { useEffect, useState } from 'preact/hooks';
import {
  asProblem,
  config,
  followJobList,
  listJobs,
  loadCatalog,
  type JobList,
  type ListedJob,
  type Problem,
} from '../../api/index.ts';
import { place, setQuery } from '../../app/router.ts';
import { Button, Empty, Icon, LinkButton, Loading, ProblemNotice, Segments } from '../../components/index.ts';
import { JobRow } from './job-row.tsx';
import { t } from './texts.ts';

const PAGE = 50;
const FILTERS = ['', 'running', 'queued', 'succeeded', 'failed'] as const;

/** Jobs, newest first, as they change; older ones on demand. */
export function JobsList() {
  const asked = place.value.query.get('status') ?? '';
  const status = FILTERS.find((each) => each === asked) ?? '';
  const everyone = place.value.query.get('everyone') === 'true' && config.value?.isAdmin === true;
  const { list, older, connected, problem, loadOlder } = useJobs(status, everyone);
  const jobs = list === undefined ? [] : [...list.jobs, ...older.jobs];
  const next = older.jobs.length === 0 ? list?.next : older.next;
  return (
    <div class="page">
      <header class="page-head">
        <h1>{t('Jobs')}</h1>
        <p class="soft">{t('Work that runs in the background. Results are kept for a while, then deleted.')}</p>
      </header>
      <div class="row between">
        <Segments
          label={t('Status')}
          value={status}
          onValue={(value) => setQuery({ status: value })}
          options={[
            { value: '', label: t('All') },
            { value: 'running', label: t('Running') },
            { value: 'queued', label: t('Waiting') },
            { value: 'succeeded', label: t('Finished') },
            { value: 'failed', label: t('Failed') },
          ]}
        />
        {config.value?.enableLogin === true && config.value.isAdmin ? (
          <label class="check">
            <input
              type="checkbox"
              checked={everyone}
              onChange={(event) => setQuery({ everyone: event.currentTarget.checked ? 'true' : undefined })}
            />
            {t('Jobs of all users')}
          </label>
        ) : null}
      </div>
      {connected ? null : (
        <p class="row soft" role="status">
          <Icon name="cloud-off" size={18} />
          {t('The connection is lost. Trying again …')}
        </p>
      )}
      {problem !== undefined ? (
        <ProblemNotice problem={problem} />
      ) : list === undefined ? (
        <Loading label={t('Loading')} />
      ) : jobs.length === 0 ? (
        <NoJobs filtered={status !== ''} />
      ) : (
        <ul class="job-list" aria-label={t('Jobs')}>
          {jobs.map((job) => (
            <JobRow key={job.jobId} job={job} everyone={everyone} />
          ))}
        </ul>
      )}
      {next === null || next === undefined ? null : (
        <div class="row">
          <Button onClick={() => void loadOlder(next)}>{t('Show older jobs')}</Button>
        </div>
      )}
    </div>
  );
}

function NoJobs({ filtered }: { readonly filtered: boolean }) {
  return filtered ? (
    <Empty icon="list-filter" title={t('No job with this status')}>
      <Button onClick={() => setQuery({ status: undefined })}>{t('Show all jobs')}</Button>
    </Empty>
  ) : (
    <Empty icon="list-checks" title={t('No jobs')}>
      <p class="soft">{t('A tool that takes longer than a few seconds becomes a job and appears here.')}</p>
      <LinkButton kind="primary" href="./">
        {t('Show all tools')}
      </LinkButton>
    </Empty>
  );
}

const NONE: JobList = { jobs: [], next: null };

/** Follows the newest jobs; `older` has those that were asked for, less those that are gone from the list. */
function useJobs(status: string, everyone: boolean) {
  const [list, setList] = useState<JobList | undefined>();
  const [older, setOlder] = useState<JobList>(NONE);
  const [connected, setConnected] = useState(true);
  const [problem, setProblem] = useState<Problem | undefined>();
  const query = {
    limit: PAGE,
    status: status === '' ? undefined : status,
    ...(everyone ? { everyone: true as const } : {}),
  };
  useEffect(() => {
    const stop = new AbortController();
    setList(undefined);
    setOlder(NONE);
    setProblem(undefined);
    void loadCatalog();
    followJobList(query, stop.signal, setList, setConnected).catch((error: unknown) => setProblem(asProblem(error)));
    return () => stop.abort();
  }, [status, everyone]);
  const loadOlder = async (before: number): Promise<void> => {
    try {
      const page = await listJobs({ ...query, before });
      setOlder(({ jobs }) => ({ jobs: [...jobs, ...page.jobs], next: page.next }));
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return { list, older: withoutRepeated(list, older), connected, problem, loadOlder };
}

/** A job that was added meanwhile moves the others on: some are in both. */
function withoutRepeated(list: JobList | undefined, older: JobList): JobList {
  const known = new Set(list?.jobs.map(({ jobId }) => jobId));
  return { ...older, jobs: older.jobs.filter(({ jobId }: ListedJob) => !known.has(jobId)) };
}
