import { useEffect, useState } from 'preact/hooks';
import { asProblem, loadCatalog } from '../../../api/index.ts';
import { navigate } from '../../../app/router.ts';
import { ActionDialog, Icon, LoadedView, Menu, Notice, toast, useLoaded } from '../../../components/index.ts';
import { formatDate, rt } from '../../../i18n/index.ts';
import { listSaved } from '../../pipelines/saved/saved.ts';
import { FolderBadge, HealthBadges, StoredFolderBadge } from '../list.tsx';
import {
  getAutomation,
  getKinds,
  listSources,
  removeAutomation,
  resetFiles,
  type Automation,
} from '../model/automation.ts';
import { exportAutomation } from '../model/import.ts';
import { t } from '../texts.ts';
import { FilesPart } from './files-part.tsx';
import { RunsPart } from './runs-part.tsx';
import { StartButtons } from './start-buttons.tsx';
import { useNews } from './use-files.ts';

/** One automation: what it does, its files as they change, and its runs. */
export function AutomationPage({ id }: { readonly id: string }) {
  useEffect(() => void loadCatalog(), []);
  const loaded = useLoaded((signal) => getAutomation(id, signal), [id]);
  const { news, connected, problem } = useNews(id);
  const version = JSON.stringify(news?.counts);
  useEffect(() => {
    if (version !== undefined) void loaded.reload();
  }, [version]);
  return (
    <div class="page">
      <nav class="crumbs small" aria-label={t('You are here')}>
        <a href="automations">{t('Automations')}</a>
      </nav>
      <LoadedView loaded={loaded}>
        {(automation) => (
          <>
            <Head automation={{ ...automation, ...(news && { files: news.counts }) }} />
            {connected ? null : (
              <p class="row soft" role="status">
                <Icon name="cloud-off" size={18} />
                {t('The connection is lost. Trying again …')}
              </p>
            )}
            <Problems automation={automation} />
            <FilesPart automation={automation} news={news} problem={problem} />
            <RunsPart automation={automation} news={news} />
          </>
        )}
      </LoadedView>
    </div>
  );
}

function Head({ automation }: { readonly automation: Automation }) {
  const [asked, setAsked] = useState<'reset' | 'remove' | undefined>();
  const { id, name, description, editable, folder, nextStart } = automation;
  const close = (): void => setAsked(undefined);
  return (
    <header class="stack">
      <div class="page-head">
        <div class="row">
          <h1 class="break">{name}</h1>
          <HealthBadges automation={automation} />
          {folder === null ? null : <FolderBadge id={folder.id} />}
          <StoredFolderBadge automation={automation} />
        </div>
        {description === '' ? null : <p class="break">{description}</p>}
        <Summary automation={automation} />
        {nextStart === null ? null : <p class="soft small">{t('Next: {times}', { times: formatDate(nextStart) })}</p>}
      </div>
      <div class="row">
        {folder === null ? <StartButtons automation={automation} /> : null}
        {editable ? (
          <Menu
            label={t('More for {name}', { name })}
            class="button quiet normal icon-button"
            items={[
              { label: t('Export'), icon: 'download', run: () => void attemptExport(automation) },
              { label: t('Reset the history'), icon: 'history', run: () => setAsked('reset') },
              { label: t('Delete'), icon: 'trash-2', danger: true, apart: true, run: () => setAsked('remove') },
            ]}
          >
            <Icon name="ellipsis-vertical" size={18} />
          </Menu>
        ) : null}
      </div>
      {asked === 'reset' ? (
        <ActionDialog
          title={t('Reset the history of “{name}”?', { name })}
          action={t('Reset')}
          danger
          run={async () => {
            const { count } = await resetFiles(id);
            toast(t.count(count, '{count} file is forgotten', '{count} files are forgotten'));
          }}
          onClose={close}
        >
          <p>{t('It forgets which files it has processed. The next start takes everything in its sources again.')}</p>
        </ActionDialog>
      ) : null}
      {asked === 'remove' ? (
        <ActionDialog
          title={t('Delete “{name}”?', { name })}
          action={t('Delete')}
          danger
          run={async () => {
            await removeAutomation(id);
            navigate('automations');
          }}
          onClose={close}
        >
          <p>{t('Its history is deleted too. Files stay in their sources.')}</p>
        </ActionDialog>
      ) : null}
    </header>
  );
}

async function attemptExport(automation: Automation): Promise<void> {
  try {
    await exportAutomation(automation);
  } catch (error) {
    toast(asProblem(error).message, 'error');
  }
}

/** What it runs, from where and to where, in one line. */
function Summary({ automation }: { readonly automation: Automation }) {
  const { name, folder, storageFolder, work, inputs, destinations } = automation;
  const { data } = useLoaded(async (signal) => {
    const [sources, saved, kinds] = await Promise.all([listSources(signal), listSaved(signal), getKinds(signal)]);
    return { sources, saved, kinds };
  }, []);
  const sources = inputs.flatMap(({ source }) =>
    source === null
      ? []
      : [data?.sources.find(({ id }) => id === source)?.name ?? (storageFolder === null ? '…' : name)],
  );
  const from = folder === null ? sources : [folder.path];
  const { pipeline } = work;
  const what =
    typeof pipeline === 'string'
      ? (data?.saved.find(({ name }) => name === pipeline)?.title ?? pipeline)
      : t.count(pipeline.length, '{count} step', '{count} steps');
  const places = destinations.map(({ type, options }) => {
    const title = data?.kinds.destinations.find((kind) => kind.type === type)?.title;
    const words = title === undefined ? type : rt(title);
    return storageFolder === null ? placeOf(words, options) : words;
  });
  const parts = [from, [what], places].filter(({ length }) => length > 0);
  return <p class="soft small break">{parts.map((names) => names.join(', ')).join(' → ')}</p>;
}

/** Where a destination is, by the first of its options that says so. */
function placeOf(title: string, options: Automation['destinations'][number]['options']): string {
  const first = Object.values(options).find((value) => typeof value === 'string' && value !== '');
  return first === undefined ? title : `${title}: ${String(first)}`;
}

function Problems({ automation: { problems } }: { readonly automation: Automation }) {
  if (problems.length === 0) return null;
  return (
    <Notice
      kind="warning"
      title={problems.some(({ source }) => source === null) ? t('Needs attention') : t('A source cannot be read')}
    >
      {problems.map(({ source, detail }) => (
        <p key={source} class="break" dir="auto">
          {detail}
        </p>
      ))}
    </Notice>
  );
}
