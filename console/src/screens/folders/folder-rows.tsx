import { Icon } from '../../components/index.ts';
import { formatDate, formatNumber } from '../../i18n/index.ts';
import { nameOf, stateLook, type WatchedFolder } from './facts.ts';
import { t } from './texts.ts';

/** The folders: what each does, how much it did, and what is wrong. */
export function FolderRows({ folders }: { readonly folders: readonly WatchedFolder[] }) {
  return (
    <ul class="folder-rows" aria-label={t('Watched folders')}>
      {folders.map((folder) => (
        <li key={folder.id} class="card folder-row">
          <p class="row">
            <a class="folder-link break" href={`folders/${folder.id}`}>
              {nameOf(folder)}
            </a>
            <StateBadge folder={folder} />
            <FailedBadge folder={folder} />
          </p>
          <p class="soft small break">{folder.pipeline?.name ?? t('No pipeline')}</p>
          {folder.problem === null ? null : (
            <p class="small break folder-problem" dir="auto">
              {folder.problem.detail}
            </p>
          )}
          <p class="soft small">{numbersOf(folder)}</p>
        </li>
      ))}
    </ul>
  );
}

export function StateBadge({ folder }: { readonly folder: WatchedFolder }) {
  const look = stateLook(folder);
  return (
    <span class={`badge ${look.badge}`}>
      <Icon name={look.icon} size={14} />
      {look.label}
    </span>
  );
}

function FailedBadge({ folder: { failedFiles } }: { readonly folder: WatchedFolder }) {
  return failedFiles === 0 ? null : (
    <span class="badge danger">{t.count(failedFiles, '{count} failed file', '{count} failed files')}</span>
  );
}

function numbersOf({ doneToday, failedToday, done, failed, lastRun }: WatchedFolder): string {
  const numbers = (all: number, bad: number) => ({ done: formatNumber(all), failed: formatNumber(bad) });
  return [
    t('Today: {done} finished, {failed} failed', numbers(doneToday, failedToday)),
    t('In all: {done} finished, {failed} failed', numbers(done, failed)),
    ...(lastRun === null ? [] : [t('Last run: {time}', { time: formatDate(lastRun.endedAt) })]),
  ].join(' · ');
}
