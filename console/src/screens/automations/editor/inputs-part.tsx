import { useState } from 'preact/hooks';
import { Button, Field, IconButton, Select } from '../../../components/index.ts';
import { rt } from '../../../i18n/index.ts';
import { listSources } from '../model/automation.ts';
import type { AutomationDraft, InputDraft } from '../model/automation-draft.ts';
import { t } from '../texts.ts';
import { SourceDialog } from './source-dialog.tsx';
import { TriggerForm } from './trigger-form.tsx';

/** Where files come from, and when. */
export function InputsPart({ draft }: { readonly draft: AutomationDraft }) {
  const inputs = draft.inputs.value;
  return (
    <section class="card stack" aria-labelledby="automation-inputs">
      <h2 id="automation-inputs">{t('Where files come from')}</h2>
      {inputs.map((input, at) => (
        <fieldset class="automation-part stack" key={input.key} data-input={at}>
          <legend class="row between">
            {t('Input {number}', { number: at + 1 })}
            {inputs.length > 1 ? (
              <IconButton
                icon="trash-2"
                size="small"
                label={t('Remove input {number}', { number: at + 1 })}
                onClick={() => draft.removeInput(input)}
              />
            ) : null}
          </legend>
          <InputForm draft={draft} input={input} />
        </fieldset>
      ))}
      <div class="row">
        <Button size="small" icon="plus" onClick={() => draft.addInput()}>
          {t('Add an input')}
        </Button>
      </div>
    </section>
  );
}

function InputForm({ draft, input }: { readonly draft: AutomationDraft; readonly input: InputDraft }) {
  /** The id of the source that is changed; null makes a new one. */
  const [edited, setEdited] = useState<string | null | undefined>();
  const { sources, kinds } = draft.known.value;
  const source = input.source.value;
  const titleOf = (type: string): string => rt(kinds.sources.find((kind) => kind.type === type)?.title ?? type);
  const reload = async (id: string): Promise<void> => {
    draft.known.value = { ...draft.known.value, sources: await listSources() };
    if (id !== source) input.choose(id);
    else input.fault.value = undefined;
  };
  return (
    <>
      <div data-field="source">
        <Field label={t('Source of the files')} error={input.fault.value}>
          {(control) => (
            <Select
              control={control}
              value={source ?? ''}
              options={[
                { value: '', label: t('Only files that somebody uploads') },
                ...sources.map(({ id, name, type }) => ({ value: id, label: `${name} (${titleOf(type)})` })),
              ]}
              onValue={(value) => input.choose(value === '' ? null : value)}
            />
          )}
        </Field>
      </div>
      <div class="row">
        <Button size="small" icon="plus" data-new-source onClick={() => setEdited(null)}>
          {t('New source')}
        </Button>
        {source === null ? null : (
          <Button size="small" icon="pencil" onClick={() => setEdited(source)}>
            {t('Change the source')}
          </Button>
        )}
      </div>
      {source === null ? null : <TriggerForm input={input} />}
      {edited === undefined ? null : (
        <SourceDialog
          kinds={kinds.sources}
          {...(edited === null ? {} : { id: edited })}
          onClose={() => setEdited(undefined)}
          onSaved={reload}
        />
      )}
    </>
  );
}
