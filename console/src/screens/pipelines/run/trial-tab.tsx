import { useState } from 'preact/hooks';
import { Button, Icon, ProblemNotice, Progress } from '../../../components/index.ts';
import { saveFile } from '../../../files/index.ts';
import { formatBytes, formatDuration } from '../../../i18n/index.ts';
import { DocumentView } from '../../../viewers/index.ts';
import { FilePart } from '../../tool/file-part.tsx';
import { ReportView } from '../../tool/report-view.tsx';
import type { Step } from '../model/step.ts';
import { titleOf } from '../step-card.tsx';
import { t } from '../texts.ts';
import type { RunFiles } from './run-files.ts';
import type { StepResult } from './trial.ts';

interface TrialTabProps {
  readonly files: RunFiles;
  /** The pipeline can run. */
  readonly ready: boolean;
}

/** Runs the steps one after the other, and shows what each returns. */
export function TrialTab({ files, ready }: TrialTabProps) {
  const { trial, draft, part } = files;
  const steps = files.pipeline.enabledSteps.value.filter((step) => trial.results.value.has(step));
  const running = trial.running.value;
  return (
    <div class="stack">
      <p class="soft small">{t('Runs the steps one after the other and shows the files after each of them.')}</p>
      <FilePart draft={draft} part={part} many />
      <div class="row">
        <Button
          kind="primary"
          icon="footprints"
          data-trial
          disabled={!ready || running || files.files.length === 0}
          onClick={() => void trial.start(files.files)}
        >
          {t('Try it step by step')}
        </Button>
        {running ? (
          <Button icon="x" onClick={() => trial.stop()}>
            {t('Stop')}
          </Button>
        ) : null}
      </div>
      {steps.length === 0 ? null : (
        <ol class="trial" aria-label={t('Results of the steps')} aria-busy={running}>
          {steps.map((step, i) => (
            <TrialStep key={step.id} step={step} number={i + 1} files={files} />
          ))}
        </ol>
      )}
    </div>
  );
}

const icons = { running: 'loader', done: 'circle-check', failed: 'circle-alert', stopped: 'circle-slash' } as const;

interface TrialStepProps {
  readonly step: Step;
  readonly number: number;
  readonly files: RunFiles;
}

function TrialStep({ step, number, files }: TrialStepProps) {
  const { trial } = files;
  const result = trial.results.value.get(step)!;
  const [shown, setShown] = useState<number | undefined>();
  const file = shown === undefined ? undefined : result.files[shown];
  return (
    <li class={`trial-step stack-small ${result.state}`} data-trial-step={number} data-state={result.state}>
      <div class="trial-head">
        <Icon name={icons[result.state]} size={18} />
        <div class="grow">
          <p class="trial-title break">{t('{number}. {step}', { number, step: titleOf(step) })}</p>
          <p class="soft small" role="status">
            {stateWords(result)}
          </p>
        </div>
        <Button
          size="small"
          kind="quiet"
          icon="rotate-ccw"
          disabled={trial.running.value}
          onClick={() => void trial.again(step)}
        >
          {t('Run again from here')}
        </Button>
      </div>
      {result.state === 'running' ? <Progress label={t('Working …')} value={result.progress || undefined} /> : null}
      {result.problem === undefined ? null : <ProblemNotice problem={result.problem} />}
      {result.dropped === 0 || result.state === 'running' ? null : (
        <p class="soft small">
          {t.count(result.dropped, '{count} file goes no further here', '{count} files go no further here')}
        </p>
      )}
      <ul class="trial-files">
        {result.files.map((each, i) => (
          <li key={i}>
            <button type="button" aria-expanded={shown === i} onClick={() => setShown(shown === i ? undefined : i)}>
              <Icon name={shown === i ? 'eye-off' : 'eye'} size={16} />
              <span class="grow break">{each.name}</span>
              <span class="soft small">{formatBytes(each.size)}</span>
            </button>
            <Button
              kind="quiet"
              size="small"
              icon="download"
              class="icon-button small"
              aria-label={t('Download: {file}', { file: each.name })}
              onClick={() => saveFile(each, each.name)}
            />
          </li>
        ))}
      </ul>
      {file === undefined ? null : <DocumentView source={file} name={file.name} />}
      {result.headers.map((header, i) => (
        <ReportView key={i} outcome={{ header }} />
      ))}
    </li>
  );
}

function stateWords({ state, inputs, files, ms }: StepResult): string {
  const sizes = { before: sizeOf(inputs), after: sizeOf(files), time: formatDuration(ms) };
  switch (state) {
    case 'running':
      return t('Working …');
    case 'done':
      return files.length === 0 ? t('No file is left.') : t('{before} → {after} in {time}', sizes);
    case 'failed':
      return t('Failed');
    case 'stopped':
      return t('Stopped');
  }
}

function sizeOf(files: readonly File[]): string {
  return formatBytes(files.reduce((sum, { size }) => sum + size, 0));
}
