import { Problem } from '../../../api/index.ts';
import { readZip, saveFile, type ZipEntry } from '../../../files/index.ts';
import { sendDocument } from '../calls.ts';
import { t } from '../texts.ts';
import type { Attachment } from './attachment.ts';

/** Downloads one of the attachments. Rejects with a `Problem`. */
export async function saveAttachment(
  file: File,
  attachments: readonly Attachment[],
  attachment: Attachment,
): Promise<void> {
  const { blob } = await sendDocument('misc/extract-attachments', file, {});
  const found = entryFor(await readZip(blob), attachments, attachment);
  if (found === undefined)
    throw new Problem(0, { detail: t('“{name}” cannot be read from the document.', { name: attachment.filename }) });
  saveFile(await found.read(), attachment.filename || found.name);
}

/** The files are in the order of the list, without those that cannot be read; their names are made different. */
function entryFor(
  entries: readonly ZipEntry[],
  attachments: readonly Attachment[],
  attachment: Attachment,
): ZipEntry | undefined {
  if (entries.length === attachments.length) return entries[attachments.indexOf(attachment)];
  return entries.find(({ name }) => name === attachment.filename);
}
