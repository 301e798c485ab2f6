import { useEffect, useState } from 'preact/hooks';
import { asProblem, callJson, type Problem } from '../../../api/index.ts';
import { LeaveQuestion, useEditGuard } from '../../../app/leave-guard.tsx';
import { navigate } from '../../../app/router.ts';
import { Button, focusFault, LinkButton, Notice, toast } from '../../../components/index.ts';
import { ToolForm } from '../../../form/form.tsx';
import { SaveProblem } from '../../automations/editor/save-problem.tsx';
import { CheckLine } from '../../pipelines/check-line.tsx';
import { hasPlaceholders } from '../../pipelines/model/sample-values.ts';
import { OffNotice } from '../../pipelines/off-notice.tsx';
import { StartDialog } from '../../pipelines/start-dialog.tsx';
import { Steps } from '../../pipelines/steps/step-list.tsx';
import { t } from '../texts.ts';
import type { ProcessingDraft } from './processing-draft.ts';
import { ProcessingState } from './processing-state.tsx';

/** What it does now, the steps, and where their results go, with the button that saves both. */
export function ProcessingForm({ draft }: { readonly draft: ProcessingDraft }) {
  const { folder, before, output } = draft;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const { leave, forget } = useEditGuard(() => draft.sent);
  const home = `files/${encodeURIComponent(folder.id)}`;
  const leaveSaved = (): void => {
    forget();
    navigate(home);
  };
  const showFaults = (): void => {
    draft.openFaulty();
    focusFault('.processing .field.wrong', '.processing .step-card.faulty', '.processing .add-step');
  };
  const attempt = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    draft.refuse([]);
    try {
      await callJson('processing-folders', { body: draft.sent });
      toast(t('The processing of “{name}” is saved.', { name: folder.name }));
      leaveSaved();
    } catch (error) {
      const found = asProblem(error);
      draft.refuse(found.faults);
      setProblem(found);
      showFaults();
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {before === undefined ? null : <ProcessingState processing={before} folder={folder} onEnded={leaveSaved} />}
      <StepsPart draft={draft} />
      <section class="card stack" aria-labelledby="processing-output">
        <h2 id="processing-output">{t('Where results go')}</h2>
        <ToolForm draft={output} />
      </section>
      <LeaveQuestion question={leave} text={t('What you have entered here is not saved yet.')} />
      {problem === undefined ? null : <SaveProblem others={draft.others.value} problem={problem} />}
      <div class="row">
        <Button
          kind="primary"
          icon="check"
          data-save
          busy={busy}
          onClick={() => (draft.isComplete() ? void attempt() : showFaults())}
        >
          {t('Save')}
        </Button>
        <LinkButton href={home}>{t('Cancel')}</LinkButton>
      </div>
    </>
  );
}

function StepsPart({ draft: { pipeline, check } }: { readonly draft: ProcessingDraft }) {
  const [starting, setStarting] = useState(false);
  const checked = JSON.stringify(pipeline.json.value);
  useEffect(() => check.later(), [checked]);
  const keepsText = pipeline.placed().some(([step]) => hasPlaceholders(step.toJson()['parameters'] ?? {}));
  return (
    <section class="stack" aria-labelledby="processing-steps">
      <div class="row between">
        <h2 id="processing-steps">{t('Steps')}</h2>
        <Button size="small" icon="file-input" onClick={() => setStarting(true)}>
          {t('Use steps of a pipeline')}
        </Button>
      </div>
      <Steps pipeline={pipeline} />
      <OffNotice pipeline={pipeline} />
      {keepsText ? (
        <Notice kind="warning">
          <p>{t('Placeholders such as {example} in fields are not filled in here.', { example: '{{date}}' })}</p>
        </Notice>
      ) : null}
      <CheckLine pipeline={pipeline} check={check.result.value} />
      {starting ? (
        <StartDialog
          onClose={() => setStarting(false)}
          onChoose={({ json, off, ask }) => pipeline.read({ pipeline: json.pipeline }, off, ask)}
        />
      ) : null}
    </section>
  );
}
