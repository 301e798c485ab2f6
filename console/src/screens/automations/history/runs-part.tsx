import { useEffect, useState } from 'preact/hooks';
import { asProblem } from '../../../api/index.ts';
import { Button, Icon, LoadedView, Table, toast, useLoaded } from '../../../components/index.ts';
import { formatDate, formatDuration, formatList } from '../../../i18n/index.ts';
import { runLook, triggerWords } from '../looks.ts';
import { cancelRun, listRuns, type Automation, type FilesNews, type Run } from '../model/automation.ts';
import { t } from '../texts.ts';
import { RunDialog } from './run-dialog.tsx';

const FIRST_RUNS = 20;
const MOST_RUNS = 200;
const MOST_NAMES = 3;

interface RunsPartProps {
  readonly automation: Automation;
  /** Another object when there may be other runs. */
  readonly news: FilesNews | undefined;
}

/** The runs, the newest first, each with its job. */
export function RunsPart({ automation: { id, editable, folder }, news }: RunsPartProps) {
  const [most, setMost] = useState(FIRST_RUNS);
  const [opened, setOpened] = useState<Run | undefined>();
  const loaded = useLoaded((signal) => listRuns(id, most, signal), [id, most]);
  useEffect(() => void loaded.reload(), [news]);
  const cancel = async (run: Run): Promise<void> => {
    try {
      await cancelRun(id, run.id);
    } catch (error) {
      toast(asProblem(error).message, 'error');
    }
    await loaded.reload();
  };
  return (
    <section class="stack" data-part="runs">
      <h2>{t('Runs')}</h2>
      <LoadedView loaded={loaded}>
        {(runs) => (
          <>
            <Table<Run>
              label={t('Runs')}
              rows={runs}
              rowKey={(run) => run.id}
              empty={<p class="soft">{t('It has not run yet')}</p>}
              columns={[
                { id: 'state', label: t('State'), cell: (run) => <StateCell run={run} /> },
                {
                  id: 'files',
                  label: t('Files'),
                  cell: ({ inputs }) => <span class="break automation-names">{shortList(inputs)}</span>,
                },
                { id: 'results', label: t('Results'), cell: (run) => <ResultsCell run={run} /> },
                { id: 'trigger', label: t('Trigger'), cell: ({ trigger }) => triggerWords(trigger) },
                { id: 'started', label: t('Started'), cell: ({ startedAt }) => formatDate(startedAt) },
                { id: 'took', label: t('Duration'), number: true, cell: durationOf },
                {
                  id: 'actions',
                  label: t('Actions'),
                  quiet: true,
                  cell: (run) => (
                    <ActionsCell
                      run={run}
                      hasJob={folder === null}
                      onOpen={() => setOpened(run)}
                      {...(editable && { onCancel: () => void cancel(run) })}
                    />
                  ),
                },
              ]}
            />
            {runs.length < most || most >= MOST_RUNS ? null : (
              <div class="row">
                <Button onClick={() => setMost(MOST_RUNS)}>{t('Show older runs')}</Button>
              </div>
            )}
          </>
        )}
      </LoadedView>
      {opened === undefined ? null : <RunDialog run={opened} onClose={() => setOpened(undefined)} />}
    </section>
  );
}

function StateCell({ run: { state, detail } }: { readonly run: Run }) {
  const look = runLook(state);
  return (
    <span>
      <span class={`badge ${look.badge}`}>
        <Icon name={look.icon} size={14} />
        {look.label}
      </span>
      {detail === null || detail === '' ? null : (
        <span class="small automation-problem automation-line break" dir="auto">
          {detail}
        </span>
      )}
    </span>
  );
}

function ResultsCell({ run: { outputs, warnings } }: { readonly run: Run }) {
  return (
    <span class="break automation-names">
      {outputs.length === 0 ? t('None') : shortList(outputs.map(({ name }) => name))}
      {warnings.map((warning) => (
        <span key={warning} class="small soft automation-line" dir="auto">
          {warning}
        </span>
      ))}
    </span>
  );
}

interface ActionsCellProps {
  readonly run: Run;
  /** False where ids of runs are not those of jobs. */
  readonly hasJob: boolean;
  readonly onOpen: () => void;
  readonly onCancel?: () => void;
}

function ActionsCell({ run, hasJob, onOpen, onCancel }: ActionsCellProps) {
  const names = shortList(run.inputs);
  return (
    <span class="row">
      <Button size="small" aria-label={t('Show the run of {name}', { name: names })} data-open-run onClick={onOpen}>
        {t('Show')}
      </Button>
      {/* What was delivered is not kept twice: its job is gone. */}
      {!hasJob || run.outputs.some(({ places }) => places.length > 0) ? null : (
        <a href={`jobs/${encodeURIComponent(run.id)}`} aria-label={t('Job of {name}', { name: names })}>
          {t('Job')}
        </a>
      )}
      {run.state === 'running' && onCancel !== undefined ? (
        <Button size="small" icon="x" aria-label={t('Cancel the run of {name}', { name: names })} onClick={onCancel}>
          {t('Cancel')}
        </Button>
      ) : null}
    </span>
  );
}

function durationOf({ startedAt, endedAt }: Run): string {
  return endedAt === null ? '' : formatDuration(Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)));
}

function shortList(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return formatList(
    more <= 0 ? names : [...names.slice(0, MOST_NAMES), t.count(more, '{count} more file', '{count} more files')],
  );
}
