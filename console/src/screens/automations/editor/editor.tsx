import { useState } from 'preact/hooks';
import { asProblem, type Problem } from '../../../api/index.ts';
import { LeaveQuestion, useEditGuard } from '../../../app/leave-guard.tsx';
import { navigate } from '../../../app/router.ts';
import {
  Button,
  Field,
  focusFault,
  LinkButton,
  LoadedView,
  Notice,
  Switch,
  TextArea,
  TextInput,
  toast,
  useLoaded,
} from '../../../components/index.ts';
import { listSaved } from '../../pipelines/saved/saved.ts';
import { getAutomation, getKinds, listSources, saveAutomation } from '../model/automation.ts';
import { AutomationDraft } from '../model/automation-draft.ts';
import { mayChange } from '../model/rights.ts';
import { t } from '../texts.ts';
import { DestinationsPart } from './destinations-part.tsx';
import { InputsPart } from './inputs-part.tsx';
import { MorePart } from './more-part.tsx';
import { SaveProblem } from './save-problem.tsx';
import { WorkPart } from './work-part.tsx';

const WRONG_FIELD = '.automation-editor .field.wrong';

/** Makes an automation, or changes the one with this id. */
export function Editor({ id }: { readonly id?: string }) {
  const loaded = useLoaded(
    async (signal) => {
      const [kinds, sources, saved, before] = await Promise.all([
        getKinds(signal),
        listSources(signal),
        listSaved(signal),
        id === undefined ? undefined : getAutomation(id, signal),
      ]);
      return new AutomationDraft({ kinds, sources, saved }, before);
    },
    [id],
  );
  return (
    <div class="page automation-editor">
      <header class="page-head">
        <nav class="crumbs small" aria-label={t('You are here')}>
          <a href="automations">{t('Automations')}</a>
        </nav>
        <h1>{id === undefined ? t('New automation') : t('Change the automation')}</h1>
      </header>
      {mayChange() ? (
        <LoadedView loaded={loaded}>{(draft) => <EditorForm draft={draft} />}</LoadedView>
      ) : (
        <Notice>
          <p>{t('Only administrators make and change automations. Ask one of them.')}</p>
        </Notice>
      )}
    </div>
  );
}

function EditorForm({ draft }: { readonly draft: AutomationDraft }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const [attempted, setAttempted] = useState(false);
  const { leave, forget } = useEditGuard(() => draft.sent);
  const home = draft.before === undefined ? 'automations' : `automations/${draft.before.id}`;
  const attempt = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    draft.refuse([]);
    try {
      const saved = await saveAutomation(draft.sent, draft.before);
      forget();
      toast(t('“{name}” is saved.', { name: saved.name }));
      navigate(`automations/${saved.id}`);
    } catch (error) {
      const found = asProblem(error);
      draft.refuse(found.faults);
      setProblem(found);
      focusFault(WRONG_FIELD);
    } finally {
      setBusy(false);
    }
  };
  const submit = (): void => {
    setAttempted(true);
    const isComplete = draft.check() && draft.name.value.trim() !== '' && draft.pipeline.value.length > 0;
    if (isComplete) void attempt();
    else focusFault(WRONG_FIELD);
  };
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) submit();
      }}
    >
      <NamePart draft={draft} attempted={attempted} />
      <WorkPart draft={draft} attempted={attempted} />
      <InputsPart draft={draft} />
      <DestinationsPart draft={draft} />
      <MorePart draft={draft} />
      <LeaveQuestion question={leave} text={t('What you have entered here is not saved yet.')} />
      {problem === undefined ? null : <SaveProblem others={draft.others.value} problem={problem} />}
      <div class="row">
        <Button kind="primary" type="submit" icon="check" busy={busy}>
          {t('Save')}
        </Button>
        <LinkButton href={home}>{t('Cancel')}</LinkButton>
      </div>
    </form>
  );
}

interface PartProps {
  readonly draft: AutomationDraft;
  /** What is missing is shown. */
  readonly attempted: boolean;
}

function NamePart({ draft, attempted }: PartProps) {
  const isMissing = attempted && draft.name.value.trim() === '';
  const { name, description } = draft.refused.value;
  return (
    <section class="card stack" aria-label={t('Name')}>
      <div data-field="name">
        <Field label={t('Name')} required error={name ?? (isMissing ? t('Enter a name.') : undefined)}>
          {(control) => (
            <TextInput
              control={control}
              maxLength={80}
              value={draft.name.value}
              onText={(text) => draft.rename(text)}
            />
          )}
        </Field>
      </div>
      <Field label={t('Description')} error={description}>
        {(control) => (
          <TextArea
            control={control}
            rows={2}
            maxLength={2000}
            value={draft.description.value}
            onText={(text) => (draft.description.value = text)}
          />
        )}
      </Field>
      <div class="switch-line">
        <Field label={t('Switched on')} help={t('Schedules and new files start it. It can always be started by hand.')}>
          {(control) => (
            <Switch
              control={control}
              checked={draft.enabled.value}
              onChecked={(checked) => (draft.enabled.value = checked)}
            />
          )}
        </Field>
      </div>
    </section>
  );
}
