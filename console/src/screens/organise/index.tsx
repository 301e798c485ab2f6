import { useEffect, useRef, useState } from 'preact/hooks';
import { takeHandedFiles } from '../../app/hand-over.ts';
import { DropZone } from '../../components/drop-zone.tsx';
import { Button, Dialog, Notice } from '../../components/index.ts';
import { usePaste } from '../../components/use-paste.ts';
import { useUndoKeys } from '../../components/use-undo-keys.ts';
import { filesOfTransfer } from '../../files/index.ts';
import { formatBytes } from '../../i18n/index.ts';
import { failureText, PasswordForm } from '../../viewer/index.ts';
import '../../viewer/picker/picker.css';
import './organise.css';
import { organiser } from './organiser.ts';
import { OrganiserGrid } from './organiser-grid.tsx';
import { Result, useRun } from './result.tsx';
import { t } from './texts.ts';
import { OrganiseState, OrganiseTools } from './toolbar.tsx';

/** Pages of one or several PDFs, put in order: move, rotate, copy, delete, insert; made in one call. */
export function Screen() {
  const input = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const run = useRun();
  const add = (files: readonly File[], at?: number): void => {
    const fits = files.filter(({ name, type }) => /\.pdf$/i.test(name) || type === 'application/pdf');
    setRefused(files.filter((file) => !fits.includes(file)).map(({ name }) => name));
    if (fits.length > 0) void organiser.add(fits, at);
  };
  const drop = (data: DataTransfer, at?: number): void => void filesOfTransfer(data).then((files) => add(files, at));
  useEffect(() => add(takeHandedFiles()), []);
  usePaste(add);
  useUndoKeys(organiser);
  const choose = (): void => input.current?.click();
  const started = organiser.sources.value.length > 0;
  const several = organiser.used.value.length > 1;
  return (
    <div class="page organise">
      <header class={started ? 'row between' : 'page-head'}>
        <h1>{t('Organise pages')}</h1>
        {started ? (
          <OrganiseState />
        ) : (
          <p class="soft">{t('Move, rotate, copy and delete pages, also of several PDFs, and save them as one.')}</p>
        )}
      </header>
      <input
        ref={input}
        type="file"
        class="hidden-visually"
        tabIndex={-1}
        aria-label={t('PDFs to add')}
        multiple
        accept=".pdf,application/pdf"
        onChange={(event) => {
          add([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
      {refused.length === 0 ? null : (
        <Notice kind="warning" actions={<Button onClick={() => setRefused([])}>{t('Close')}</Button>}>
          <p>{t('Only PDFs have pages to organise. Not added: {names}', { names: refused.join(', ') })}</p>
        </Notice>
      )}
      <Waiting />
      {started ? (
        <>
          <OrganiseTools onAdd={choose} run={run} />
          {several ? <Files /> : null}
          <Result run={run} />
          <OrganiserGrid onFiles={drop} />
        </>
      ) : (
        <DropZone
          icon="files"
          title={t('Drop PDFs here')}
          action={t('Choose files')}
          busy={organiser.opening.value > 0}
          doing={openingText(organiser.openingFile.value)}
          onChoose={choose}
          onFiles={add}
        />
      )}
      <p class="hidden-visually" role="status">
        {organiser.said.value}
      </p>
    </div>
  );
}

function openingText(file: File | undefined): string | undefined {
  return file && t('Opening “{name}” ({size})', { name: file.name, size: formatBytes(file.size) });
}

/** The files, with the colours that mark their pages. */
function Files() {
  return (
    <ul class="organise-files" aria-label={t('Files')}>
      {organiser.used.value.map(({ name, colour, document }) => (
        <li key={colour} data-file={colour % 6}>
          <span class="file-dot" />
          {name} · {t.count(document.pageCount, '{count} page', '{count} pages')}
        </li>
      ))}
    </ul>
  );
}

/** Files that need a password, one after the other, and those that cannot be opened. */
function Waiting() {
  const waiting = organiser.waiting.value;
  const isLocked = (failure: string): boolean => failure === 'password' || failure === 'wrongPassword';
  const locked = waiting.find(({ failure }) => isLocked(failure));
  return (
    <>
      {waiting
        .filter(({ failure }) => !isLocked(failure))
        .map(({ file, failure }) => (
          <Notice
            key={file.name}
            kind="error"
            title={file.name}
            actions={<Button onClick={() => organiser.dismiss(file)}>{t('Close')}</Button>}
          >
            <p>{failureText(failure)}</p>
          </Notice>
        ))}
      {locked === undefined ? null : (
        <Dialog title={t('Locked file')} size="small" onClose={() => organiser.dismiss(locked.file)}>
          <PasswordForm
            file={locked.file}
            name={locked.file.name}
            failure={locked.failure}
            onEntered={() => void organiser.retry(locked.file)}
          />
        </Dialog>
      )}
    </>
  );
}
