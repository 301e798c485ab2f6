import type { ComponentChildren } from 'preact';
import { IconButton, Table } from '../../../components/index.ts';
import { formatBytes } from '../../../i18n/index.ts';
import { t } from '../texts.ts';
import type { Attachment } from './index.tsx';

interface AttachmentTableProps {
  readonly attachments: readonly Attachment[];
  readonly onSave: (attachment: Attachment) => void;
  readonly onRename: (attachment: Attachment) => void;
  readonly onRemove: (attachment: Attachment) => void;
  readonly empty: ComponentChildren;
}

export function AttachmentTable({ attachments, onSave, onRename, onRemove, empty }: AttachmentTableProps) {
  return (
    <Table
      label={t('Attachments')}
      rows={attachments}
      rowKey={(attachment) => `${attachments.indexOf(attachment)} ${attachment.filename}`}
      empty={empty}
      columns={[
        {
          id: 'name',
          label: t('Name'),
          cell: ({ filename, description }) => (
            <span class="break" dir="auto">
              {filename}
              {description === null || description === '' || description === filename ? null : (
                <span class="soft small attachment-description">{description}</span>
              )}
            </span>
          ),
        },
        { id: 'type', label: t('Type'), cell: ({ contentType }) => <span class="break">{contentType ?? '–'}</span> },
        {
          id: 'size',
          label: t('Size'),
          number: true,
          cell: ({ size }) => (size < 0 ? t('Unknown') : formatBytes(size)),
        },
        {
          id: 'actions',
          label: t('Actions'),
          quiet: true,
          cell: (attachment) => {
            const { filename: name } = attachment;
            return (
              <span class="attachment-actions">
                <IconButton
                  size="small"
                  icon="download"
                  label={t('Download: {file}', { file: name })}
                  onClick={() => onSave(attachment)}
                />
                <IconButton
                  size="small"
                  icon="pencil"
                  label={t('Rename “{name}”', { name })}
                  onClick={() => onRename(attachment)}
                />
                <IconButton
                  size="small"
                  icon="trash-2"
                  label={t('Delete “{name}”', { name })}
                  onClick={() => onRemove(attachment)}
                />
              </span>
            );
          },
        },
      ]}
    />
  );
}
