import type { PipelineTemplate } from '@quire/registry';
import { useState } from 'preact/hooks';
import { Button, Icon, Menu, ToolIcon, useLoaded } from '../../components/index.ts';
import { formatDate, rt } from '../../i18n/index.ts';
import { exportPipeline } from './export.ts';
import { ImportDialog } from './import-dialog.tsx';
import { toolsOf } from './model/branches.ts';
import type { PipelineJson } from './model/definition.ts';
import type { PipelineStore, StoredPipeline } from './model/store.ts';
import { openNew } from './open-new.ts';
import { SavedList } from './saved/saved-list.tsx';
import { listSaved } from './saved/saved.ts';
import { askOf, jsonOf, nameOf, usableTemplates } from './starts.ts';
import { StepIcons, titleOf } from './step-icons.tsx';
import { t } from './texts.ts';
import { UndoBar } from './undo-bar.tsx';

/** Own pipelines, and templates to start from. */
export function PipelineList({ store }: { readonly store: PipelineStore }) {
  const [importing, setImporting] = useState(false);
  const [removed, setRemoved] = useState<StoredPipeline | undefined>();
  const own = store.list();
  const saved = useLoaded((signal) => listSaved(signal), []);
  const open = (json: PipelineJson, ask: StoredPipeline['ask'] = {}): void => openNew(store, json, ask);
  return (
    <div class="page">
      <header class="row between">
        <div class="page-head">
          <h1>{t('Pipelines')}</h1>
          <p class="soft">{t('Several tools in a row, for one file or a hundred.')}</p>
        </div>
        <div class="row">
          <Button icon="file-input" onClick={() => setImporting(true)}>
            {t('Import')}
          </Button>
          <Button kind="primary" icon="plus" onClick={() => open({ pipeline: [] })}>
            {t('New pipeline')}
          </Button>
        </div>
      </header>
      {removed === undefined ? null : (
        <UndoBar
          text={t('“{name}” was deleted.', { name: nameOf(removed) })}
          onUndo={() => {
            store.restore(removed);
            setRemoved(undefined);
          }}
          onClose={() => setRemoved(undefined)}
        />
      )}
      <SavedList store={store} loaded={saved} />
      <section class="stack" aria-labelledby="own-pipelines">
        <h2 id="own-pipelines">{t('Your pipelines')}</h2>
        {own.length === 0 ? (
          <p class="pipelines-empty soft">
            {t('There are none yet. Start with a template, or build one step by step. They are kept in this browser.')}
          </p>
        ) : (
          <ul class="pipeline-rows">
            {own.map((each) => (
              <PipelineRow
                key={each.id}
                stored={each}
                onDuplicate={() => {
                  const name = t('{name} (copy)', { name: nameOf(each) });
                  const { link: _, ...rest } = each;
                  store.save({ ...rest, id: crypto.randomUUID(), json: { ...each.json, name } });
                }}
                onRemove={() => {
                  store.remove(each.id);
                  setRemoved(each);
                }}
              />
            ))}
          </ul>
        )}
      </section>
      <Templates onChoose={(template) => open(jsonOf(template), askOf(template))} />
      {importing ? <ImportDialog onClose={() => setImporting(false)} onPipeline={(json) => open(json)} /> : null}
    </div>
  );
}

interface RowProps {
  readonly stored: StoredPipeline;
  readonly onDuplicate: () => void;
  readonly onRemove: () => void;
}

function PipelineRow({ stored, onDuplicate, onRemove }: RowProps) {
  const name = nameOf(stored);
  const paths = toolsOf(stored.json.pipeline);
  return (
    <li class="pipeline-row">
      <div class="grow">
        <a class="pipeline-link" href={`pipelines/edit/${stored.id}`}>
          {name}
        </a>
        <p class="soft small">
          {t.count(stored.json.pipeline.length, '{count} step', '{count} steps')}
          {' · '}
          {formatDate(stored.changedAt)}
        </p>
      </div>
      <StepIcons paths={paths} />
      <Menu
        label={t('More for {name}', { name })}
        class="button quiet normal icon-button"
        side="end"
        items={[
          { label: t('Duplicate'), icon: 'copy', run: onDuplicate },
          { label: t('Export'), icon: 'download', run: () => exportPipeline(stored.json, name) },
          { label: t('Delete'), icon: 'trash-2', danger: true, apart: true, run: onRemove },
        ]}
      >
        <Icon name="ellipsis-vertical" size={18} />
      </Menu>
    </li>
  );
}

function Templates({ onChoose }: { readonly onChoose: (template: PipelineTemplate) => void }) {
  const usable = usableTemplates();
  if (usable.length === 0) return null;
  return (
    <section class="stack" aria-labelledby="templates">
      <h2 id="templates">{t('Start with a template')}</h2>
      <ul class="template-grid">
        {usable.map((template) => (
          <li key={template.id}>
            <button type="button" class="template-card" data-template={template.id} onClick={() => onChoose(template)}>
              <span class="template-head">
                <span class="template-icon">
                  <ToolIcon icon={template.icon} />
                </span>
                <span class="template-title">{rt(template.title)}</span>
              </span>
              <span class="soft small">{rt(template.summary)}</span>
              <span class="template-steps small">
                {template.steps.map(({ operation }) => titleOf(operation)).join(' → ')}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
