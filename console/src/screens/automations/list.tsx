import { useState } from 'preact/hooks';
import { asProblem, user } from '../../api/index.ts';
import { Button, Empty, Icon, LinkButton, LoadedView, Switch, toast, type Loaded } from '../../components/index.ts';
import { formatDate, formatNumber } from '../../i18n/index.ts';
import { HealthWords } from './health.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { runLook } from './looks.ts';
import { switchAutomation, type Automation, type SourceRow } from './model/automation.ts';
import type { Listed, Shown } from './model/list-feed.ts';
import { mayChange } from './model/rights.ts';
import { SourcesPart } from './sources-part.tsx';
import { t } from './texts.ts';
import { useListFeed } from './use-list-feed.ts';

/** All automations: what they are doing, what is wrong, and whether they are on. */
export function AutomationList() {
  const loaded = useListFeed();
  const [importing, setImporting] = useState(false);
  const isEmpty = loaded.data?.listed.length === 0;
  return (
    <div class="page">
      <header class="row between">
        <div class="page-head">
          <h1>{t('Automations')}</h1>
          <p class="soft">
            {t('Pipelines that run by themselves: on files that arrive, on a schedule, or at a click.')}
          </p>
        </div>
        {mayChange() ? (
          <div class="row">
            <Button icon="upload" onClick={() => setImporting(true)}>
              {t('Import')}
            </Button>
            {isEmpty ? null : (
              <LinkButton kind="primary" icon="plus" href="automations/new">
                {t('New automation')}
              </LinkButton>
            )}
          </div>
        ) : null}
      </header>
      {importing ? <ImportDialog onClose={() => setImporting(false)} onImported={() => void loaded.reload()} /> : null}
      <LoadedView loaded={loaded}>
        {({ listed, sources }) => (
          <>
            {listed.length === 0 ? (
              <NoneYet />
            ) : (
              <ul class="automation-rows" aria-label={t('Automations')}>
                {listed.map((each) => (
                  <AutomationRow key={each.automation.id} listed={each} sources={sources} loaded={loaded} />
                ))}
              </ul>
            )}
            {sources.length === 0 ? null : <SourcesPart sources={sources} reload={loaded.reload} />}
          </>
        )}
      </LoadedView>
    </div>
  );
}

function NoneYet() {
  return (
    <Empty icon="zap" title={t('There is no automation yet')}>
      <p class="soft automation-words">
        {t('An automation takes files from a source, runs a saved pipeline on each, and delivers the results.')}{' '}
        {t('Every file is delivered once, or kept with the reason why not.')}
      </p>
      <div class="row">
        {mayChange() ? (
          <LinkButton kind="primary" icon="plus" href="automations/new">
            {t('New automation')}
          </LinkButton>
        ) : null}
        <LinkButton icon="workflow" href="pipelines">
          {t('Build a pipeline')}
        </LinkButton>
      </div>
    </Empty>
  );
}

interface RowProps {
  readonly listed: Listed;
  readonly sources: readonly SourceRow[];
  readonly loaded: Loaded<Shown>;
}

function AutomationRow({ listed: { automation, lastRun, waiting }, sources, loaded }: RowProps) {
  const [busy, setBusy] = useState(false);
  const { id, name, enabled, editable, folder, description } = automation;
  const change = async (on: boolean): Promise<void> => {
    setBusy(true);
    try {
      await switchAutomation(automation, on);
    } catch (error) {
      toast(asProblem(error).message, 'error');
    }
    await loaded.reload();
    setBusy(false);
  };
  return (
    <li class="card automation-row" data-automation={id}>
      <div class="grow">
        <p class="row">
          <a class="automation-link break" href={`automations/${id}`}>
            {name}
          </a>
          <HealthBadges automation={automation} />
          {folder === null ? null : <FolderBadge id={folder.id} />}
          <StoredFolderBadge automation={automation} />
        </p>
        {description === '' ? null : <p class="soft small break automation-clamp">{description}</p>}
        <HealthWords automation={automation} sources={sources} waiting={waiting} />
        <p class="soft small">
          {lastRun === null
            ? t('It has not run yet')
            : t('Last run: {time}, {state}', {
                time: formatDate(lastRun.startedAt),
                state: runLook(lastRun.state).label,
              })}
        </p>
      </div>
      <Switch
        label={t('{name} is switched on', { name })}
        checked={enabled}
        disabled={busy || !editable}
        onChecked={(on) => void change(on)}
      />
    </li>
  );
}

/** Leads to the watched folder that an automation is. */
export function FolderBadge({ id }: { readonly id: string }) {
  return (
    <a class="badge" href={`folders/${encodeURIComponent(id)}`}>
      <Icon name="folder-sync" size={14} />
      {t('Watched folders')}
    </a>
  );
}

/** Says that an automation processes a stored folder, and leads there if the folder is one's own. */
export function StoredFolderBadge({
  automation,
}: {
  readonly automation: Pick<Automation, 'owner' | 'storageFolder'>;
}) {
  const { storageFolder } = automation;
  if (storageFolder === null) return null;
  const words = (
    <>
      <Icon name="folder-closed" size={14} />
      {t('Files')}
    </>
  );
  if (!isOwn(automation)) return <span class="badge">{words}</span>;
  return (
    <a class="badge" href={`files/${encodeURIComponent(storageFolder)}`}>
      {words}
    </a>
  );
}

/** Whether it belongs to who is logged in. */
export function isOwn({ owner }: Pick<Automation, 'owner'>): boolean {
  return user.value?.username === owner;
}

/** Whether it is on and well, and how many files wait or are parked. */
export function HealthBadges({
  automation,
}: {
  readonly automation: Pick<Automation, 'enabled' | 'files' | 'problems'>;
}) {
  const { enabled, files, problems } = automation;
  const atWork = files.running + files.delivering;
  const isWell = problems.length === 0 && files.parked === 0;
  return (
    <>
      {!enabled ? (
        <span class="badge">
          <Icon name="circle-slash" size={14} />
          {t('Off')}
        </span>
      ) : problems.length > 0 ? (
        <span class="badge danger">
          <Icon name="circle-alert" size={14} />
          {t('Needs attention')}
        </span>
      ) : isWell ? (
        <span class="badge done">
          <Icon name="circle-check" size={14} />
          {t('Healthy')}
        </span>
      ) : null}
      {files.parked === 0 ? null : (
        <span class="badge danger">{t.count(files.parked, '{count} parked file', '{count} parked files')}</span>
      )}
      {files.waiting === 0 ? null : (
        <span class="badge accent">{t('Waiting: {number}', { number: formatNumber(files.waiting) })}</span>
      )}
      {atWork === 0 ? null : (
        <span class="badge accent">{t('Being processed: {number}', { number: formatNumber(atWork) })}</span>
      )}
    </>
  );
}
