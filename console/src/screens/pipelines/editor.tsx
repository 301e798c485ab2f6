import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { navigate } from '../../app/router.ts';
import { Button, Icon, LinkButton, Menu, Tabs, TextInput } from '../../components/index.ts';
import { CheckLine } from './check-line.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { JsonPanel } from './json-panel.tsx';
import { exportPipeline } from './export.ts';
import { LiveCheck } from './model/check.ts';
import { Pipeline } from './model/pipeline.ts';
import { linkOf, type PipelineStore, type StoredPipeline } from './model/store.ts';
import { RunTab } from './run/run-tab.tsx';
import { TrialTab } from './run/trial-tab.tsx';
import { RunFiles } from './run/run-files.ts';
import { SaveDialog } from './saved/save-dialog.tsx';
import { Steps } from './steps/step-list.tsx';
import { t } from './texts.ts';
import { WherePanel } from './where-panel.tsx';

interface EditorProps {
  readonly store: PipelineStore;
  readonly stored: StoredPipeline;
}

/** Builds a pipeline: steps on one side; trying, running and where it runs on the other. */
export function Editor({ store, stored }: EditorProps) {
  const { pipeline, check, files } = useMemo(() => {
    const made = new Pipeline(stored.id, stored.json, stored);
    return { pipeline: made, check: new LiveCheck(made), files: new RunFiles(made) };
  }, []);
  const [tab, setTab] = useState('trial');
  const [importing, setImporting] = useState(false);
  const [saving, setSaving] = useState(false);
  const link = pipeline.link.value;
  const kept = JSON.stringify(pipeline.stored);
  const checked = JSON.stringify(pipeline.json.value);
  const ready = check.result.value.state === 'valid';
  const name = pipeline.name.value.trim() === '' ? t('Untitled pipeline') : pipeline.name.value;
  // At once: an effect after the next frame is lost when the page is left before.
  useLayoutEffect(() => {
    // Opening one is not a change.
    if (kept !== JSON.stringify(asKept(stored))) store.save({ id: pipeline.id, ...pipeline.stored });
  }, [kept]);
  useEffect(() => check.later(), [checked]);
  useEffect(() => {
    document.title = document.title.replace(/^[^·]*/, `${name} `);
  });
  return (
    <div class="page pipeline-editor">
      <header class="pipeline-head">
        <LinkButton kind="quiet" size="small" icon="arrow-left" href="pipelines">
          {t('Pipelines')}
        </LinkButton>
        <div class="pipeline-title">
          <h1 class="hidden-visually">{name}</h1>
          <TextInput
            class="pipeline-name"
            aria-label={t('Name of the pipeline')}
            placeholder={t('Untitled pipeline')}
            value={pipeline.name.value}
            onText={(text) => (pipeline.name.value = text)}
          />
          <div class="row">
            <Button
              kind="primary"
              icon="save"
              data-save
              disabled={!ready}
              title={ready ? undefined : t('It can be saved when all steps are right.')}
              onClick={() => setSaving(true)}
            >
              {link === undefined ? t('Save on the server') : t('Save the next version')}
            </Button>
            <Button icon="file-input" onClick={() => setImporting(true)}>
              {t('Import')}
            </Button>
            <Button icon="download" data-export onClick={() => exportPipeline(pipeline.json.value, name)}>
              {t('Export')}
            </Button>
            <Menu
              label={t('More for {name}', { name })}
              class="button plain normal icon-button"
              side="end"
              items={[
                {
                  label: t('Duplicate'),
                  icon: 'copy',
                  run: () => {
                    const id = crypto.randomUUID();
                    // A copy is not the one on the server.
                    const { json, link: _, ...rest } = pipeline.stored;
                    store.save({ id, json: { ...json, name: t('{name} (copy)', { name }) }, ...rest });
                    navigate(`pipelines/edit/${id}`);
                  },
                },
              ]}
            >
              <Icon name="ellipsis-vertical" size={18} />
            </Menu>
          </div>
        </div>
        <p class="soft small">
          {t('Kept in this browser.')}
          {link === undefined
            ? null
            : ` ${t('A copy of “{title}” on the server, version {version}.', { title: link.title, version: link.version })}`}
          {pipeline.otherMembers.length === 0
            ? null
            : ` ${t('Other members of the definition are kept as they are: {names}', { names: pipeline.otherMembers.join(', ') })}`}
        </p>
      </header>
      <div class="pipeline-columns">
        <section class="pipeline-steps" aria-label={t('Steps')}>
          <Steps pipeline={pipeline} />
        </section>
        <aside class="pipeline-side" aria-label={t('Try and run')}>
          <CheckLine pipeline={pipeline} check={check.result.value} />
          <div class="card">
            <Tabs
              label={t('Try and run')}
              chosen={tab}
              onChoose={setTab}
              tabs={[
                { id: 'trial', label: t('Trial'), content: () => <TrialTab files={files} ready={ready} /> },
                { id: 'run', label: t('Run'), content: () => <RunTab files={files} ready={ready} /> },
                {
                  id: 'where',
                  label: t('Where it runs'),
                  content: () => <WherePanel pipeline={pipeline} name={name} />,
                },
                { id: 'json', label: 'JSON', content: () => <JsonPanel pipeline={pipeline} /> },
              ]}
            />
          </div>
        </aside>
      </div>
      {saving ? (
        <SaveDialog
          pipeline={pipeline}
          onClose={() => setSaving(false)}
          onSaved={(saved) => pipeline.setLink(linkOf(saved))}
        />
      ) : null}
      {importing ? (
        <ImportDialog onClose={() => setImporting(false)} onPipeline={(json) => pipeline.read(json)} />
      ) : null}
    </div>
  );
}

/** The members of a stored pipeline that `Pipeline.stored` has, in the same order. */
function asKept({ json, off, ask, link }: StoredPipeline): Pick<StoredPipeline, 'json' | 'off' | 'ask' | 'link'> {
  return { json, off, ...(ask === undefined ? {} : { ask }), ...(link === undefined ? {} : { link }) };
}
