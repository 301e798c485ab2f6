import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { catalog, catalogProblem, loadCatalog, loadModule, operationOf } from '../../api/index.ts';
import { takeHandedFiles } from '../../app/hand-over.ts';
import type { ScreenProps } from '../../app/screen-props.ts';
import { caughtFiles } from '../../files/index.ts';
import { DropZone } from '../../components/drop-zone.tsx';
import { Empty, LinkButton, Loading, ProblemNotice, ToolIcon } from '../../components/index.ts';
import { usePaste } from '../../components/use-paste.ts';
import { rt, textsReady } from '../../i18n/index.ts';
import './invoices.css';
import { available, CREATE, EXTRACT, toolsOfScreen, VALIDATE } from './operations.ts';
import { Reader } from './reader.tsx';
import { t } from './texts.ts';

/**
 * Shows an electronic invoice: the document and its data beside each other, with what is wrong in it. `invoices/new`
 * writes one.
 */
export function Screen({ params }: ScreenProps) {
  const isNew = params['rest'] === 'new';
  useEffect(() => void loadCatalog(), []);
  if (catalogProblem.value !== undefined) return <ProblemNotice problem={catalogProblem.value} />;
  if (catalog.value === undefined) return <Loading label={t('Loading')} />;
  const lacking = [VALIDATE, EXTRACT, ...(isNew ? [CREATE] : [])].find((path) => available(path) === undefined);
  if (lacking !== undefined) return <Unavailable path={lacking} />;
  return isNew ? <FormHost /> : <Invoices />;
}

function Unavailable({ path }: { readonly path: string }) {
  return (
    <Empty whole icon="receipt-text" title={t('Invoices')}>
      <p class="soft">
        {operationOf(path)?.availability.reason ?? t('This server does not have the tools for electronic invoices.')}
      </p>
      <LinkButton href="./">{t('Show all tools')}</LinkButton>
    </Empty>
  );
}

/** The form, which is loaded when somebody wants to write an invoice. */
function FormHost() {
  const [Form, setForm] = useState<ComponentType | undefined>();
  useEffect(() => {
    let left = false;
    const load = async (): Promise<void> => {
      const { InvoiceForm } = await loadModule(() => import('./form/invoice-form.tsx'));
      await textsReady();
      if (!left) setForm(() => InvoiceForm);
    };
    void load();
    return () => {
      left = true;
    };
  }, []);
  return <div class="page invoices">{Form === undefined ? <Loading label={t('Loading')} /> : <Form />}</div>;
}

function Invoices() {
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | undefined>(() => takeHandedFiles()[0]);
  const take = ([first]: readonly File[]): void => {
    if (first !== undefined) setFile(first);
  };
  usePaste(take);
  const choose = (): void => input.current?.click();
  return (
    <div class="page invoices" {...caughtFiles(take)}>
      <input
        ref={input}
        type="file"
        hidden
        accept=".pdf,.xml"
        aria-label={t('Invoice to read')}
        onChange={(event) => {
          take([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
      {file === undefined ? (
        <>
          <header class="page-head">
            <h1>{t('Invoices')}</h1>
            <p class="soft">{t('Read an electronic invoice, and see whether it keeps the rules.')}</p>
            {available(CREATE) === undefined ? null : (
              <p>
                <LinkButton icon="file-plus" href="invoices/new">
                  {t('Create an invoice')}
                </LinkButton>
              </p>
            )}
          </header>
          <DropZone
            icon="receipt-text"
            title={t('Drop an invoice here: PDF or XML')}
            action={t('Choose an invoice')}
            onChoose={choose}
            onFiles={take}
          />
          <ToolLinks />
        </>
      ) : (
        <Reader key={`${file.name} ${file.lastModified} ${file.size}`} file={file} onOther={choose} />
      )}
    </div>
  );
}

/** The tools for invoices, which do one thing each, for many files too. */
function ToolLinks() {
  return (
    <nav class="invoice-tools" aria-labelledby="invoice-tools">
      <h2 id="invoice-tools">{t('Tools')}</h2>
      <div class="row">
        {toolsOfScreen().map(({ path, title, icon }) => (
          <LinkButton key={path} size="small" href={`tool/${path}`}>
            <ToolIcon icon={icon} size={16} />
            {rt(title)}
          </LinkButton>
        ))}
      </div>
    </nav>
  );
}
