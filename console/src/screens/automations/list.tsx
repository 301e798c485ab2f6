import { useState } from 'preact/hooks';
import { asProblem } from '../../api/index.ts';
import {
  Button,
  Empty,
  Icon,
  LinkButton,
  LoadedView,
  Switch,
  toast,
  useLoaded,
  type Loaded,
} from '../../components/index.ts';
import { formatDate, formatNumber } from '../../i18n/index.ts';
import { ImportDialog } from './import-dialog.tsx';
import { runLook } from './looks.ts';
import { listAutomations, listRuns, switchAutomation, type Automation, type Run } from './model/automation.ts';
import { t } from './texts.ts';

/** More last runs than these are not asked for. */
const MOST_RUNS = 50;

interface Listed {
  readonly automation: Automation;
  readonly lastRun: Run | undefined;
}

/** All automations: what they are doing, what is wrong, and whether they are on. */
export function AutomationList() {
  const loaded = useLoaded<readonly Listed[]>(async (signal) => {
    const automations = await listAutomations(signal);
    const runs = await Promise.all(automations.slice(0, MOST_RUNS).map(({ id }) => listRuns(id, 1, signal)));
    return automations.map((automation, i) => ({ automation, lastRun: runs[i]?.[0] }));
  }, []);
  const [importing, setImporting] = useState(false);
  const isEmpty = loaded.data?.length === 0;
  return (
    <div class="page">
      <header class="row between">
        <div class="page-head">
          <h1>{t('Automations')}</h1>
          <p class="soft">
            {t('Pipelines that run by themselves: on files that arrive, on a schedule, or at a click.')}
          </p>
        </div>
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
      </header>
      {importing ? <ImportDialog onClose={() => setImporting(false)} onImported={() => void loaded.reload()} /> : null}
      <LoadedView loaded={loaded}>
        {(listed) =>
          listed.length === 0 ? (
            <NoneYet />
          ) : (
            <ul class="automation-rows" aria-label={t('Automations')}>
              {listed.map((each) => (
                <AutomationRow key={each.automation.id} listed={each} loaded={loaded} />
              ))}
            </ul>
          )
        }
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
        <LinkButton kind="primary" icon="plus" href="automations/new">
          {t('New automation')}
        </LinkButton>
        <LinkButton icon="workflow" href="pipelines">
          {t('Build a pipeline')}
        </LinkButton>
      </div>
    </Empty>
  );
}

interface RowProps {
  readonly listed: Listed;
  readonly loaded: Loaded<readonly Listed[]>;
}

function AutomationRow({ listed: { automation, lastRun }, loaded }: RowProps) {
  const [busy, setBusy] = useState(false);
  const { id, name, enabled, editable, description, problems, nextStart } = automation;
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
        </p>
        {description === '' ? null : <p class="soft small break automation-clamp">{description}</p>}
        {problems.map(({ source, detail }) => (
          <p key={source} class="small break automation-problem" dir="auto">
            {detail}
          </p>
        ))}
        <p class="soft small">
          {[
            lastRun === undefined
              ? t('It has not run yet')
              : t('Last run: {time}, {state}', {
                  time: formatDate(lastRun.startedAt),
                  state: runLook(lastRun.state).label,
                }),
            ...(nextStart === null ? [] : [t('Next: {times}', { times: formatDate(nextStart) })]),
          ].join(' · ')}
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
