import { useEffect } from 'preact/hooks';
import { loadCatalog } from '../../api/index.ts';
import type { ScreenProps } from '../../app/screen-props.ts';
import { Empty, Icon, LinkButton, Loading, ProblemNotice } from '../../components/index.ts';
import { FolderPage } from './folder-page.tsx';
import { FolderRows } from './folder-rows.tsx';
import { HowToStart } from './how-to-start.tsx';
import { t } from './texts.ts';
import { useFolders } from './use-folders.ts';
import '../pipelines/pipelines.css';
import './folders.css';

/** All watched folders, or one of them (`folders/<id>`), as they change. */
export function Screen({ params }: ScreenProps) {
  useEffect(() => void loadCatalog(), []);
  const id = decodeURIComponent(params['rest'] ?? '');
  const { list, connected, problem } = useFolders();
  if (problem?.code === 'FEATURE_OFF') return <SwitchedOff />;
  return (
    <div class="page">
      {id === '' ? <Head /> : null}
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
      ) : id !== '' ? (
        <FolderPage key={id} id={id} list={list} />
      ) : list.folders.length === 0 ? (
        <HowToStart roots={list.roots} />
      ) : (
        <>
          <FolderRows folders={list.folders} />
          <details class="card">
            <summary>{t('Add a folder')}</summary>
            <HowToStart roots={list.roots} beside />
          </details>
        </>
      )}
    </div>
  );
}

function Head() {
  return (
    <header class="page-head">
      <h1>{t('Watched folders')}</h1>
      <p class="soft">{t('Documents that are put into one of these folders are processed by its pipeline.')}</p>
    </header>
  );
}

function SwitchedOff() {
  return (
    <Empty whole icon="folder-sync" title={t('Watched folders are off')}>
      <p class="soft">
        {t('They work again when the setting {setting} is on and the server is started again.', {
          setting: 'autoPipeline.enabled',
        })}
      </p>
      <LinkButton kind="primary" href="administration/settings">
        {t('Open the settings')}
      </LinkButton>
    </Empty>
  );
}
