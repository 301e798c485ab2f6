import type { ShownPart } from '@quire/registry';
import { useRef, useState } from 'preact/hooks';
import { Button, Icon, IconButton } from '../../components/index.ts';
import { filesOfTransfer } from '../../files/index.ts';
import { formatBytes, formatList, rt } from '../../i18n/index.ts';
import type { Draft } from './draft.ts';
import { isNoPdf, type PickedFile } from './file-checks.ts';
import { SignButton } from './signature/sign-button.tsx';
import { sizeSignature } from './signature/signature-size.ts';
import { t } from './texts.ts';
import { isRequired } from '../../form/values.ts';

interface FilePartProps {
  readonly draft: Draft;
  readonly part: ShownPart;
  /** Several files may be chosen: together, or for one call each. */
  readonly many: boolean;
}

/** The files of one part: drop, choose, a whole folder; reorder and remove. */
export function FilePart({ draft, part, many }: FilePartProps) {
  const [over, setOver] = useState(false);
  const files = draft.files.value[part.field] ?? [];
  const error = draft.fileFault(part);
  const id = `part-${part.field}`;
  const add = (added: readonly File[]): void => {
    if (added.length > 0) draft.addFiles(part, added, many);
  };
  const sign = (file: File): void => {
    add([file]);
    void sizeSignature(draft, part, file);
  };
  return (
    <section class="file-part" aria-labelledby={id} data-field={part.field}>
      <div class="field-head">
        <h2 id={id}>
          {rt(part.label)}
          {isRequired(part, draft.typed.value) ? (
            <span class="required" title={t('Required')}>
              <span aria-hidden="true">*</span>
              <span class="hidden-visually">{t('Required')}</span>
            </span>
          ) : null}
        </h2>
        {files.length > 1 ? (
          <span class="soft small">
            {t.count(files.length, '{count} file', '{count} files')}
            {' · '}
            {formatBytes(files.reduce((sum, { file }) => sum + file.size, 0))}
          </span>
        ) : null}
      </div>
      {part.help === undefined ? null : <p class="help">{rt(part.help)}</p>}
      <div
        class={`drop ${over ? 'over' : ''} ${files.length > 0 ? 'filled' : ''} ${error === undefined ? '' : 'wrong'}`}
        onDragOver={(event) => {
          // Rows that change their place are no files.
          if (!event.dataTransfer?.types.includes('Files')) return;
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          if (event.dataTransfer === null || !event.dataTransfer.types.includes('Files')) return;
          event.preventDefault();
          // The page takes drops beside the boxes.
          event.stopPropagation();
          setOver(false);
          void filesOfTransfer(event.dataTransfer).then(add);
        }}
      >
        {files.length === 0 ? null : (
          <FileList draft={draft} part={part} files={files} sortable={many && files.length > 1} />
        )}
        <Chooser part={part} many={many} some={files.length > 0} add={add} onSignature={sign} />
      </div>
      <LostFiles draft={draft} part={part} />
      {error === undefined ? null : (
        <p class="field-error" role="alert">
          <Icon name="circle-alert" size={16} />
          <span>{error}</span>
        </p>
      )}
    </section>
  );
}

/** Which files have to be chosen again after the page was loaded again: a page may not keep them. */
function LostFiles({ draft, part }: { readonly draft: Draft; readonly part: ShownPart }) {
  const names = draft.lostFiles.value[part.field] ?? [];
  if (names.length === 0) return null;
  const quoted = names.slice(0, 5).map((name) => `“${name}”`);
  const rest = names.length - quoted.length;
  return (
    <div class="notice warning lost-files" role="status">
      <Icon name="triangle-alert" />
      <div class="notice-text">
        <p>{t('The page was loaded again, and files cannot be kept. Please choose again:')}</p>
        <p class="break">
          {formatList(rest === 0 ? quoted : [...quoted, t.count(rest, '{count} more file', '{count} more files')])}
        </p>
      </div>
      <IconButton size="small" icon="x" label={t('Close')} onClick={() => draft.forgetLost(part.field)} />
    </div>
  );
}

interface ChooserProps {
  readonly part: ShownPart;
  readonly many: boolean;
  readonly some: boolean;
  readonly add: (files: readonly File[]) => void;
  readonly onSignature: (file: File) => void;
}

