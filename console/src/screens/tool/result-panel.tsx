import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button, Icon, Notice, Segments } from '../../components/index.ts';
import { saveFile } from '../../files/index.ts';
import { formatBytes, formatDuration, formatPercent } from '../../i18n/index.ts';
import { DocumentView, kindOf } from '../../viewers/index.ts';
import type { Draft } from './draft.ts';
import { withPassword } from './locked-file.ts';
import { FileRows } from './run/file-rows.tsx';
import { NextDialog } from './next-dialog.tsx';
import { ReportView } from './report-view.tsx';
import { filesOfResult, type ResultFile } from './result-files.ts';
import type { Outcome, RunItem } from './run/run.ts';
import { t } from './texts.ts';
import { isShown } from '../../form/values.ts';

interface ResultPanelProps {
  readonly draft: Draft;
  readonly item: RunItem;
  readonly outcome: Outcome;
}

/** A result: its file or files, beside the original, with the tool's report. */
export function ResultPanel({ draft, item, outcome }: ResultPanelProps) {
  const { returns } = draft.operation;
  const { blob, name } = outcome;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }, [outcome]);
  if (blob === undefined)
    return (
      <div class="card stack">
        <h2 ref={heading} tabIndex={-1}>
          {t('No file')}
        </h2>
        <Notice>
          <p>{t('The document does not match, so nothing is returned.')}</p>
        </Notice>
        <ReportView outcome={outcome} />
      </div>
    );
  return (
    <div class="card stack result">
      <header class="result-head">
        <Icon name="circle-check" size={22} />
        <div class="grow">
          <h2 ref={heading} tabIndex={-1} class="break">
            {name}
          </h2>
          <p class="soft small">
            <Sizes
              // Not with the images and other files that went along.
              before={item.original?.size ?? item.inputBytes}
              after={blob.size}
              compare={returns.kinds.includes('pdf') || returns.kinds.includes('same')}
            />
            {' · '}
            {formatDuration(outcome.ms)}
          </p>
        </div>
        <Button kind="primary" icon="download" onClick={() => saveFile(blob, name)}>
          {t('Download')}
        </Button>
      </header>
      <ReportView outcome={outcome} />
      <ResultFiles draft={draft} item={item} blob={blob} name={name} />
    </div>
  );
}

function Sizes({
  before,
  after,
  compare,
}: {
  readonly before: number;
  readonly after: number;
  readonly compare: boolean;
}) {
  if (!compare || before === 0) return <>{formatBytes(after)}</>;
  const change = after / before - 1;
  return (
    <>
      {formatBytes(before)} → <strong>{formatBytes(after)}</strong>
      {Math.abs(change) < 0.005 ? null : (
        <>
          {' '}
          <span class={change < 0 ? 'saved' : ''} dir="ltr">
            ({change > 0 ? '+' : '−'}
            {formatPercent(Math.abs(change))})
          </span>
        </>
      )}
    </>
  );
}

interface ResultFilesProps {
  readonly draft: Draft;
  readonly item: RunItem;
  readonly blob: Blob;
  readonly name: string;
}

function ResultFiles({ draft, item, blob, name }: ResultFilesProps) {
  const [files, setFiles] = useState<readonly ResultFile[]>([]);
  const [chosen, setChosen] = useState(0);
  const [next, setNext] = useState(false);
  const { returns, path } = draft.operation;
  useEffect(() => {
    const field = draft.operation.resultPassword;
    const password = field === undefined ? '' : String(draft.values.peek()[field] ?? '');
    void filesOfResult(blob, name, returns.many).then((found) =>
      setFiles(found.map((each) => ({ ...each, read: async () => withPassword(await each.read(), password) }))),
    );
  }, [blob]);
  const page = useMemo(() => changedPage(draft), [blob]);
  const file = files[chosen];
  if (file === undefined) return null;
  return (
    <>
      {files.length > 1 ? (
        <FileRows
          files={files}
          label={t.count(files.length, '{count} file', '{count} files')}
          shown={chosen}
          onShow={setChosen}
          read={(each) => each.read()}
        />
      ) : null}
      <BesideOriginal file={file} original={item.original} page={page} />
      <div class="row">
        <Button icon="arrow-right" onClick={() => setNext(true)}>
          {files.length > 1
            ? t.count(files.length, 'Next tool with {count} file', 'Next tool with all {count} files')
            : t('Next tool with this file')}
        </Button>
        <Button
          kind="quiet"
          icon="rotate-ccw"
          onClick={() => void file.read().then((read) => replaceInput(draft, read))}
        >
          {t('Use as input')}
        </Button>
      </div>
      {next ? (
        <NextDialog
          from={path}
          name={file.name}
          read={() => Promise.all(files.map((each) => each.read()))}
          onClose={() => setNext(false)}
        />
      ) : null}
    </>
  );
}

/** The result becomes the input of the same tool. */
function replaceInput(draft: Draft, file: File): void {
  const [first] = draft.operation.parts;
  if (first === undefined) return;
  draft.setFiles(first.field, []);
  draft.addFiles(first, [file], false);
  document.getElementById('main')?.focus();
  scrollTo({ top: 0 });
}

/** The page on which something was placed, 0-based: it is shown first. */
function changedPage({ operation, typed }: Draft): number {
  const values = typed.peek();
  const pages = operation.fields
    .filter(({ name }) => operation.groups.some(({ roles }) => roles?.['page'] === name))
    .filter((field) => isShown(field, values))
    .map(({ name }) => Number(values[name] ?? 1) - 1);
  return pages[0] ?? 0;
}

interface BesideOriginalProps {
  readonly file: ResultFile;
  readonly original: File | undefined;
  /** The page that is shown first, 0-based. */
  readonly page: number;
}

/** Result and original, one of them or both. */
function BesideOriginal({ file, original, page }: BesideOriginalProps) {
  const [blob, setBlob] = useState<File | undefined>();
  const [shown, setShown] = useState('result');
  useEffect(() => {
    let current = true;
    setBlob(undefined);
    void file.read().then((read) => current && setBlob(read));
    return () => {
      current = false;
    };
  }, [file]);
  if (blob === undefined) return null;
  // Two PDFs are scrolled and searched together.
  const together =
    original !== undefined && kindOf(blob, file.name) === 'pdf' && kindOf(original, original.name) === 'pdf';
  return (
    <>
      {original === undefined ? null : (
        <Segments
          label={t('Show')}
          value={shown}
          onValue={setShown}
          options={[
            { value: 'result', label: t('Result') },
            { value: 'original', label: t('Original') },
            { value: 'both', label: t('Side by side') },
          ]}
        />
      )}
      {shown === 'both' && together ? (
        <DocumentView source={blob} name={file.name} original={original} page={page} />
      ) : (
        <div class={`beside ${shown}`}>
          {shown === 'result' || original === undefined ? null : (
            <figure>
              <figcaption class="soft small">{t('Original')}</figcaption>
              <DocumentView source={original} name={original.name} page={page} />
            </figure>
          )}
          {shown === 'original' && original !== undefined ? null : (
            <figure>
              {shown === 'both' ? <figcaption class="soft small">{t('Result')}</figcaption> : null}
              <DocumentView source={blob} name={file.name} page={page} />
            </figure>
          )}
        </div>
      )}
    </>
  );
}
