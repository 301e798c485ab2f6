import { useEffect, useMemo } from 'preact/hooks';
import { Button, Icon, IconButton } from '../../../components/index.ts';
import { flowWords } from '../kind-words.ts';
import type { Flowing } from '../model/flow.ts';
import { stepWith, type Pipeline } from '../model/pipeline.ts';
import { newBranching, type Step, type StepList } from '../model/step.ts';
import { t } from '../texts.ts';
import { UndoBar } from '../undo-bar.tsx';
import { AddStepDialog } from './add-step-dialog.tsx';
import { BuilderView, type StepListViewProps } from './builder-view.ts';
import { StepCard } from './step-card.tsx';
import './steps.css';

/** The steps in order, those of branches inside of their step, with the kinds of files that flow between them. */
export function Steps({ pipeline }: { readonly pipeline: Pipeline }) {
  const view = useMemo(() => new BuilderView(pipeline), []);
  const wanted = view.wanted.value;
  // After a dialog has given the focus back.
  useEffect(() => {
    if (wanted !== undefined) focusStep(wanted.step, wanted.field);
  }, [wanted]);
  const adding = view.adding.value;
  return (
    <>
      {pipeline.before.value === undefined ? null : (
        <UndoBar
          text={t('The list of steps was changed.')}
          onUndo={() => pipeline.undo()}
          onClose={() => (pipeline.before.value = undefined)}
        />
      )}
      <p class="hidden-visually" role="status">
        {view.said.value}
      </p>
      <StepListView view={view} list={pipeline.root} place="" />
      {adding === undefined ? null : (
        <AddStepDialog
          reaching={reachingAt(pipeline, adding.list, adding.at)}
          onClose={() => (view.adding.value = undefined)}
          onChoose={(path) => view.add(stepWith(path), adding)}
          onBranch={(form) => view.add(newBranching(form), adding)}
        />
      )}
    </>
  );
}

function reachingAt(pipeline: Pipeline, list: StepList, at: number): readonly string[] | undefined {
  const { steps, lists } = pipeline.flow.value;
  const before = list.steps.value[at - 1];
  return before === undefined ? lists.get(list)?.kinds : steps.get(before)?.after.kinds;
}

/** The focus goes to the first field of a step, or to its head. */
function focusStep({ id }: Step, toField: boolean): void {
  const card = document.querySelector<HTMLElement>(`[data-step-id="${id}"] > .step-card`);
  const field = toField ? card?.querySelector<HTMLElement>('.step-body :is(input, select, textarea)') : undefined;
  (field ?? card?.querySelector<HTMLElement>('.step-toggle'))?.focus();
  card?.scrollIntoView({ block: 'nearest' });
}

/** A list of steps: the whole pipeline, or a branch. */
function StepListView({ view, list, place, label }: StepListViewProps) {
  const { pipeline } = view;
  const steps = list.steps.value;
  const flow = pipeline.flow.value.steps;
  const last = steps.at(-1);
  const target = view.target.value;
  const isEnd = target?.list === list && target.at >= steps.length;
  return (
    <div class={`steps-of ${isEnd ? 'drop-end' : ''}`} {...dropHandlers(view, list, steps.length)}>
      {steps.length === 0 ? null : (
        <ol class="step-list" aria-label={label}>
          {steps.map((step, i) => (
            <li
              key={step.id}
              class={`step-item ${view.dragged.value === step ? 'dragged' : ''} ${
                target?.list === list && target.at === i ? 'drop-here' : ''
              }`}
              data-step={place === '' ? i + 1 : `${place}.${i + 1}`}
              data-step-id={step.id}
              {...dropHandlers(view, list, i)}
            >
              {i === 0 ? null : (
                <Connector
                  files={flow.get(step)!.before}
                  refused={flow.get(step)!.refused}
                  onAdd={() => (view.adding.value = { list, at: i })}
                />
              )}
              <StepCard
                view={view}
                step={step}
                index={i}
                place={place === '' ? `${i + 1}` : `${place}.${i + 1}`}
                ListView={StepListView}
              />
            </li>
          ))}
        </ol>
      )}
      {last === undefined ? null : <Connector files={flow.get(last)!.after} refused={false} />}
      <div class="add-step">
        <Button
          kind={last === undefined && label === undefined ? 'primary' : 'plain'}
          size={label === undefined ? 'normal' : 'small'}
          icon="plus"
          aria-label={label === undefined ? undefined : t('Add a step: {branch}', { branch: label })}
          onClick={() => (view.adding.value = { list, at: steps.length })}
        >
          {t('Add a step')}
        </Button>
      </div>
    </div>
  );
}

/** A step that is dragged moves at once in its own list; in another one the place is shown until it is dropped. */
function dropHandlers(view: BuilderView, list: StepList, at: number) {
  const { pipeline, dragged, target } = view;
  return {
    onDragOver: (event: DragEvent): void => {
      const step = dragged.value;
      if (step === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      if (isInside(pipeline, step, list)) return;
      const over = list.steps.value[at];
      if (pipeline.listWith(step) !== list) {
        if (target.value?.list !== list || target.value.at !== at) target.value = { list, at };
        return;
      }
      target.value = undefined;
      // Below the head of a tall step, the next movement would move it back.
      const isHead = event.target instanceof Element && event.target.closest('.step-head') !== null;
      if (over !== undefined && over !== step && (over.branchForm === undefined || isHead))
        view.moveTo(step, { list, at });
    },
    onDrop: (event: DragEvent): void => {
      const step = dragged.value;
      if (step === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      const to = target.value;
      // A step that is drawn in another list is another element, which never hears that the drag has ended.
      dragged.value = undefined;
      target.value = undefined;
      if (to !== undefined) view.moveTo(step, to);
    },
  };
}

/** Whether a list is a branch of a step, or in one. */
function isInside(pipeline: Pipeline, step: Step, list: StepList): boolean {
  const owner = pipeline.ownerOf(list);
  if (owner === undefined) return false;
  const around = pipeline.listWith(owner);
  return owner === step || (around !== undefined && isInside(pipeline, step, around));
}

interface ConnectorProps {
  readonly files: Flowing;
  readonly refused: boolean;
  readonly onAdd?: () => void;
}

/** What flows into the next step. */
function Connector({ files, refused, onAdd }: ConnectorProps) {
  return (
    <div class={`connector ${refused ? 'refused' : ''}`}>
      <span class="connector-line" aria-hidden="true" />
      <span class={`badge ${refused ? 'danger' : ''}`}>
        {refused ? <Icon name="circle-alert" size={14} /> : <Icon name="arrow-down" size={14} />}
        {flowWords(files)}
      </span>
      {onAdd === undefined ? null : (
        <IconButton class="insert" size="small" icon="plus" label={t('Insert a step here')} onClick={onAdd} />
      )}
    </div>
  );
}
