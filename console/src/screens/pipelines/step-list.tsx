import { useEffect, useState } from 'preact/hooks';
import { Button, Icon, IconButton } from '../../components/index.ts';
import { AddStepDialog } from './add-step-dialog.tsx';
import { kindWords } from './kind-words.ts';
import type { Flowing } from './model/flow.ts';
import type { Pipeline } from './model/pipeline.ts';
import type { Step } from './model/step.ts';
import { StepCard, titleOf } from './step-card.tsx';
import { t } from './texts.ts';
import { UndoBar } from './undo-bar.tsx';

/** The steps in order, with the kinds of files that flow between them. */
export function StepList({ pipeline }: { readonly pipeline: Pipeline }) {
  const [adding, setAdding] = useState<number | undefined>();
  const [dragged, setDragged] = useState<Step | undefined>();
  const [added, setAdded] = useState<Step | undefined>();
  const [said, setSaid] = useState('');
  // After the dialog has given the focus back.
  useEffect(() => {
    if (added !== undefined) focusStep(pipeline.steps.value.indexOf(added) + 1);
  }, [added]);
  const steps = pipeline.steps.value;
  const flow = pipeline.flow.value;
  const move = (step: Step, to: number): void => {
    if (to < 0 || to >= steps.length) return;
    pipeline.move(step, to);
    setSaid(t('{step} is now step {number} of {total}', { step: titleOf(step), number: to + 1, total: steps.length }));
  };
  const last = steps.at(-1);
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
        {said}
      </p>
      <ol class="step-list">
        {steps.map((step, i) => (
          <li
            key={step.id}
            class={`step-item ${dragged === step ? 'dragged' : ''}`}
            data-step={i + 1}
            onDragOver={(event) => {
              if (dragged === undefined) return;
              event.preventDefault();
              if (dragged !== step) move(dragged, i);
            }}
            onDrop={(event) => dragged !== undefined && event.preventDefault()}
          >
            <Connector
              files={flow.get(step)!.before}
              refused={flow.get(step)!.refused}
              first={i === 0}
              onAdd={() => setAdding(i)}
            />
            <StepCard
              pipeline={pipeline}
              step={step}
              index={i}
              total={steps.length}
              onMove={(to) => move(step, to)}
              onDrag={setDragged}
            />
          </li>
        ))}
      </ol>
      {last === undefined ? null : <Connector files={flow.get(last)!.after} refused={false} first={false} />}
      <div class="add-step">
        <Button kind={last === undefined ? 'primary' : 'plain'} icon="plus" onClick={() => setAdding(steps.length)}>
          {t('Add a step')}
        </Button>
      </div>
      {adding === undefined ? null : (
        <AddStepDialog
          reaching={adding === 0 ? undefined : flow.get(steps[adding - 1]!)?.after.kinds}
          onClose={() => setAdding(undefined)}
          onChoose={(path) => {
            setAdding(undefined);
            setAdded(pipeline.add(path, adding));
          }}
        />
      )}
    </>
  );
}

/** The focus goes to the first field of a step, or to its head. */
function focusStep(number: number): void {
  const card = document.querySelector<HTMLElement>(`[data-step="${number}"] .step-card`);
  const field = card?.querySelector<HTMLElement>('.step-body :is(input, select, textarea)');
  (field ?? card?.querySelector<HTMLElement>('.step-toggle'))?.focus();
  card?.scrollIntoView({ block: 'nearest' });
}

interface ConnectorProps {
  readonly files: Flowing;
  readonly refused: boolean;
  readonly first: boolean;
  readonly onAdd?: () => void;
}

/** What flows into the next step. */
function Connector({ files, refused, first, onAdd }: ConnectorProps) {
  if (first) return null;
  const words = kindWords(files.kinds);
  return (
    <div class={`connector ${refused ? 'refused' : ''}`}>
      <span class="connector-line" aria-hidden="true" />
      <span class={`badge ${refused ? 'danger' : ''}`}>
        {refused ? <Icon name="circle-alert" size={14} /> : <Icon name="arrow-down" size={14} />}
        {files.many ? t('{kinds}, one or several files', { kinds: words }) : words}
      </span>
      {onAdd === undefined ? null : (
        <IconButton class="insert" size="small" icon="plus" label={t('Insert a step here')} onClick={onAdd} />
      )}
    </div>
  );
}
