import { Button, Icon, Loading, ProblemNotice, Table } from '../../components/index.ts';
import { formatDate, formatDuration, formatList } from '../../i18n/index.ts';
import { addressOf, outcomeLook, type FolderRun } from './facts.ts';
import { t } from './texts.ts';
import { usePages } from './use-folders.ts';

interface RunHistoryProps {
  readonly folder: string;
  /** Changes when a run has ended. */
  readonly version: string;
}

const MOST_NAMES = 3;

/** The runs that have ended, newest first. */
export function RunHistory({ folder, version }: RunHistoryProps) {
  const { items, problem, more } = usePages<FolderRun>(addressOf(folder, 'runs'), 'runs', version);
  return (
    <section class="stack">
      <h2>{t('History')}</h2>
      {problem !== undefined ? (
        <ProblemNotice problem={problem} />
      ) : items === undefined ? (
        <Loading label={t('Loading')} />
      ) : (
        <Table<FolderRun>
          label={t('History')}
          rows={items}
          rowKey={({ id }) => id}
          empty={<p class="soft">{t('No run has ended yet.')}</p>}
          columns={[
            { id: 'outcome', label: t('Outcome'), cell: (run) => <OutcomeCell run={run} /> },
            { id: 'files', label: t('Files'), cell: (run) => <FilesCell run={run} /> },
            { id: 'results', label: t('Results'), cell: (run) => <ResultsCell run={run} /> },
            { id: 'ended', label: t('Ended'), cell: ({ endedAt }) => formatDate(endedAt) },
            { id: 'took', label: t('Duration'), number: true, cell: ({ ms }) => formatDuration(ms) },
          ]}
        />
      )}
      {more === undefined ? null : (
        <div class="row">
          <Button onClick={() => void more()}>{t('Show older runs')}</Button>
        </div>
      )}
    </section>
  );
}

function OutcomeCell({ run: { outcome, retry } }: { readonly run: FolderRun }) {
  const look = outcomeLook(outcome);
  return (
    <span class="row">
      <span class={`badge ${look.badge}`}>
        <Icon name={look.icon} size={14} />
        {look.label}
      </span>
      {retry ? <span class="badge">{t('Retried')}</span> : null}
    </span>
  );
}

function FilesCell({ run: { files, fileCount } }: { readonly run: FolderRun }) {
  const failed = files.filter(({ error }) => error !== undefined);
  return (
    <span class="break">
      {shortList(
        files.map(({ name }) => name),
        fileCount,
      )}
      {failed.slice(0, MOST_NAMES).map(({ name, error }) =>
        error === undefined ? null : (
          <span key={name} class="small folder-problem folder-line" dir="auto">
            {files.length > 1 ? `${name}: ` : ''}
            {error.detail}
          </span>
        ),
      )}
    </span>
  );
}

function ResultsCell({ run: { outputs, outputCount, warnings } }: { readonly run: FolderRun }) {
  return (
    <span class="break">
      {outputCount === 0 ? t('None') : shortList(outputs, outputCount)}
      {warnings.map((warning) => (
        <span key={warning} class="small soft folder-line" dir="auto">
          {warning}
        </span>
      ))}
    </span>
  );
}

function shortList(names: readonly string[], count: number): string {
  const shown = names.slice(0, MOST_NAMES);
  const more = count - shown.length;
  return formatList(more === 0 ? shown : [...shown, t.count(more, '{count} more file', '{count} more files')]);
}