function Chooser({ part, many, some, add, onSignature }: ChooserProps) {
  const input = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (chosen: HTMLInputElement): void => {
    add([...(chosen.files ?? [])]);
    // The same file can be chosen again.
    chosen.value = '';
  };
  return (
    <div class={`chooser ${some ? 'compact' : ''}`}>
      {some ? null : (
        <>
          <Icon name="upload" size={28} />
          <p class="chooser-title">{many ? t('Drop files here') : t('Drop a file here')}</p>
          <p class="soft small">
            {part.extensions.length === 0
              ? t('Any file')
              : formatList(part.extensions.slice(0, 8).map((each) => each.slice(1).toUpperCase()))}
            {part.extensions.length > 8 ? ' …' : ''}
          </p>
        </>
      )}
      <div class="row">
        <Button
          kind={some ? 'quiet' : 'plain'}
          size={some ? 'small' : 'normal'}
          icon={some ? (many ? 'plus' : 'refresh-cw') : 'folder-open'}
          data-choose={part.field}
          onClick={() => input.current?.click()}
        >
          {some ? (many ? t('Add files') : t('Choose another file')) : many ? t('Choose files') : t('Choose a file')}
        </Button>
        {many ? (
          <Button kind="quiet" size={some ? 'small' : 'normal'} onClick={() => folder.current?.click()}>
            {t('Choose a folder')}
          </Button>
        ) : null}
        {part.widget === 'signature' ? <SignButton small={some} onFile={onSignature} /> : null}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        multiple={many}
        accept={part.extensions.join(',')}
        aria-label={rt(part.label)}
        name={part.field}
        onChange={(event) => take(event.currentTarget)}
      />
      {many ? (
        <input
          ref={folder}
          type="file"
          hidden
          multiple
          aria-label={t('Choose a folder')}
          {...{ webkitdirectory: true }}
          onChange={(event) => take(event.currentTarget)}
        />
      ) : null}
    </div>
  );
}

interface FileListProps {
  readonly draft: Draft;
  readonly part: ShownPart;
  readonly files: readonly PickedFile[];
  readonly sortable: boolean;
}

/** The chosen files; their order is changed by dragging, or with the buttons. */
function FileList({ draft, part, files, sortable }: FileListProps) {
  const [dragged, setDragged] = useState<number | undefined>();
  const move = (from: number, to: number): void => {
    const next = [...files];
    next.splice(to, 0, ...next.splice(from, 1));
    draft.setFiles(part.field, next);
  };
  return (
    <ol class="file-list">
      {files.map((picked, i) => (
        <li
          key={picked.id}
          class={`file-row ${dragged === picked.id ? 'dragged' : ''}`}
          draggable={sortable}
          onDragStart={(event) => {
            event.dataTransfer?.setData('text/plain', picked.file.name);
            setDragged(picked.id);
          }}
          onDragEnd={() => setDragged(undefined)}
          onDragOver={(event) => {
            const from = files.findIndex(({ id }) => id === dragged);
            if (from < 0) return;
            event.preventDefault();
            if (from !== i) move(from, i);
          }}
        >
          {sortable ? <Icon name="grip-vertical" size={18} /> : <Icon name="file-text" size={18} />}
          <div class="grow">
            <p class="file-name break">{picked.file.name}</p>
            <FileNote part={part} file={picked.file} />
          </div>
          {sortable ? (
            <>
              <IconButton
                size="small"
                icon="arrow-up"
                label={t('Move up: {file}', { file: picked.file.name })}
                disabled={i === 0}
                onClick={({ currentTarget }) => {
                  move(i, i - 1);
                  keepFocus(currentTarget);
                }}
              />
              <IconButton
                size="small"
                icon="arrow-down"
                label={t('Move down: {file}', { file: picked.file.name })}
                disabled={i === files.length - 1}
                onClick={({ currentTarget }) => {
                  move(i, i + 1);
                  keepFocus(currentTarget);
                }}
              />
            </>
          ) : null}
          <IconButton
            size="small"
            icon="x"
            label={t('Remove: {file}', { file: picked.file.name })}
            onClick={() =>
              draft.setFiles(
                part.field,
                files.filter(({ id }) => id !== picked.id),
              )
            }
          />
        </li>
      ))}
    </ol>
  );
}

/** At the end of the list the button that was pressed is disabled: its neighbour in the row gets the focus. */
function keepFocus(button: HTMLButtonElement): void {
  requestAnimationFrame(() => {
    const row = button.closest('.file-row');
    const next = button.disabled ? row?.querySelector<HTMLButtonElement>('button:not(:disabled)') : button;
    next?.focus();
  });
}

/** The size, or what looks wrong with the file; the server decides. */
function FileNote({ part, file }: { readonly part: ShownPart; readonly file: File }) {
  const extension = /\.[^.]+$/.exec(file.name)?.[0].toLowerCase();
  if (file.size === 0) return <p class="small danger">{t('This file is empty.')}</p>;
  if (extension === '.pdf' && isNoPdf(part, file))
    return (
      <p class="small danger">
        {formatBytes(file.size)}
        {' · '}
        {t('This file is not a PDF, although its name says so.')}
      </p>
    );
  if (part.extensions.length > 0 && (extension === undefined || !part.extensions.includes(extension)))
    return (
      <p class="small warning">
        {formatBytes(file.size)}
        {' · '}
        {t('This tool takes {kinds}.', {
          kinds: formatList(part.extensions.slice(0, 6).map((each) => each.slice(1).toUpperCase())),
        })}
      </p>
    );
  return <p class="small soft">{formatBytes(file.size)}</p>;
}
