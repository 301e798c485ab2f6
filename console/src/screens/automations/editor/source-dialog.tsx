import { useState } from 'preact/hooks';
import { apiAddress, asProblem, type Problem } from '../../../api/index.ts';
import {
  Button,
  Dialog,
  Field,
  LoadedView,
  Notice,
  ProblemNotice,
  Select,
  TextInput,
  useLoaded,
} from '../../../components/index.ts';
import { faultsByField } from '../../../form/faults.ts';
import { ToolForm } from '../../../form/form.tsx';
import { rt } from '../../../i18n/index.ts';
import { copy } from '../../tool/snippet-panel.tsx';
import { getSource, saveSource, type Kind, type Source } from '../model/automation.ts';
import { FieldsDraft } from '../model/fields-draft.ts';
import { t } from '../texts.ts';

interface SourceDialogProps {
  readonly kinds: readonly Kind[];
  /** The source that is changed. */
  readonly id?: string;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => Promise<void>;
}

/** Stands for a secret that is not shown. */
const HIDDEN = /^\*+$/;

/** Makes a source, or changes one; what the server made for it is shown once. */
export function SourceDialog({ kinds, id, onClose, onSaved }: SourceDialogProps) {
  const [made, setMade] = useState<Source | undefined>();
  const loaded = useLoaded(
    async (signal) => ({ source: id === undefined ? undefined : await getSource(id, signal) }),
    [id],
  );
  const saved = async (source: Source): Promise<void> => {
    await onSaved(source.id);
    if (secretOf(source) === undefined) onClose();
    else setMade(source);
  };
  return (
    <Dialog
      title={
        made !== undefined ? t('The webhook is ready') : id === undefined ? t('New source') : t('Change the source')
      }
      onClose={onClose}
      // A stray click must not take away what is shown only once.
      closable={made === undefined}
    >
      {made !== undefined ? (
        <WebhookFacts source={made} onClose={onClose} />
      ) : (
        <LoadedView loaded={loaded}>
          {({ source }) => <SourceForm kinds={kinds} {...(source && { source })} onClose={onClose} onSaved={saved} />}
        </LoadedView>
      )}
    </Dialog>
  );
}

interface SourceFormProps {
  readonly kinds: readonly Kind[];
  readonly source?: Source;
  readonly onClose: () => void;
  readonly onSaved: (source: Source) => Promise<void>;
}

function SourceForm({ kinds, source, onClose, onSaved }: SourceFormProps) {
  const [type, setType] = useState(source?.type ?? kinds[0]?.type ?? '');
  const kind = kinds.find((one) => one.type === type);
  const [drafts] = useState(
    () => new Map(kinds.map((one) => [one.type, new FieldsDraft(() => one.fields, optionsFor(one, source))])),
  );
  const options = drafts.get(type);
  const [name, setName] = useState(source?.name ?? '');
  const [nameFault, setNameFault] = useState<string | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const [busy, setBusy] = useState(false);
  const attempt = async (form: FieldsDraft): Promise<void> => {
    const title = name.trim();
    setNameFault(title === '' ? t('Enter a name.') : undefined);
    if (!form.check() || title === '') return;
    setBusy(true);
    setProblem(undefined);
    try {
      const { id, enabled = true } = source ?? {};
      await onSaved(await saveSource({ ...(id && { id }), name: title, type, enabled, options: form.options }));
    } catch (error) {
      const found = asProblem(error);
      form.refused.value = faultsByField(found.faults, '/options/');
      setNameFault(faultsByField(found.faults)['name']);
      setProblem(found);
    } finally {
      setBusy(false);
    }
  };
  if (kind === undefined || options === undefined) return <p>{t('This server has no kind of source.')}</p>;
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        if (!busy) void attempt(options);
      }}
    >
      <Field label={t('Kind')} help={rt(kind.help)}>
        {(control) => (
          <Select
            control={control}
            value={type}
            disabled={source !== undefined}
            options={kinds.map((one) => ({ value: one.type, label: rt(one.title) }))}
            onValue={(next) => {
              setType(next);
              setProblem(undefined);
            }}
          />
        )}
      </Field>
      <div data-field="name">
        <Field label={t('Name')} required error={nameFault}>
          {(control) => <TextInput control={control} maxLength={80} value={name} onText={setName} />}
        </Field>
      </div>
      {kind.fields.length === 0 ? null : <ToolForm key={type} draft={options} />}
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <div class="dialog-actions">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button kind="primary" type="submit" busy={busy}>
          {t('Save the source')}
        </Button>
      </div>
    </form>
  );
}

/** The address and the secret of a new webhook. */
function WebhookFacts({ source, onClose }: { readonly source: Source; readonly onClose: () => void }) {
  const facts = [
    [
      'address',
      t('Address'),
      new URL(apiAddress(`webhooks/${String(source.options['webhookId'])}`), location.href).href,
    ],
    ['secret', t('Secret'), secretOf(source) ?? ''],
  ] as const;
  return (
    <div class="stack">
      <Notice kind="warning">
        <p>{t('Copy the secret now: it is not shown again. Programs sign the files that they send with it.')}</p>
      </Notice>
      {facts.map(([id, label, value]) => (
        <Field
          key={id}
          label={label}
          aside={
            <Button
              size="small"
              icon="copy"
              aria-label={t('Copy: {what}', { what: label })}
              onClick={() => void copy(value)}
            >
              {t('Copy')}
            </Button>
          }
        >
          {(control) => (
            <TextInput
              control={control}
              class="code"
              data-webhook={id}
              readOnly
              value={value}
              onText={() => undefined}
            />
          )}
        </Field>
      ))}
      <div class="dialog-actions">
        <Button kind="primary" onClick={onClose}>
          {t('Done')}
        </Button>
      </div>
    </div>
  );
}

function optionsFor(kind: Kind, source: Source | undefined): Source['options'] {
  return source?.type === kind.type ? source.options : {};
}

/** The secret that the server has made, in the one answer that has it. */
function secretOf({ options }: Source): string | undefined {
  const secret = options['signingSecret'];
  return typeof secret === 'string' && !HIDDEN.test(secret) ? secret : undefined;
}
