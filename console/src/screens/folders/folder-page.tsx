import { useEffect } from 'preact/hooks';
import { callJson } from '../../api/index.ts';
import { LoadedView, Notice, useLoaded } from '../../components/index.ts';
import { formatDate, formatNumber } from '../../i18n/index.ts';
import { addressOf, nameOf, type FolderDetail, type FolderList, type WatchedFolder } from './facts.ts';
import { FailedFiles } from './failed-files.tsx';
import { StateBadge } from './folder-rows.tsx';
import { PipelineCard } from './pipeline-card.tsx';
import { RunHistory } from './run-history.tsx';
import { t } from './texts.ts';
import { ToAutomation } from './to-automation.tsx';

/** One folder: what is wrong, failed files, its history and its pipeline. */
export function FolderPage({ id, list }: { readonly id: string; readonly list: FolderList }) {
  const loaded = useLoaded<FolderDetail>((signal) => callJson<FolderDetail>(addressOf(id), { signal }), [id]);
  const live = list.folders.find((folder) => folder.id === id);
  // A folder that is not on the list, because it is too long, is loaded with every change of another.
  const version = live === undefined ? JSON.stringify(list) : JSON.stringify(live);
  useEffect(() => void loaded.reload(), [version]);
  return (
    <>
      <nav class="crumbs small" aria-label={t('You are here')}>
        <a href="folders">{t('Watched folders')}</a>
      </nav>
      <LoadedView loaded={loaded}>
        {(detail) => <FolderBody detail={{ ...detail, ...live }} onMade={() => void loaded.reload()} />}
      </LoadedView>
    </>
  );
}

function FolderBody({ detail, onMade }: { readonly detail: FolderDetail; readonly onMade: () => void }) {
  const { id, done, failed, failedFiles, lastRun } = detail;
  const history = `${done} ${failed} ${lastRun?.id ?? ''}`;
  return (
    <>
      <header class="page-head">
        <div class="row">
          <h1 class="break">{nameOf(detail)}</h1>
          <StateBadge folder={detail} />
        </div>
        <ToAutomation folder={id} possible={detail.definition !== null} onMade={onMade} />
      </header>
      <ProblemOf folder={detail} />
      <Numbers folder={detail} />
      <FailedFiles folder={id} version={`${history} ${failedFiles}`} />
      <RunHistory folder={id} version={history} />
      <PipelineCard definition={detail.definition} />
    </>
  );
}

function ProblemOf({ folder: { problem } }: { readonly folder: WatchedFolder }) {
  if (problem === null) return null;
  return (
    <Notice kind="warning" title={t('The files in this folder wait')}>
      <p class="break" dir="auto">
        {problem.detail}
      </p>
      {problem.errors.length === 0 ? null : (
        <ul class="small">
          {problem.errors.map(({ pointer, detail }) => (
            <li key={`${pointer} ${detail}`} class="break" dir="auto">
              <code>{pointer}</code> {detail}
            </li>
          ))}
        </ul>
      )}
      <p class="soft small">{t('Since {time}', { time: formatDate(problem.since) })}</p>
    </Notice>
  );
}

function Numbers({ folder }: { readonly folder: WatchedFolder }) {
  const numbers = [
    [t('Finished today'), folder.doneToday],
    [t('Failed today'), folder.failedToday],
    [t('Finished in all'), folder.done],
    [t('Failed in all'), folder.failed],
    [t('Waiting'), folder.waiting],
  ] as const;
  return (
    <dl class="card folder-numbers">
      {numbers.map(([label, value]) => (
        <div key={label}>
          <dt class="soft small">{label}</dt>
          <dd>{formatNumber(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
