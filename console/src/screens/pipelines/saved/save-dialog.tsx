import { useState } from 'preact/hooks';
import { apiAddress, config } from '../../../api/index.ts';
import { ActionDialog, Field, Switch, TextArea, TextInput, toast } from '../../../components/index.ts';
import type { Pipeline } from '../model/pipeline.ts';
import { placeholdersOf } from '../model/sample-values.ts';
import type { SavedLink } from '../model/store.ts';
import { t } from '../texts.ts';
import { askableOf, inputsOf, nameFor } from './save-inputs.ts';
import { savePipeline, type SavedPipeline } from './saved.ts';

interface SaveDialogProps {
  readonly pipeline: Pipeline;
  readonly onClose: () => void;
  readonly onSaved: (saved: SavedPipeline) => void;
}

/** Saves the pipeline on the server: a name, and what it asks for when it is run. */
export function SaveDialog({ pipeline, onClose, onSaved }: SaveDialogProps) {
  const link = pipeline.linkNow();
  const [title, setTitle] = useState(link?.title ?? pipeline.name.value);
  const [typedName, setName] = useState<string | undefined>(link?.name);
  const [description, setDescription] = useState(link?.description ?? '');
  const [shared, setShared] = useState(link?.sharedWith.some(({ kind }) => kind === 'everyone') ?? false);
  const askable = askableOf(pipeline.placed());
  const [asked, setAsked] = useState<ReadonlySet<string>>(
    new Set(link?.inputs.flatMap(({ field }) => (field === undefined ? [] : [field]))),
  );
  const placeholders = placeholdersOf(pipeline.json.value);
  const name = typedName ?? nameFor(title);
  const save = async (): Promise<void> => {
    const saved = await savePipeline(
      {
        name,
        title: title.trim(),
        description: description.trim(),
        definition: { ...pipeline.json.value, name: title.trim() },
        inputs: inputsOf(askable, asked, placeholders, link?.inputs ?? []),
        sharedWith: sharesOf(link, shared),
      },
      link?.version,
    );
    onSaved(saved);
    toast(t('“{title}” is saved as version {version}.', { title: saved.title, version: saved.version }));
  };
  return (
    <ActionDialog
      title={link === undefined ? t('Save on the server') : t('Save the next version')}
      action={t('Save')}
      valid={title.trim() !== '' && /^[a-z][a-z0-9-]*$/.test(name)}
      run={save}
      onClose={onClose}
    >
      <Field label={t('Title')} required>
        {(control) => <TextInput control={control} maxLength={60} value={title} onText={setTitle} />}
      </Field>
      <Field
        label={t('Name in addresses')}
        required
        help={t('Small letters, digits and hyphens. It runs at {address}.', { address: apiAddress(`tools/${name}`) })}
      >
        {(control) => (
          <TextInput
            control={control}
            maxLength={63}
            spellcheck={false}
            disabled={link !== undefined}
            value={name}
            onText={setName}
          />
        )}
      </Field>
      <Field label={t('Description')}>
        {(control) => (
          <TextArea control={control} rows={2} maxLength={2000} value={description} onText={setDescription} />
        )}
      </Field>
      {askable.length === 0 ? null : (
        <Field group label={t('Ask for these values')} help={t('The others stay as they are in the steps.')}>
          {() => (
            <ul class="ask-list">
              {askable.map(({ field, label }) => (
                <li key={field}>
                  <label>
                    <input
                      type="checkbox"
                      checked={asked.has(field)}
                      onChange={({ currentTarget }) => setAsked(withMember(asked, field, currentTarget.checked))}
                    />
                    {label}
                  </label>
                </li>
              ))}
            </ul>
          )}
        </Field>
      )}
      <p class="soft small">
        {placeholders.length === 0
          ? t('Placeholders in texts are asked for too: write {example}.', { example: '{{input.customer}}' })
          : t('Also asked for, because texts contain them: {names}.', { names: placeholders.join(', ') })}
      </p>
      {config.value?.enableLogin === true ? (
        <Field label={t('Everybody on this server may run it')}>
          {(control) => <Switch control={control} checked={shared} onChecked={setShared} />}
        </Field>
      ) : null}
    </ActionDialog>
  );
}

/** Shares with users and teams stay as they were. */
function sharesOf(link: SavedLink | undefined, everyone: boolean): SavedLink['sharedWith'] {
  const before = link?.sharedWith ?? [];
  const others = before.filter(({ kind }) => kind !== 'everyone');
  const same = before.find(({ kind }) => kind === 'everyone') ?? { kind: 'everyone', right: 'use' };
  return everyone ? [...others, same] : others;
}

function withMember(set: ReadonlySet<string>, member: string, isIn: boolean): ReadonlySet<string> {
  const changed = new Set(set);
  if (isIn) changed.add(member);
  else changed.delete(member);
  return changed;
}
