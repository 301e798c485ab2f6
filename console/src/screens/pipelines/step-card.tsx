import { Button, Icon, IconButton, Menu, ToolIcon } from '../../components/index.ts';
import { ToolForm } from '../../form/form.tsx';
import { isShown } from '../../form/values.ts';
import { rt } from '../../i18n/index.ts';
import { BranchList } from './branch-list.tsx';
import { branchTitle } from './model/branches.ts';
import type { Pipeline } from './model/pipeline.ts';
import type { Step } from './model/step.ts';
import { t } from './texts.ts';

export function titleOf({ operation, path, branching }: Step): string {
  if (branching !== undefined) return branchTitle(branching);
  return operation === undefined ? path : rt(operation.title);
}

interface StepCardProps {
  readonly pipeline: Pipeline;
  readonly step: Step;
  readonly index: number;
  readonly total: number;
  readonly onMove: (to: number) => void;
  readonly onDrag: (step: Step | undefined) => void;
}

/** One step: its tool, its fields, what is wrong with it, and its place. */
export function StepCard({ pipeline, step, index, total, onMove, onDrag }: StepCardProps) {
  const { operation, form } = step;
  const title = titleOf(step);
  const enabled = step.enabled.value;
  const open = step.open.value;
  const wrong = enabled && (step.faults.value.step.length > 0 || Object.keys(step.faults.value.fields).length > 0);
  const keys = (event: KeyboardEvent): void => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    onMove(index + (event.key === 'ArrowUp' ? -1 : 1));
  };
  return (
    <article class={`step-card ${wrong ? 'faulty' : ''} ${enabled ? '' : 'off'}`} aria-label={title} onKeyDown={keys}>
      <header
        class="step-head"
        draggable
        onDragStart={(event) => {
          event.dataTransfer?.setData('text/plain', title);
          onDrag(step);
        }}
        onDragEnd={() => onDrag(undefined)}
      >
        <Icon name="grip-vertical" size={18} />
        <button type="button" class="step-toggle" aria-expanded={open} onClick={() => (step.open.value = !open)}>
          <span class="step-number">{index + 1}</span>
          <ToolIcon icon={operation?.icon ?? (step.branching === undefined ? 'circle-help' : 'split')} size={20} />
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
          disabled={index === 0}
          onClick={() => onMove(index - 1)}
        />
        <IconButton
          size="small"
          icon="arrow-down"
          label={t('Move down: {step}', { step: title })}
          disabled={index === total - 1}
          onClick={() => onMove(index + 1)}
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
          {step.branching === undefined ? null : (
            <>
              <BranchList step={step.branching} />
              <p class="soft small">
                {t('Its steps are kept as they are. To change them, export and import the pipeline.')}
              </p>
            </>
          )}
          {step.branching !== undefined ? null : form === undefined ? (
            <p class="soft">{t('This server does not have this tool. The step is kept as it is.')}</p>
          ) : (
            <ToolForm draft={form} />
          )}
          <Extras step={step} />
        </div>
      ) : null}
    </article>
  );
}

/** The server's words about the step; about its fields where these are not in view. */
function StepMarks({ step, open }: { readonly step: Step; readonly open: boolean }) {
  const { form, operation } = step;
  const typed = form?.typed.value ?? {};
  const inView = new Set(
    open
      ? operation?.fields.filter((field) => form !== undefined && isShown(field, typed)).map(({ name }) => name)
      : [],
  );
  const { step: own, fields } = step.faults.value;
  const marks = [
    ...own,
    ...Object.entries(fields).flatMap(([name, detail]) =>
      inView.has(name) || name in step.extras ? [] : [named(name, detail)],
    ),
  ];
  const notes = step.notes.value;
  if (marks.length === 0 && notes.length === 0 && Object.keys(step.extras).length === 0) return null;
  return (
    <div class="step-marks">
      {marks.map((detail) => (
        <p class="field-error" key={detail} role="alert">
          <Icon name="circle-alert" size={16} />
          <span class="break">{detail}</span>
        </p>
      ))}
      {open
        ? null
        : Object.entries(step.extras).map(([name]) =>
            fields[name] === undefined ? null : (
              <p class="field-error" key={name}>
                <Icon name="circle-alert" size={16} />
                <span class="break">{named(name, fields[name])}</span>
              </p>
            ),
          )}
      {notes.map((detail) => (
        <p class="step-note small" key={detail}>
          <Icon name="info" size={16} />
          <span class="break">{detail}</span>
        </p>
      ))}
    </div>
  );
}

/** The server's words, with the name of the field where they lack it. */
function named(name: string, detail: string): string {
  return detail.includes(name) ? detail : `${name}: ${detail}`;
}

/** Parameters that the form cannot show: they are kept until somebody removes them. */
function Extras({ step }: { readonly step: Step }) {
  const extras = Object.entries(step.extras);
  if (extras.length === 0) return null;
  return (
    <section class="extras" aria-label={t('Other parameters')}>
      <h3>{t('Other parameters')}</h3>
      <p class="soft small">{t('The form cannot show these. They are kept as they were imported.')}</p>
      <ul>
        {extras.map(([name, value]) => (
          <li key={name} data-extra={name}>
            <div class="grow">
              <code class="break">
                {name}: {JSON.stringify(value)}
              </code>
              {step.faults.value.fields[name] === undefined ? null : (
                <p class="field-error">
                  <Icon name="circle-alert" size={16} />
                  <span class="break">{step.faults.value.fields[name]}</span>
                </p>
              )}
            </div>
            <Button size="small" kind="quiet" icon="x" onClick={() => step.removeExtra(name)}>
              {t('Remove')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
