import { useRef, useState } from 'preact/hooks';
import { asProblem, type Problem } from '../../../api/index.ts';
import {
  ActionDialog,
  Button,
  Empty,
  Field,
  LoadedView,
  ProblemNotice,
  TextInput,
  toast,
} from '../../../components/index.ts';
import { filesOfTransfer } from '../../../files/index.ts';
import { Beside } from '../beside.tsx';
import type { PartProps } from '../part.ts';
import { t } from '../texts.ts';
import { useAnswer } from '../use-answer.ts';
import type { Attachment } from './attachment.ts';
import { AttachmentList } from './attachment-list.tsx';
import { saveAttachment } from './extract.ts';
import './attachments.css';

/** The files in the document: add, download, rename, delete. */
export function Part(props: PartProps) {
  const { file, apply } = props;
  const list = useAnswer<readonly Attachment[]>(props, 'misc/list-attachments');
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<Problem | undefined>();
  const [renaming, setRenaming] = useState<Attachment | undefined>();
  const attempt = async (run: () => Promise<unknown>, done?: string): Promise<void> => {
    setProblem(undefined);
    try {
      await run();
      if (done !== undefined) toast(done);
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  const add = (files: readonly File[]): void => {
    if (files.length === 0) return;
    const title = t.count(files.length, '{count} file attached', '{count} files attached');
    const change = { title, operation: 'misc/add-attachments', fields: { attachments: files } };
    void attempt(() => apply(change), title);
  };
  const remove = ({ filename }: Attachment): void =>
    void attempt(() =>
      apply({
        title: t('“{name}” deleted', { name: filename }),
        operation: 'misc/delete-attachment',
        fields: { attachmentName: filename },
      }),
    );
  return (
    <Beside file={file}>
      <div
        class="stack attachments-drop"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          if (event.dataTransfer?.types.includes('Files') !== true) return;
          event.preventDefault();
          event.stopPropagation();
          void filesOfTransfer(event.dataTransfer).then(add);
        }}
      >
        <div class="row between">
          <h2>{t('Attachments')}</h2>
          <Button icon="paperclip" onClick={() => input.current?.click()}>
            {t('Attach files')}
          </Button>
        </div>
        <input
          ref={input}
          type="file"
          hidden
          multiple
          aria-label={t('Files to attach')}
          onChange={(event) => {
            add([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = '';
          }}
        />
        {problem === undefined ? null : <ProblemNotice problem={problem} />}
        <LoadedView loaded={list}>
          {(attachments) =>
            attachments.length === 0 ? (
              <Empty icon="paperclip" title={t('This document has no attachments')}>
                <p class="soft">{t('Drop files here to attach them.')}</p>
              </Empty>
            ) : (
              <AttachmentList
                attachments={attachments}
                onSave={(attachment) => void attempt(() => saveAttachment(file, attachments, attachment))}
                onRename={setRenaming}
                onRemove={remove}
              />
            )
          }
        </LoadedView>
      </div>
      {renaming === undefined ? null : (
        <RenameDialog attachment={renaming} apply={apply} onClose={() => setRenaming(undefined)} />
      )}
    </Beside>
  );
}

interface RenameDialogProps extends Pick<PartProps, 'apply'> {
  readonly attachment: Attachment;
  readonly onClose: () => void;
}

function RenameDialog({ attachment: { filename }, apply, onClose }: RenameDialogProps) {
  const [name, setName] = useState(filename);
  return (
    <ActionDialog
      title={t('Rename “{name}”', { name: filename })}
      action={t('Rename')}
      valid={name.trim() !== '' && name !== filename}
      run={async () => {
        await apply({
          title: t('“{name}” renamed', { name: filename }),
          operation: 'misc/rename-attachment',
          fields: { attachmentName: filename, newName: name },
        });
      }}
      onClose={onClose}
    >
      <Field label={t('New name')}>
        {(control) => <TextInput control={control} dir="auto" value={name} onText={setName} />}
      </Field>
    </ActionDialog>
  );
}
