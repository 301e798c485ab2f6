import { useEffect, useRef, useState } from 'preact/hooks';
import { asProblem, catalog, loadCatalog, operationOf, upload, type Problem } from '../../api/index.ts';
import { openToolWith, takeHandedFiles } from '../../app/hand-over.ts';
import { Button, Icon, LinkButton, Loading, Notice, ProblemNotice } from '../../components/index.ts';
import { filesOfTransfer, saveFile } from '../../files/index.ts';
import { DocumentView } from '../../viewers/index.ts';
import { SignatureCard } from './signature-card.tsx';
import './signatures.css';
import { t } from './texts.ts';
import type { Signature } from './verdict.ts';

const VALIDATE = 'security/validate-signature';
const SIGN = 'security/cert-sign';

/** Signs documents, and says in words what their signatures are worth. */
export function Screen() {
  const [file, setFile] = useState<File | undefined>(() => takeHandedFiles()[0]);
  useEffect(() => void loadCatalog(), []);
  return (
    <div
      class="page signatures"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        if (event.dataTransfer === null) return;
        event.preventDefault();
        void filesOfTransfer(event.dataTransfer).then(([first]) => setFile(first));
      }}
    >
      <header class="page-head">
        <h1>{t('Signatures')}</h1>
        <p class="soft">{t('Who signed a document, when, and whether it was changed since.')}</p>
      </header>
      <Choose file={file} onFile={setFile} />
      {file === undefined ? null : <Report key={`${file.name}${file.lastModified}`} file={file} />}
    </div>
  );
}

function Choose({ file, onFile }: { readonly file: File | undefined; readonly onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const canSign = catalog.value !== undefined && operationOf(SIGN)?.availability.state === 'available';
  return (
    <section class={`no-print ${file === undefined ? 'drop big' : 'row'}`}>
      {file === undefined ? (
        <>
          <Icon name="file-check-2" size={32} />
          <p class="chooser-title">{t('Drop a signed PDF here')}</p>
        </>
      ) : (
        <p class="grow break">
          <strong>{file.name}</strong>
        </p>
      )}
      <div class="row">
        <Button
          kind={file === undefined ? 'primary' : 'plain'}
          icon="folder-open"
          onClick={() => input.current?.click()}
        >
          {file === undefined ? t('Choose a PDF') : t('Choose another PDF')}
        </Button>
        {canSign ? (
          file === undefined ? (
            <LinkButton icon="signature" href={`tool/${SIGN}`}>
              {t('Sign a document')}
            </LinkButton>
          ) : (
            <Button icon="signature" onClick={() => openToolWith(SIGN, [file])}>
              {t('Sign this document')}
            </Button>
          )
        ) : null}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept=".pdf"
        aria-label={t('Choose a PDF')}
        onChange={(event) => {
          const chosen = event.currentTarget.files?.[0];
          event.currentTarget.value = '';
          if (chosen !== undefined) onFile(chosen);
        }}
      />
    </section>
  );
}

function Report({ file }: { readonly file: File }) {
  const [signatures, setSignatures] = useState<readonly Signature[] | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  useEffect(() => {
    const stop = new AbortController();
    const check = async (): Promise<void> => {
      const form = (): FormData => {
        const filled = new FormData();
        filled.append('fileInput', file, file.name);
        return filled;
      };
      const { blob } = await upload(VALIDATE, form, { signal: stop.signal });
      setSignatures(JSON.parse(await blob.text()) as readonly Signature[]);
    };
    check().catch((error: unknown) => {
      if (!stop.signal.aborted) setProblem(asProblem(error));
    });
    return () => stop.abort();
  }, [file]);
  if (problem !== undefined) return <ProblemNotice problem={problem} />;
  if (signatures === undefined) return <Loading label={t('Checking the signatures')} />;
  return (
    <div class="report-columns">
      <div class="stack" role="status">
        <div class="row between no-print">
          <h2>{t.count(signatures.length, '{count} signature', '{count} signatures')}</h2>
          {signatures.length === 0 ? null : (
            <div class="row">
              <Button size="small" icon="printer" onClick={() => print()}>
                {t('Print')}
              </Button>
              <Button size="small" icon="download" onClick={() => save(signatures, file)}>
                JSON
              </Button>
            </div>
          )}
        </div>
        <p class="print-only">{file.name}</p>
        {signatures.length === 0 ? (
          <Notice>
            <p>{t('The document is not signed.')}</p>
          </Notice>
        ) : (
          signatures.map((signature, i) => <SignatureCard key={i} signature={signature} />)
        )}
      </div>
      <div class="no-print">
        <DocumentView source={file} name={file.name} />
      </div>
    </div>
  );
}

function save(signatures: readonly Signature[], { name }: File): void {
  const json = JSON.stringify(signatures, undefined, 2);
  saveFile(new Blob([json], { type: 'application/json' }), `${name.replace(/\.pdf$/i, '')}-signatures.json`);
}
