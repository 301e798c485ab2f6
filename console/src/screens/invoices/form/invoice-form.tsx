import { useEffect, useMemo, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../../../api/index.ts';
import { openScreenWith } from '../../../app/hand-over.ts';
import { Button, focusFault, LinkButton, Notice, ProblemNotice } from '../../../components/index.ts';
import { ToolForm } from '../../../form/form.tsx';
import { saveFile } from '../../../files/index.ts';
import { CREATE, available } from '../operations.ts';
import { t } from '../texts.ts';
import { create, refusalOf } from './create.ts';
import { draft } from './draft.ts';
import { replaceDraft } from './replace-draft.ts';
import { CreateOptions } from './options.ts';
import { HeadPart, LinesPart, Part, PartyPart, PaymentPart } from './parts.tsx';
import { TotalsPart } from './totals-part.tsx';

/** Writes an invoice: what the standard wants is marked, the server computes the totals and says what is wrong. */
export function InvoiceForm() {
  const operation = available(CREATE);
  const options = useMemo(() => operation && new CreateOptions(operation), [operation]);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const [made, setMade] = useState<File | undefined>();
  const texts = draft.texts.value;
  useEffect(() => setMade(undefined), [texts, options?.values.value]);
  useAskBeforeLoss();
  if (options === undefined) return null;
  const submit = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      setMade(await create(draft.texts.value, options.parameters));
      draft.edited.value = false;
    } catch (error) {
      const failed = asProblem(error);
      const { places, options: wrong } = refusalOf(failed);
      draft.faults.value = places;
      options.refused.value = wrong;
      setProblem(failed);
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
        <HeadPart />
        <div class="invoice-parties">
          <PartyPart party="seller" />
          <PartyPart party="buyer" />
        </div>
        <LinesPart />
        <PaymentPart />
        <TotalsPart />
        <Part title={t('File')} icon="file-text">
          <ToolForm draft={options} />
        </Part>
        {problem === undefined ? null : <ProblemNotice problem={problem} hints={hintsOf(problem)} />}
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
function hintsOf(problem: Problem): readonly string[] {
  const { places, others } = refusalOf(problem);
  const isShown = (path: string): boolean =>
    document.querySelector(`[data-path="${CSS.escape(path.replace(/\.value$/, ''))}"]`) !== null;
  const unseen = Object.entries(places).filter(([path, text]) => !isShown(path) && !problem.message.includes(text));
  return [...problem.hints, ...unseen.map(([, text]) => text), ...others];
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
