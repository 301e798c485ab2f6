import { useState } from 'preact/hooks';
import { navigate } from '../../../app/router.ts';
import { ActionDialog, Icon, LoadedView, Menu, type Loaded, type MenuItem } from '../../../components/index.ts';
import { exportPipeline } from '../export.ts';
import { API } from '../model/definition.ts';
import type { PipelineStore } from '../model/store.ts';
import { openSaved } from '../open-new.ts';
import { StepIcons } from '../step-icons.tsx';
import { t } from '../texts.ts';
import { removeSaved, type SavedPipeline } from './saved.ts';

interface SavedListProps {
  readonly store: PipelineStore;
  readonly loaded: Loaded<readonly SavedPipeline[]>;
}

/** The pipelines that are saved on the server, each a tool of its own. */
export function SavedList({ store, loaded }: SavedListProps) {
  const [removing, setRemoving] = useState<SavedPipeline | undefined>();
  return (
    <section class="stack" aria-labelledby="saved-pipelines">
      <h2 id="saved-pipelines">{t('On this server')}</h2>
      <LoadedView loaded={loaded}>
        {(saved) =>
          saved.length === 0 ? (
            <p class="pipelines-empty soft">
              {t('None is saved yet. Save one to run it like a tool, here, from programs and as a step of others.')}
            </p>
          ) : (
            <ul class="pipeline-rows">
              {saved.map((each) => (
                <SavedRow key={each.name} saved={each} store={store} onRemove={() => setRemoving(each)} />
              ))}
            </ul>
          )
        }
      </LoadedView>
      {removing === undefined ? null : (
        <ActionDialog
          title={t('Delete “{title}”?', { title: removing.title })}
          action={t('Delete')}
          danger
          run={async () => {
            await removeSaved(removing.name);
            await loaded.reload();
          }}
          onClose={() => setRemoving(undefined)}
        >
          <p>{t('All its versions are deleted. People and programs that use it will get an error.')}</p>
        </ActionDialog>
      )}
    </section>
  );
}

interface SavedRowProps {
  readonly saved: SavedPipeline;
  readonly store: PipelineStore;
  readonly onRemove: () => void;
}

function SavedRow({ saved, store, onRemove }: SavedRowProps) {
  const { name, title, owner, version, valid, operations, definition } = saved;
  const edit: readonly MenuItem[] =
    definition === undefined
      ? []
      : [
          { label: t('Edit'), icon: 'pencil', run: () => openSaved(store, saved) },
          { label: t('Export'), icon: 'download', run: () => exportPipeline(definition, title) },
          { label: t('Delete'), icon: 'trash-2', danger: true, apart: true, run: onRemove },
        ];
  const run: MenuItem = { label: t('Run'), icon: 'play', run: () => navigate(`pipelines/run/${name}`) };
  return (
    <li class="pipeline-row" data-saved={name}>
      <div class="grow">
        <a class="pipeline-link" href={`pipelines/run/${name}`}>
          {title}
        </a>
        <p class="soft small">
          {[t('Version {version}', { version }), ...(owner === null ? [] : [owner])].join(' · ')}
          {valid ? null : <span class="badge warning">{t('Cannot run now')}</span>}
        </p>
      </div>
      <StepIcons paths={operations.map((operation) => operation.replace(API, ''))} />
      <Menu
        label={t('More for {name}', { name: title })}
        class="button quiet normal icon-button"
        side="end"
        items={[run, ...edit]}
      >
        <Icon name="ellipsis-vertical" size={18} />
      </Menu>
    </li>
  );
}
