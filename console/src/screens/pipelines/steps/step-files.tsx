import { useRef, useState } from 'preact/hooks';
import type { ShownPart } from '@quire/registry';
import { holds } from '@quire/registry/conditions';
import { asProblem, type Problem } from '../../../api/index.ts';
import { Button, Field, ProblemNotice, Select, useLoaded } from '../../../components/index.ts';
import { rt } from '../../../i18n/index.ts';
import { referenceTo, storedFiles, storeFile } from '../model/stored-files.ts';
import type { Step } from '../model/step.ts';
import { t } from '../texts.ts';

/** The files that a step gets beside the file it works on: a stamp, a certificate. */
export function StepFiles({ step }: { readonly step: Step }) {
  const typed = step.form?.typed.value ?? {};
  const parts = (step.operation?.parts ?? []).filter(
    ({ field, when }) =>
      field !== 'fileInput' && (when === undefined || holds(when, typed) || step.files.value[field] !== undefined),
  );
  return (
    <>
      {parts.map((part) => (
        <StepFile key={part.field} step={step} part={part} />
      ))}
    </>
  );
}

function StepFile({ step, part }: { readonly step: Step; readonly part: ShownPart }) {
  const { field, kinds, extensions } = part;
  const loaded = useLoaded(storedFiles, []);
  const [problem, setProblem] = useState<Problem | undefined>();
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const choose = (reference: string): void => {
    const { [field]: _, ...others } = step.files.value;
    step.files.value = reference === '' ? others : { ...others, [field]: reference };
  };
  const upload = async (file: File): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      const stored = await storeFile(file);
      await loaded.reload();
      choose(referenceTo(stored));
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setBusy(false);
    }
  };
  const chosen = step.files.value[field];
  // A list of files is kept as it is.
  const value = typeof chosen === 'string' ? chosen : chosen === undefined ? '' : JSON.stringify(chosen);
  const fitting = (loaded.data ?? [])
    .filter((file) => kinds.includes('any') || kinds.includes(file.kind) || referenceTo(file) === value)
    .map((file) => ({ value: referenceTo(file), label: file.fileName }));
  const isListed = value === '' || fitting.some((option) => option.value === value);
  const options = [
    { value: '', label: t('Choose a stored file') },
    ...fitting,
    ...(isListed ? [] : [{ value, label: value }]),
  ];
  return (
    <div class="stack" data-file-field={field}>
      <Field
        label={rt(part.label)}
        help={t('A file that is stored on the server. Every run uses it.')}
        aside={
          <Button size="small" icon="upload" busy={busy} onClick={() => input.current?.click()}>
            {t('Upload a file')}
          </Button>
        }
      >
        {(control) => <Select control={control} value={value} options={options} onValue={choose} />}
      </Field>
      <input
        ref={input}
        type="file"
        hidden
        accept={extensions.map((extension) => `.${extension.replace(/^\./, '')}`).join(',')}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = '';
          if (file !== undefined) void upload(file);
        }}
      />
      {problem === undefined ? null : <ProblemNotice problem={problem} />}
    </div>
  );
}
