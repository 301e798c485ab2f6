import { useState } from 'preact/hooks';
import { Button, Icon, IconButton, Menu, Notice, ProblemNotice, Progress, ToolIcon } from '../../components/index.ts';
import { formatBytes, rt } from '../../i18n/index.ts';
import { DocumentView } from '../../viewers/index.ts';
import { FilePart } from '../tool/file-part.tsx';
import { ToolForm } from '../../form/form.tsx';
import { ReportView } from '../tool/report-view.tsx';
import type { PipelineModel, Step } from './pipeline-model.ts';
import { t } from './texts.ts';
import type { StepResult } from './trial-run.ts';

interface StepCardProps {
  readonly model: PipelineModel;
  readonly step: Step;
  readonly index: number;
  readonly faults: readonly string[];
  readonly result: StepResult | undefined;
  /** Index of the step that is dragged. */
  readonly dragged: number | undefined;
  readonly onDrag: (index: number | undefined) => void;
}

/** One step: its fields, second files, faults, and the result of a trial run. */
export function StepCard({ model, step, index, faults, result, dragged, onDrag }: StepCardProps) {
  const { operation, draft } = step;
  const [open, setOpen] = useState(true);
  const off = step.off.value;
  const title = operation === undefined ? step.definition.operation : rt(operation.title);
  const files = draft?.shownParts.filter(({ field }) => field !== 'fileInput') ?? [];
  return (
    <section
      class={`card step stack ${off ? 'off' : ''} ${dragged === index ? 'dragged' : ''} ${faults.length > 0 ? 'wrong' : ''}`}
      aria-label={t('Step {number}: {tool}', { number: index + 1, tool: title })}
      onDragOver={(event) => {
        if (dragged === undefined) return;
        event.preventDefault();
        if (dragged !== index) {
          model.move(dragged, index);
          onDrag(index);
        }
      }}
    >
      <header class="row">
        <span
          class="grip"
          draggable
          aria-hidden="true"
          onDragStart={(event) => {
            event.dataTransfer?.setData('text/plain', title);
            onDrag(index);
          }}
          onDragEnd={() => onDrag(undefined)}
        >
          <Icon name="grip-vertical" size={18} />
        </span>
        <span class="step-number">{index + 1}</span>
        <ToolIcon icon={operation?.icon ?? 'file-cog'} size={20} />
        <h2 class="grow break">{title}</h2>
        <IconButton
          size="small"
          icon="arrow-up"
          label={t('Move up: {tool}', { tool: title })}
          disabled={index === 0}
          onClick={() => model.move(index, index - 1)}
        />
        <IconButton
          size="small"
          icon="arrow-down"
          label={t('Move down: {tool}', { tool: title })}
          disabled={index === model.steps.value.length - 1}
          onClick={() => model.move(index, index + 1)}
        />
        <IconButton
          size="small"
          icon={open ? 'chevron-up' : 'chevron-down'}
          label={open ? t('Hide the options: {tool}', { tool: title }) : t('Show the options: {tool}', { tool: title })}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        />
        <Menu
          label={t('Actions for {name}', { name: title })}
          side="end"
          class="button quiet small icon-button"
          items={[
            {
              label: off ? t('Switch on') : t('Switch off'),
              icon: off ? 'circle-check' : 'circle-slash',
              run: () => (step.off.value = !off),
            },
            { label: t('Duplicate'), icon: 'copy', run: () => model.copy(index) },
            { label: t('Delete'), icon: 'trash-2', danger: true, apart: true, run: () => model.remove(index) },
          ]}
        >
          <Icon name="ellipsis" size={16} />
        </Menu>
      </header>
      {off ? <p class="soft small">{t('This step is switched off: files pass it unchanged.')}</p> : null}
      {faults.map((fault) => (
        <p key={fault} class="field-error">
          <Icon name="circle-alert" size={16} />
          <span>{fault}</span>
        </p>
      ))}
      {Object.keys(step.extra).length === 0 ? null : (
        <Notice>
          <p class="small break">
            {t('Kept as they were imported: {fields}', { fields: Object.keys(step.extra).join(', ') })}
          </p>
        </Notice>
      )}
      {open && draft !== undefined ? (
        <>
          {files.map((part) => (
            <FilePart key={part.field} draft={draft} part={part} many={part.many} />
          ))}
          <ToolForm draft={draft} />
        </>
      ) : null}
      {result === undefined ? null : <Intermediate result={result} />}
    </section>
  );
}

/** What a step of the trial run returned. */
function Intermediate({ result }: { readonly result: StepResult }) {
  const [shown, setShown] = useState<number | undefined>();
  const file = shown === undefined ? undefined : result.files[shown];
  return (
    <div class="intermediate stack" role="status">
      {result.state === 'running' ? <Progress label={t('Working …')} /> : null}
      {result.problem === undefined ? null : <ProblemNotice problem={result.problem} />}
      {result.dropped === 0 ? null : (
        <p class="soft small">
          {t.count(
            result.dropped,
            '{count} file does not match and ends here',
            '{count} files do not match and end here',
          )}
        </p>
      )}
      <ul class="row">
        {result.files.map((each, i) => (
          <li key={i}>
            <Button
              size="small"
              icon="eye"
              aria-expanded={shown === i}
              onClick={() => setShown(shown === i ? undefined : i)}
            >
              {each.name} <span class="soft">{formatBytes(each.size)}</span>
            </Button>
          </li>
        ))}
      </ul>
      {result.headers.map((header, i) => (
        <ReportView key={i} outcome={{ header }} />
      ))}
      {file === undefined ? null : <DocumentView source={file} name={file.name} />}
    </div>
  );
}
