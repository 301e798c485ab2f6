import { useLayoutEffect, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../../../api/index.ts';
import { ActionDialog, Button, Field, ProblemNotice, Select, TextInput, toast } from '../../../components/index.ts';
import { ApplyBar } from '../apply-bar.tsx';
import type { PartProps } from '../part.ts';
import { t } from '../texts.ts';
import { OwnEntries } from './own-entries.tsx';
import { faultsOf, fieldsOf, fromLocal, toLocal, type Properties, type Values } from './values.ts';

interface MetadataFormProps extends PartProps {
  readonly before: Values;
  /** The own entries are known. */
  readonly complete: boolean;
}

const OPERATION = 'misc/update-metadata';

const texts: readonly (readonly [keyof Properties, string])[] = [
  ['title', /* t */ 'Title'],
  ['author', /* t */ 'Author'],
  ['subject', /* t */ 'Subject'],
  ['keywords', /* t */ 'Keywords'],
  ['creator', /* t */ 'Written with'],
  ['producer', /* t */ 'Converted with'],
];
const dates: readonly (readonly [keyof Properties, string])[] = [
  ['creationDate', /* t */ 'Created on'],
  ['modificationDate', /* t */ 'Changed on'],
];

export function MetadataForm({ before, complete, apply, setEdited }: MetadataFormProps) {
  const [values, setValues] = useState(before);
  const [problem, setProblem] = useState<Problem | undefined>();
  const [removing, setRemoving] = useState(false);
  const edited = JSON.stringify(values) !== JSON.stringify(before);
  useLayoutEffect(() => setEdited(edited), [edited]);
  const set = (key: keyof Properties, value: string): void =>
    setValues({ ...values, standard: { ...values.standard, [key]: value } });
  const faults = faultsOf(values.own);
  const save = async (): Promise<void> => {
    setProblem(undefined);
    try {
      await apply({ title: t('Metadata changed'), operation: OPERATION, fields: fieldsOf(values, before) });
      toast(t('Metadata changed'));
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <>
      <div class="metadata-fields">
        {texts.map(([key, label]) => (
          <Field key={key} label={t(label)}>
            {(control) => (
              <TextInput
                control={control}
                dir="auto"
                value={values.standard[key]}
                onText={(value) => set(key, value)}
              />
            )}
          </Field>
        ))}
        {dates.map(([key, label]) => (
          <Field key={key} label={t(label)}>
            {(control) => (
              <TextInput
                control={control}
                type="datetime-local"
                step={1}
                value={toLocal(values.standard[key])}
                onText={(value) => set(key, fromLocal(value))}
              />
            )}
          </Field>
        ))}
        <Field label={t('Colours trapped for printing')}>
          {(control) => (
            <Select
              control={control}
              value={values.trapped}
              options={[
                { value: '', label: t('Not stated') },
                { value: 'True', label: t('Yes') },
                { value: 'False', label: t('No') },
                { value: 'Unknown', label: t('Unknown') },
              ]}
              onValue={(trapped) => setValues({ ...values, trapped })}
            />
          )}
        </Field>
      </div>
      {complete ? (
        <OwnEntries entries={values.own} faults={faults} onEntries={(own) => setValues({ ...values, own })} />
      ) : (
        <p class="soft small">{t('This server does not list entries with other names; they stay as they are.')}</p>
      )}
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
      <ApplyBar edited={edited && faults.size === 0} onApply={save} onDiscard={() => setValues(before)}>
        {t('Empty entries are removed. XMP metadata is changed to match.')}
      </ApplyBar>
      <div class="metadata-remove">
        <Button kind="quiet" icon="eraser" onClick={() => setRemoving(true)}>
          {t('Remove all metadata')}
        </Button>
      </div>
      {removing ? (
        <ActionDialog
          title={t('Remove all metadata?')}
          action={t('Remove')}
          danger
          run={async () => {
            await apply({ title: t('Metadata removed'), operation: OPERATION, fields: { deleteAll: 'true' } });
            toast(t('Metadata removed'));
          }}
          onClose={() => setRemoving(false)}
        >
          <p>
            {t('Every entry, XMP metadata and private data of programs leave the document. Undo brings them back.')}
          </p>
        </ActionDialog>
      ) : null}
    </>
  );
}
