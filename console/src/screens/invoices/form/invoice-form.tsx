import { useEffect, useMemo, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../../../api/index.ts';
import { openScreenWith } from '../../../app/hand-over.ts';
import { Button, Field, focusFault, LinkButton, Notice, ProblemNotice } from '../../../components/index.ts';
import { ToolForm } from '../../../form/form.tsx';
import { saveFile } from '../../../files/index.ts';
import { formatBytes, rt } from '../../../i18n/index.ts';
import { CREATE, available } from '../operations.ts';
import { t } from '../texts.ts';
import './invoice-form.css';
import { create, refusalOf, type Refusal } from './create.ts';
import { draft } from './draft.ts';
import { replaceDraft } from './replace-draft.ts';
import { CreateOptions } from './options.ts';
import { FileChooser } from './file-chooser.tsx';
import { hasField } from './layout.ts';
import { Part, Parts } from './parts.tsx';

interface Failure {
  readonly problem: Problem;
  readonly hints: readonly string[];
}

/** Writes an invoice: what the standard wants is marked, the server computes the totals and says what is wrong. */
export function InvoiceForm() {
  const operation = available(CREATE);
  const options = useMemo(() => operation && new CreateOptions(operation), [operation]);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | undefined>();
  const [made, setMade] = useState<File | undefined>();
  const texts = draft.texts.value;
  useEffect(() => setMade(undefined), [texts, options?.values.value, options?.files.value]);
  useAskBeforeLoss();
  if (options === undefined) return null;
  const submit = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    const sent = draft.texts.value;
    try {
      setMade(await create(sent, options.beside));
      draft.edited.value = false;
    } catch (error) {
      const failed = asProblem(error);
      const refusal = refusalOf(failed, sent);
      draft.faults.value = refusal.places;
      options.refused.value = refusal.options;
      setFailure({ problem: failed, hints: hintsOf(failed, refusal) });
      focusFault('.invoice-form .wrong');
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <header class="page-head">
        <h1>{t('Create an invoice')}</h1>
        <p class="soft">{t('Fill in what you know. The server computes the totals and says what is missing.')}</p>
        <p>
          <LinkButton icon="scan-search" size="small" href="invoices">
            {t('Read an invoice')}
          </LinkButton>
        </p>
      </header>
      <form
        class="invoice-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void submit();
        }}
      >
        <Parts />
        <Part title={t('File')} icon="file-text">
          <ToolForm draft={options} />
          <PartFiles options={options} />
        </Part>
        {failure === undefined ? null : <ProblemNotice {...failure} />}
        {made === undefined ? null : <Made file={made} />}
        <div class="row">
          <Button type="submit" kind="primary" size="large" icon="receipt-text" busy={busy} onClick={undefined}>
            {t('Create the invoice')}
          </Button>
          <Button icon="rotate-ccw" onClick={() => replaceDraft(() => draft.reset())}>
            {t('Start over')}
          </Button>
        </div>
      </form>
    </>
  );
}

/** What the server says beside the fields that the form shows. */
function hintsOf(problem: Problem, { places, others }: Refusal): readonly string[] {
  const unseen = Object.entries(places).filter(
    ([path, text]) => !hasField(path, (list) => draft.countOf(list)) && !problem.message.includes(text),
  );
  return [...problem.hints, ...unseen.map(([, text]) => text), ...others];
}

/** The files that the operation takes beside the invoice, such as a page of one's own. */
function PartFiles({ options }: { readonly options: CreateOptions }) {
  return (
    <>
      {options.shownParts.map(({ field, label, help, extensions }) => {
        const file = options.files.value[field];
        return (
          <div key={field} data-field={field}>
            <Field
              label={rt(label)}
              help={help === undefined ? undefined : rt(help)}
              error={options.faultOf(field)}
              group
            >
              {(control) => (
                <FileChooser
                  label={rt(label)}
                  control={control}
                  accept={extensions}
                  chosen={file === undefined ? undefined : { name: file.name, note: formatBytes(file.size) }}
                  onFile={(chosen) => options.choose(field, chosen)}
                />
              )}
            </Field>
          </div>
        );
      })}
    </>
  );
}

function Made({ file }: { readonly file: File }) {
  return (
    <Notice
      kind="done"
      title={t('The invoice is ready')}
      actions={
        <>
          <Button kind="primary" icon="download" onClick={() => saveFile(file, file.name)}>
            {t('Download')}
          </Button>
          <Button icon="scan-search" onClick={() => openScreenWith('invoices', [file])}>
            {t('Check it')}
          </Button>
        </>
      }
    >
      <p class="break" role="status">
        {file.name}
      </p>
    </Notice>
  );
}

/** Whoever closes the page while an invoice is not in a file yet is asked by the browser. */
function useAskBeforeLoss(): void {
  useEffect(() => {
    const ask = (event: Event): void => {
      if (draft.edited.peek()) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, []);
}
