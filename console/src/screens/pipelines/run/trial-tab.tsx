import { Button } from '../../../components/index.ts';
import { FilePart } from '../../tool/file-part.tsx';
import { t } from '../texts.ts';
import type { RunFiles } from './run-files.ts';
import { TrialSteps } from './trial-step.tsx';
import { ValuesForm } from './values-form.tsx';

interface TrialTabProps {
  readonly files: RunFiles;
  /** The pipeline can run. */
  readonly ready: boolean;
}

/** Runs the steps one after the other, and shows what each returns. */
export function TrialTab({ files, ready }: TrialTabProps) {
  const { trial, draft, part } = files;
  const running = trial.running.value;
  return (
    <div class="stack">
      <p class="soft small">{t('Runs the steps one after the other and shows the files after each of them.')}</p>
      <FilePart draft={draft} part={part} many />
      <ValuesForm files={files} help={t('Values that are left empty are filled with examples.')} />
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
      <TrialSteps trial={trial} steps={files.pipeline.enabledSteps.value} label={t('Results of the steps')} />
    </div>
  );
}
