import { useEffect, useRef, useState } from 'preact/hooks';
import { catalog, catalogProblem, loadCatalog, operationOf } from '../../api/index.ts';
import { takeHandedFiles } from '../../app/hand-over.ts';
import { DropZone } from '../../components/drop-zone.tsx';
import { Empty, LinkButton, Loading, ProblemNotice } from '../../components/index.ts';
import { usePaste } from '../../components/use-paste.ts';
import { filesOfTransfer } from '../../files/index.ts';
import './invoices.css';
import { available, EXTRACT, VALIDATE } from './operations.ts';
import { Reader } from './reader.tsx';
import { t } from './texts.ts';

/** Shows an electronic invoice: the document and its data beside each other, with what is wrong in it. */
export function Screen() {
  useEffect(() => void loadCatalog(), []);
  if (catalogProblem.value !== undefined) return <ProblemNotice problem={catalogProblem.value} />;
  if (catalog.value === undefined) return <Loading label={t('Loading')} />;
  const lacking = [VALIDATE, EXTRACT].find((path) => available(path) === undefined);
  return lacking === undefined ? <Invoices /> : <Unavailable path={lacking} />;
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

function Invoices() {
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | undefined>(() => takeHandedFiles()[0]);
  const take = ([first]: readonly File[]): void => {
    if (first !== undefined) setFile(first);
  };
  usePaste(take);
  const choose = (): void => input.current?.click();
  return (
    <div
      class="page invoices"
      onDragOver={(event) => {
        if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
      }}
      onDrop={(event) => {
        if (event.defaultPrevented || event.dataTransfer?.types.includes('Files') !== true) return;
        event.preventDefault();
        void filesOfTransfer(event.dataTransfer).then(take);
      }}
    >
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
          </header>
          <DropZone
            icon="receipt-text"
            title={t('Drop an invoice here: PDF or XML')}
            action={t('Choose an invoice')}
            onChoose={choose}
            onFiles={take}
          />
        </>
      ) : (
        <Reader key={`${file.name} ${file.lastModified} ${file.size}`} file={file} onOther={choose} />
      )}
    </div>
  );
}
