import type { PipelineTemplate } from '@quire/registry';
import { useState } from 'preact/hooks';
import { operationOf } from '../../api/index.ts';
import { navigate } from '../../app/router.ts';
import { Button, Dialog, Field, Menu, Notice, TextArea, ToolIcon, Icon } from '../../components/index.ts';
import { formatDate, rt } from '../../i18n/index.ts';
import { PREFIX, readDefinition } from './definition.ts';
import { browserStore, newPipeline, type SavedPipeline } from './pipeline-store.ts';
import { t } from './texts.ts';

/** Own pipelines, templates, and import. */
export function PipelineList({ templates }: { readonly templates: readonly PipelineTemplate[] }) {
  const [importing, setImporting] = useState(false);
  const [removed, setRemoved] = useState<SavedPipeline | undefined>();
  const pipelines = browserStore.list();
  return (
    <div class="page">
      <header class="row between">
        <div class="page-head">
          <h1>{t('Pipelines')}</h1>
          <p class="soft">{t('Tools one after the other, checked before they run. They are kept in this browser.')}</p>
        </div>
        <div class="row">
          <Button icon="upload" onClick={() => setImporting(true)}>
            {t('Import')}
          </Button>
          <Button kind="primary" icon="plus" onClick={() => open(newPipeline())}>
            {t('New pipeline')}
          </Button>
        </div>
      </header>
      {removed === undefined ? null : (
        <Notice
          actions={
            <Button
              size="small"
              icon="undo-2"
              onClick={() => {
                browserStore.save(removed);
                setRemoved(undefined);
              }}
            >
              {t('Undo')}
            </Button>
          }
        >
          <p role="status">{t('“{name}” is deleted.', { name: nameOf(removed) })}</p>
        </Notice>
      )}
      {pipelines.length === 0 ? null : (
        <section class="tool-section">
          <h2>{t('Your pipelines')}</h2>
          <ul class="pipeline-list">
            {pipelines.map((pipeline) => (
              <PipelineRow
                key={pipeline.id}
                pipeline={pipeline}
                onRemove={() => {
                  browserStore.remove(pipeline.id);
                  setRemoved(pipeline);
                }}
              />
            ))}
          </ul>
        </section>
      )}
      <Templates templates={templates} />
      {importing ? <ImportDialog onClose={() => setImporting(false)} /> : null}
    </div>
  );
}

export function nameOf({ name }: Pick<SavedPipeline, 'name'>): string {
  return name === '' ? t('Pipeline without a name') : name;
}

function open(pipeline: SavedPipeline): void {
  browserStore.save(pipeline);
  navigate(`pipelines/${pipeline.id}`);
}

function PipelineRow({ pipeline, onRemove }: { readonly pipeline: SavedPipeline; readonly onRemove: () => void }) {
  const name = nameOf(pipeline);
  return (
    <li class="card row between">
      <div class="grow">
        <a class="pipeline-name break" href={`pipelines/${pipeline.id}`}>
          {name}
        </a>
        <p class="soft small">
          {t.count(pipeline.steps.length, '{count} step', '{count} steps')}
          {' · '}
          {formatDate(pipeline.changedAt)}
        </p>
      </div>
      <span class="step-icons" aria-hidden="true">
        {pipeline.steps.slice(0, 6).map(({ operation }, i) => (
          <ToolIcon key={i} size={18} icon={operationOf(operation.replace(PREFIX, ''))?.icon ?? 'file-cog'} />
        ))}
      </span>
      <Menu
        label={t('Actions for {name}', { name })}
        side="end"
        class="button quiet normal icon-button"
        items={[
          {
            label: t('Duplicate'),
            icon: 'copy',
            run: () => browserStore.save(newPipeline({ ...pipeline, name: t('Copy of {name}', { name }) })),
          },
          { label: t('Delete'), icon: 'trash-2', danger: true, apart: true, run: onRemove },
        ]}
      >
        <Icon name="ellipsis" size={18} />
      </Menu>
    </li>
  );
}

/** Templates whose tools are all available here. */
function Templates({ templates }: { readonly templates: readonly PipelineTemplate[] }) {
  const usable = templates.filter(({ steps }) =>
    steps.every(({ operation }) => operationOf(operation)?.availability.state === 'available'),
  );
  if (usable.length === 0) return null;
  return (
    <section class="tool-section">
      <h2>{t('Start from a template')}</h2>
      <ul class="tool-grid">
        {usable.map(({ id, title, summary, icon, steps }) => (
          <li key={id}>
            <button
              type="button"
              class="template card"
              onClick={() =>
                open(
                  newPipeline({
                    name: rt(title),
                    steps: steps.map(({ operation, parameters }) => ({
                      operation: `${PREFIX}${operation}`,
                      parameters,
                    })),
                  }),
                )
              }
            >
              <span class="tool-icon">
                <ToolIcon icon={icon} />
              </span>
              <span class="tool-text">
                <strong>{rt(title)}</strong>
                <span class="soft small">{rt(summary)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string | undefined>();
  const take = (): void => {
    try {
      open(newPipeline(readDefinition(text)));
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  return (
    <Dialog
      title={t('Import a pipeline')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" disabled={text.trim() === ''} onClick={take}>
            {t('Import')}
          </Button>
        </>
      }
    >
      <p class="soft">{t('The JSON of a pipeline call, or of a watched folder.')}</p>
      <label class="button plain normal file-button">
        {t('Choose a file')}
        <input
          type="file"
          accept=".json,application/json"
          class="hidden-visually"
          onChange={(event) => void event.currentTarget.files?.[0]?.text().then(setText)}
        />
      </label>
      <Field label={t('JSON')} error={fault}>
        {(control) => (
          <TextArea
            control={control}
            class="code"
            rows={10}
            spellcheck={false}
            value={text}
            onText={(next) => {
              setText(next);
              setFault(undefined);
            }}
          />
        )}
      </Field>
    </Dialog>
  );
}
