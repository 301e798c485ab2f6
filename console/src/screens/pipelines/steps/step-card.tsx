import type { ComponentType } from 'preact';
import { Icon, IconButton, Menu, ToolIcon } from '../../../components/index.ts';
import { ToolForm } from '../../../form/form.tsx';
import { conditionWords, formTitle, stepTitle } from '../model/branches.ts';
import { conditionJson, type Condition } from '../model/condition.ts';
import type { Step } from '../model/step.ts';
import { t } from '../texts.ts';
import { BranchesView } from './branches-view.tsx';
import type { BuilderView, StepListViewProps } from './builder-view.ts';
import { Extras, StepMarks } from './step-marks.tsx';
import { StepFiles } from './step-files.tsx';
import { StepOptions } from './step-options.tsx';

export function titleOf(step: Step): string {
  const condition = step.condition.value;
  if (condition !== undefined) return t('If {condition}', { condition: conditionWords(conditionJson(condition)) });
  return step.branchForm === undefined ? stepTitle(step.toJson()) : formTitle(step.branchForm);
}

/** The icon of a step that is not a tool of this server. */
function iconOf({ branchForm, isBranching }: Step): string {
  if (branchForm === 'each') return 'files';
  return isBranching ? 'split' : 'circle-help';
}

interface StepCardProps {
  readonly view: BuilderView;
  readonly step: Step;
  readonly index: number;
  /** Its number with those of the steps and branches around it: `2.1.1`. */
  readonly place: string;
  /** Shows the steps of a branch. */
  readonly ListView: ComponentType<StepListViewProps>;
}

/** One step: its tool or its branches, its fields, what is wrong with it, and its place. */
export function StepCard({ view, step, index, place, ListView }: StepCardProps) {
  const { pipeline, dragged } = view;
  const { operation, form } = step;
  const title = titleOf(step);
  const enabled = step.enabled.value;
  const open = step.open.value;
  const wrong = enabled && hasFaults(step);
  const keys = (event: KeyboardEvent): void => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    // The steps around it have the same keys.
    event.stopPropagation();
    view.moveBy(step, event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <article class={`step-card ${wrong ? 'faulty' : ''} ${enabled ? '' : 'off'}`} aria-label={title} onKeyDown={keys}>
      <header
        class="step-head"
        draggable
        onDragStart={(event) => {
          event.dataTransfer?.setData('text/plain', title);
          dragged.value = step;
        }}
        onDragEnd={() => {
          dragged.value = undefined;
          view.target.value = undefined;
        }}
      >
        <Icon name="grip-vertical" size={18} />
        <button type="button" class="step-toggle" aria-expanded={open} onClick={() => (step.open.value = !open)}>
          <span class="step-number">{index + 1}</span>
          <ToolIcon icon={operation?.icon ?? iconOf(step)} size={20} />
          <span class="step-title">
            <span class="break">{title}</span>
            {enabled ? null : <span class="badge">{t('Switched off')}</span>}
          </span>
          <Icon name={open ? 'chevron-up' : 'chevron-down'} size={18} />
        </button>
        <IconButton
          size="small"
          icon="arrow-up"
          label={t('Move up: {step}', { step: title })}
          disabled={view.placeBeside(step, -1) === undefined}
          onClick={() => view.moveBy(step, -1)}
        />
        <IconButton
          size="small"
          icon="arrow-down"
          label={t('Move down: {step}', { step: title })}
          disabled={view.placeBeside(step, 1) === undefined}
          onClick={() => view.moveBy(step, 1)}
        />
        <Menu
          label={t('More for {name}', { name: title })}
          class="button quiet small icon-button"
          side="end"
          items={[
            { label: t('Duplicate'), icon: 'copy', run: () => pipeline.duplicate(step) },
            {
              label: enabled ? t('Switch off') : t('Switch on'),
              icon: enabled ? 'eye-off' : 'eye',
              run: () => (step.enabled.value = !enabled),
            },
            { label: t('Remove'), icon: 'trash-2', danger: true, apart: true, run: () => pipeline.remove(step) },
          ]}
        >
          <Icon name="ellipsis-vertical" size={18} />
        </Menu>
      </header>
      {enabled ? <StepMarks step={step} open={open} /> : null}
      {open ? (
        <div class="step-body stack">
          {step.branchForm !== undefined ? (
            <BranchesView view={view} step={step} place={place} ListView={ListView} />
          ) : form !== undefined ? (
            <>
              <ToolForm draft={form} />
              <StepFiles step={step} />
            </>
          ) : step.isBranching ? (
            <>
              <p class="soft">{t('Its branches cannot be read. The step is kept as it is.')}</p>
              <pre class="kept-step">{JSON.stringify(step.toJson(), undefined, 2)}</pre>
            </>
          ) : (
            <p class="soft">{t('This server does not have this tool. The step is kept as it is.')}</p>
          )}
          <Extras step={step} />
          <StepOptions step={step} />
        </div>
      ) : null}
    </article>
  );
}

/** Whether something is wrong with a step, in its closed part too. */
function hasFaults(step: Step): boolean {
  const { step: own, fields } = step.faults.value;
  if (own.length + Object.keys(fields).length + Object.keys(step.optionFaults.value).length > 0) return true;
  const condition = step.condition.value;
  if (condition !== undefined && isConditionWrong(condition)) return true;
  return step.branches.value.some(({ steps }) => steps.value.some((inner) => inner.enabled.value && hasFaults(inner)));
}

function isConditionWrong({ faults, parts }: Condition): boolean {
  const { step, fields } = faults.value;
  return step.length + Object.keys(fields).length > 0 || parts.some(isConditionWrong);
}
