import { useEffect, useMemo, useState } from 'preact/hooks';
import { catalog } from '../../api/index.ts';
import {
  Button,
  Combobox,
  Dialog,
  Empty,
  Field,
  Icon,
  Notice,
  ProblemNotice,
  TextInput,
  ToolIcon,
} from '../../components/index.ts';
import { formatList, rt } from '../../i18n/index.ts';
import { searchTools } from '../tools/search.ts';
import { useLiveCheck, type Check } from './live-check.ts';
import { kindsBetween, PipelineModel } from './pipeline-model.ts';
import { browserStore, type SavedPipeline } from './pipeline-store.ts';
import { RunCard } from './run-card.tsx';
import { StepCard } from './step-card.tsx';
import { t } from './texts.ts';
import { TrialRun } from './trial-run.ts';
import { WherePanel } from './where-panel.tsx';

/** The builder: steps with their fields and checks, and what runs them. */
export function PipelineEditor({ saved }: { readonly saved: SavedPipeline }) {
  const model = useMemo(() => new PipelineModel(saved), []);
  const trial = useMemo(() => new TrialRun(model), []);
  const check = useLiveCheck(model);
  const json = model.json.value;
  const off = model.steps.value.map((step) => step.off.value).join();
  useEffect(() => browserStore.save(model.saved), [json, off]);
  return (
    <div class="page tool">
      <header class="page-head">
        <nav class="crumbs small" aria-label={t('You are here')}>
          <a href="pipelines">{t('Pipelines')}</a>
        </nav>
        <h1>{model.name.value === '' ? t('New pipeline') : model.name.value}</h1>
      </header>
      <div class="tool-columns">
        <div class="stack-large">
          <Steps model={model} check={check} trial={trial} />
        </div>
        <aside class="options-column" aria-label={t('Pipeline')}>
          <div class="card stack">
            <Field label={t('Name')}>
              {(control) => (
                <TextInput control={control} value={model.name.value} onText={(text) => (model.name.value = text)} />
              )}
            </Field>
            <Field
              label={t('Names of the results')}
              help={t('A pattern such as “{pattern}”; empty for the usual names.', {
                pattern: '{filename}-{date}',
              })}
            >
              {(control) => (
                <TextInput
                  control={control}
                  value={model.outputFileName.value}
                  onText={(text) => (model.outputFileName.value = text)}
                />
              )}
            </Field>
            <CheckNotice model={model} check={check} />
          </div>
          <RunCard model={model} check={check} trial={trial} />
        </aside>
      </div>
      <details class="more card">
        <summary>{t('Where it runs')}</summary>
        <WherePanel model={model} />
      </details>
    </div>
  );
}

interface StepsProps {
  readonly model: PipelineModel;
  readonly check: Check;
  readonly trial: TrialRun;
}

function Steps({ model, check, trial }: StepsProps) {
  const [adding, setAdding] = useState(false);
  const [dragged, setDragged] = useState<number | undefined>();
  const steps = model.steps.value;
  const kinds = kindsBetween(model.active);
  return (
    <>
      {steps.length === 0 ? (
        <Empty icon="workflow" title={t('No steps')}>
          <p class="soft">{t('Add the first tool. Each step takes the files of the step before it.')}</p>
        </Empty>
      ) : (
        <ol class="steps" aria-label={t('Steps')}>
          {steps.map((step, i) => {
            const at = model.active.indexOf(step);
            return (
              <li key={step.key}>
                {at < 0 ? null : <Kinds kinds={kinds[at] ?? []} />}
                <StepCard
                  model={model}
                  step={step}
                  index={i}
                  faults={check.steps[at] ?? []}
                  result={trial.results.value.get(step.key)}
                  dragged={dragged}
                  onDrag={setDragged}
                />
              </li>
            );
          })}
          <li>
            <Kinds kinds={kinds.at(-1) ?? []} />
          </li>
        </ol>
      )}
      <div class="row">
        <Button kind={steps.length === 0 ? 'primary' : 'plain'} icon="plus" onClick={() => setAdding(true)}>
          {t('Add a step')}
        </Button>
      </div>
      {adding ? (
        <AddDialog
          onAdd={(path) => {
            model.add(path);
            setAdding(false);
          }}
          onClose={() => setAdding(false)}
        />
      ) : null}
    </>
  );
}

/** What flows from one step to the next. */
function Kinds({ kinds }: { readonly kinds: readonly string[] }) {
  const text = kinds.includes('any') ? t('Any file') : formatList(kinds.map((kind) => kind.toUpperCase()));
  return (
    <p class="flow soft small">
      <Icon name="arrow-down" size={16} />
      <span>{text}</span>
    </p>
  );
}

function CheckNotice({ model, check }: { readonly model: PipelineModel; readonly check: Check }) {
  if (check.problem !== undefined) return <ProblemNotice problem={check.problem} />;
  if (model.active.length === 0) return null;
  const count = check.whole.length + check.steps.flat().length;
  return (
    <div role="status">
      {check.valid === undefined ? null : check.valid ? (
        <p class="row small checked">
          <Icon name="circle-check" size={18} />
          {t('Checked: every step can run.')}
        </p>
      ) : (
        <Notice kind="warning">
          <p>{count === 0 ? t('Some fields have to be corrected.') : t('It cannot run yet.')}</p>
          {check.whole.map((fault) => (
            <p key={fault}>{fault}</p>
          ))}
        </Notice>
      )}
      {check.ignored.length === 0 ? null : (
        <Notice>
          {check.ignored.map(({ pointer, detail }) => (
            <p key={pointer} class="small break">
              <code>{pointer}</code> {detail}
            </p>
          ))}
        </Notice>
      )}
    </div>
  );
}

function AddDialog({ onAdd, onClose }: { readonly onAdd: (path: string) => void; readonly onClose: () => void }) {
  const [query, setQuery] = useState('');
  const tools = (catalog.value?.operations ?? []).filter(
    ({ pipeline, deprecated, availability }) =>
      pipeline && deprecated === undefined && availability.state === 'available',
  );
  return (
    <Dialog kind="palette" title={t('Add a step')} onClose={onClose}>
      <Combobox
        always
        autoFocus
        label={t('Add a step')}
        placeholder={t('What should happen next?')}
        value={query}
        onText={setQuery}
        items={searchTools(tools, query)}
        itemKey={({ path }) => path}
        itemText={({ icon, title, summary }) => (
          <span class="palette-item">
            <ToolIcon icon={icon} size={18} />
            <span class="palette-title">{rt(title)}</span>
            <span class="palette-aside">{rt(summary)}</span>
          </span>
        )}
        onChoose={({ path }) => onAdd(path)}
        empty={<p class="palette-empty soft">{t('No tool matches “{query}”', { query })}</p>}
      />
    </Dialog>
  );
}
