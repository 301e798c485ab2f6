import { Button, ProblemNotice } from '../../../components/index.ts';
import { FilePart } from '../../tool/file-part.tsx';
import { ResultPanel } from '../../tool/result-panel.tsx';
import { ItemProgress } from '../../tool/run-parts.tsx';
import type { RunItem } from '../../tool/run/run.ts';
import { titleOf } from '../steps/step-card.tsx';
import { t } from '../texts.ts';
import type { RunFiles } from './run-files.ts';
import { ValuesForm } from './values-form.tsx';

interface RunTabProps {
  readonly files: RunFiles;
  /** The pipeline can run. */
  readonly ready: boolean;
}

/** Runs the whole pipeline on one or several files, in one call that goes on as a job. */
export function RunTab({ files, ready }: RunTabProps) {
  const { draft, part } = files;
  const item = files.item.value;
  const running = item !== undefined && !item.ended;
  return (
    <div class="stack">
      <p class="soft small">
        {files.savedAs === undefined
          ? t('Runs all steps in one call. What takes longer goes on as a job.')
          : t('Runs all steps in one call, with the passwords that are stored on the server.')}
      </p>
      <FilePart draft={draft} part={part} many />
      <ValuesForm files={files} help={t('They take the place of the placeholders in texts.')} />
      <div class="row">
        <Button
          kind="primary"
          icon="play"
          data-run
          disabled={!ready || running || files.files.length === 0}
          onClick={() => void files.run()}
        >
          {t('Run')}
        </Button>
        {running ? (
          <Button icon="x" onClick={() => void item.cancel()}>
            {t('Cancel')}
          </Button>
        ) : null}
      </div>
      {item === undefined ? null : <ItemState files={files} item={item} />}
    </div>
  );
}

function ItemState({ files, item }: { readonly files: RunFiles; readonly item: RunItem }) {
  const outcome = item.outcome.value;
  const problem = item.problem.value;
  if (outcome !== undefined) return <ResultPanel draft={files.draft} item={item} outcome={outcome} />;
  if (item.state.value === 'cancelled') return <p role="status">{t('Cancelled')}</p>;
  if (problem !== undefined) return <ProblemNotice problem={problem} />;
  const at = item.job.value?.step?.index;
  // Jobs count operations in the order in which they are written.
  const steps = files.pipeline.placed().flatMap(([each]) => (each.branchForm === undefined ? [each] : []));
  const step = at === undefined ? undefined : steps[at];
  return (
    <div class="stack-small" role="status">
      <ItemProgress item={item} />
      {at === undefined || step === undefined ? null : (
        <p class="soft small">
          {t('Step {number} of {total}: {step}', { number: at + 1, total: steps.length, step: titleOf(step) })}
        </p>
      )}
    </div>
  );
}
