import { useEffect, useRef, useState } from 'preact/hooks';
import { loadCatalog } from '../../api/index.ts';
import { takeHandedFiles } from '../../app/hand-over.ts';
import { LeaveQuestion, useLeaveGuard } from '../../app/leave-guard.tsx';
import type { ScreenProps } from '../../app/screen-props.ts';
import { caughtFiles } from '../../files/index.ts';
import { DropZone } from '../../components/drop-zone.tsx';
import { Button, Empty, LinkButton, Notice } from '../../components/index.ts';
import { SectionLinks, type SectionLink } from '../../components/section-links.tsx';
import { usePaste } from '../../components/use-paste.ts';
import { useUndoKeys } from '../../components/use-undo-keys.ts';
import { formatBytes } from '../../i18n/index.ts';
import './document.css';
import { DocumentHead } from './head.tsx';
import { type Incoming, IncomingDialog } from './incoming-dialog.tsx';
import { SignedQuestion } from './questions.tsx';
import type { Part } from './part.ts';
import { PartHost } from './part-host.tsx';
import { parts } from './parts.ts';
import { Refused, Remarks, Running } from './states.tsx';
import { t } from './texts.ts';
import { workbench } from './workbench.ts';

/** The document workbench: one PDF, its parts, and every change as a version that can be taken back. */
export function Screen({ params }: ScreenProps) {
  const id = params['rest'] || parts[0]!.id;
  const part = parts.find((each) => each.id === id);
  const input = useRef<HTMLInputElement>(null);
  const [left, setLeft] = useState<readonly string[]>([]);
  const [incoming, setIncoming] = useState<Incoming | undefined>();
  const leave = useLeaveGuard(
    () => workbench.edited.value,
    () => (workbench.edited.value = false),
  );
  const { versions } = workbench;
  const current = versions.current.value;

  const take = (files: readonly File[], handed = false): void => {
    const fits = files.filter(({ name, type }) => /\.pdf$/i.test(name) || type === 'application/pdf');
    const [first] = fits;
    setLeft(files.filter((file) => file !== first).map(({ name }) => name));
    if (first === undefined) return;
    const open = workbench.file !== undefined;
    const loses = versions.unsaved.value || workbench.edited.value;
    if (open && (handed || loses)) setIncoming({ file: first, handed });
    else void workbench.open(first);
  };
  useEffect(() => {
    void loadCatalog();
    take(takeHandedFiles(), true);
  }, []);
  usePaste(take);
  useUndoKeys({
    undo: () => leave.ask(() => workbench.undo()),
    redo: () => leave.ask(() => workbench.redo()),
  });
  const choose = (): void => input.current?.click();
  return (
    <div class="page document" {...caughtFiles(take)}>
      <input
        ref={input}
        type="file"
        hidden
        accept=".pdf,application/pdf"
        aria-label={t('PDF to edit')}
        onChange={(event) => {
          take([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
      {current === undefined ? (
        <header class="page-head">
          <h1>{t('Edit a document')}</h1>
          <p class="soft">{t('Look at a PDF and change it step by step. Every step can be undone.')}</p>
        </header>
      ) : (
        <DocumentHead onChoose={choose} ask={leave.ask} />
      )}
      {left.length === 0 ? null : (
        <Notice kind="warning" actions={<Button onClick={() => setLeft([])}>{t('Close')}</Button>}>
          <p>{t('One PDF is edited at a time. Not opened: {names}', { names: left.join(', ') })}</p>
        </Notice>
      )}
      <Refused />
      <Running />
      {current === undefined ? (
        <DropZone
          icon="file-pen-line"
          title={t('Drop a PDF here')}
          action={t('Choose a PDF')}
          busy={workbench.opening.value !== undefined}
          doing={openingText(workbench.opening.value)}
          onChoose={choose}
          onFiles={take}
        />
      ) : (
        <>
          <SectionLinks label={t('Sections')} current={part?.id} sections={parts.map(linkOf)} />
          <Remarks />
          {part === undefined ? (
            <Empty icon="map-pin-off" title={t('There is no such section')}>
              <LinkButton href="document">{t('Overview')}</LinkButton>
            </Empty>
          ) : (
            <PartHost key={part.id} part={part} file={current.file} />
          )}
        </>
      )}
      {incoming === undefined ? null : <IncomingDialog incoming={incoming} onClose={() => setIncoming(undefined)} />}
      <LeaveQuestion question={leave} text={t('What you have entered here is not applied to the document yet.')} />
      <SignedQuestion />
    </div>
  );
}

function openingText(file: File | undefined): string | undefined {
  return file && t('Opening “{name}” ({size})', { name: file.name, size: formatBytes(file.size) });
}

function linkOf({ id, title, icon }: Part): SectionLink {
  return { id, title: t(title), icon, href: id === parts[0]!.id ? 'document' : `document/${id}` };
}
