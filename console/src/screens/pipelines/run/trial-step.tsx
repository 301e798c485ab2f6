import { useState } from 'preact/hooks';
import { Button, Icon, ProblemNotice, Progress } from '../../../components/index.ts';
import { formatBytes, formatDuration, formatList, formatNumber } from '../../../i18n/index.ts';
import { DocumentView } from '../../../viewers/index.ts';
import { FileRows } from '../../tool/run/file-rows.tsx';
import { ReportView } from '../../tool/report-view.tsx';
import { branchTitle, factTitle, valueWords } from '../model/branches.ts';
import { API } from '../model/definition.ts';
import type { Step } from '../model/step.ts';
import { titleOf as toolTitle } from '../step-icons.tsx';
import { titleOf } from '../steps/step-card.tsx';
import { t } from '../texts.ts';
import type { Decision } from './decisions.ts';
import type { StepResult, Trial } from './trial.ts';

const icons = { running: 'loader', done: 'circle-check', failed: 'circle-alert', stopped: 'circle-slash' } as const;

interface TrialStepsProps {
  readonly trial: Trial;
  readonly steps: readonly Step[];
  /** Number of the step and branch around, such as `2.1`; empty for the steps of the pipeline. */
  readonly place?: string;
  readonly label: string;
}

/** The steps that have run so far, with those inside of them. */
export function TrialSteps({ trial, steps, place = '', label }: TrialStepsProps) {
  const begun = steps.filter((step) => trial.results.value.has(step));
  if (begun.length === 0) return null;
  return (
    <ol class="trial" aria-label={label} aria-busy={trial.running.value}>
      {begun.map((step) => {
        const number = steps.indexOf(step) + 1;
        return (
          <TrialStep
            key={step.id}
            step={step}
            place={place === '' ? `${number}` : `${place}.${number}`}
            trial={trial}
          />
        );
      })}
    </ol>
  );
}

interface TrialStepProps {
  readonly step: Step;
  readonly place: string;
  readonly trial: Trial;
}

function TrialStep({ step, place, trial }: TrialStepProps) {
  const result = trial.results.value.get(step)!;
  const isInner = place.includes('.');
  return (
    <li class={`trial-step stack-small ${result.state}`} data-trial-step={place} data-state={result.state}>
      <div class="trial-head">
        <Icon name={icons[result.state]} size={18} />
        <div class="grow">
          <p class="trial-title break">
            {t('{number}. {step}', { number: place.slice(place.lastIndexOf('.') + 1), step: titleOf(step) })}
          </p>
          <p class="soft small" role="status">
            {stateWords(result)}
          </p>
        </div>
        {isInner ? null : (
          <Button
            size="small"
            kind="quiet"
            icon="rotate-ccw"
            disabled={trial.running.value}
            onClick={() => void trial.again(step)}
          >
            {t('Run again from here')}
          </Button>
        )}
      </div>
      {result.state === 'running' ? <Progress label={t('Working …')} value={result.progress || undefined} /> : null}
      {result.forgiven === undefined ? null : (
        <p class="soft small break">
          {t('It failed, and the pipeline goes on: {reason}', { reason: result.forgiven.message })}
        </p>
      )}
      {/* What failed inside is shown there. */}
      {result.problem === undefined || hasFailedInside(step, trial) ? null : <ProblemNotice problem={result.problem} />}
      {result.dropped === 0 || result.state === 'running' ? null : (
        <p class="soft small">
          {t.count(result.dropped, '{count} file goes no further here', '{count} files go no further here')}
        </p>
      )}
      {result.decisions.length === 0 ? null : <Decisions step={step} decisions={result.decisions} />}
      {step.branches.value.map((branch, i) => {
        const steps = branch.steps.value.filter(({ enabled }) => enabled.value);
        if (!steps.some((inner) => trial.results.value.has(inner))) return null;
        const label = branchTitle(step, i);
        return (
          <div key={branch.id} class="trial-inner">
            <p class="branch-title small">{label}</p>
            <TrialSteps trial={trial} steps={steps} place={`${place}.${i + 1}`} label={label} />
          </div>
        );
      })}
      <TrialFiles files={result.files} />
      {result.headers.map((header, i) => (
        <ReportView key={i} outcome={{ header }} />
      ))}
    </li>
  );
}

/** Which way each file went, and why. */
function Decisions({ step, decisions }: { readonly step: Step; readonly decisions: readonly Decision[] }) {
  return (
    <ul class="trial-decisions small" aria-label={t('Which way files went')}>
      {decisions.map(({ file, taken, found }, i) => (
        <li key={i} data-decision={taken}>
          <Icon name="split" size={14} />
          <bdi class="break">{file}</bdi>
          <span class={`badge ${taken === 'then' ? 'done' : ''}`}>{branchTitle(step, taken === 'then' ? 0 : 1)}</span>
          <span class="soft break">{formatList(found.map(foundWords))}</span>
        </li>
      ))}
    </ul>
  );
}

/** What was found: `Number of pages = 12`. */
function foundWords({ fact, filter, value }: Decision['found'][number]): string {
  const name = fact === undefined ? toolTitle(String(filter).replace(API, '')) : factTitle(fact);
  if (value === null) return t('{fact}: files of this type have none', { fact: name });
  return `${name} = ${typeof value === 'number' ? formatNumber(value) : valueWords(value)}`;
}

function TrialFiles({ files }: { readonly files: readonly File[] }) {
  const [shown, setShown] = useState<number | undefined>();
  const file = shown === undefined ? undefined : files[shown];
  return (
    <>
      <FileRows
        files={files}
        shown={shown}
        onShow={(i) => setShown(shown === i ? undefined : i)}
        closes
        read={(each) => Promise.resolve(each)}
      />
      {file === undefined ? null : <DocumentView source={file} name={file.name} />}
    </>
  );
}

function hasFailedInside(step: Step, { results }: Trial): boolean {
  return step.branches.value.some(({ steps }) =>
    steps.value.some((inner) => results.value.get(inner)?.state === 'failed'),
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
