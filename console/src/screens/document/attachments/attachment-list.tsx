import { IconButton } from '../../../components/index.ts';
import { formatBytes } from '../../../i18n/index.ts';
import { t } from '../texts.ts';
import type { Attachment } from './attachment.ts';

interface AttachmentListProps {
  readonly attachments: readonly Attachment[];
  readonly onSave: (attachment: Attachment) => void;
  readonly onRename: (attachment: Attachment) => void;
  readonly onRemove: (attachment: Attachment) => void;
}

export function AttachmentList({ attachments, onSave, onRename, onRemove }: AttachmentListProps) {
  return (
    <ul class="attachment-list" aria-label={t('Attachments')}>
      {attachments.map((attachment, i) => {
        const { filename: name } = attachment;
        return (
          <li key={i}>
            <div class="grow">
              <p class="break" dir="auto">
                <strong>{name}</strong>
              </p>
              <p class="soft small break" dir="auto">
                {factsOf(attachment).join(' · ')}
              </p>
            </div>
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
          </li>
        );
      })}
    </ul>
  );
}

function factsOf({ filename, size, contentType, description }: Attachment): readonly string[] {
  return [
    ...(size < 0 ? [] : [formatBytes(size)]),
    ...(contentType === null ? [] : [contentType]),
    ...(description === null || description === '' || description === filename ? [] : [description]),
  ];
}
