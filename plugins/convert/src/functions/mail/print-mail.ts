import { mkdir, writeFile } from 'node:fs/promises';
import { isQuireError } from '@quire/registry/errors';
import { finishPrint } from '@quire/document/engines/printing';
import { attachToMail, type FileOfMail } from './attach-to-mail.js';
import type { Mail, MailAttachment } from './mail.js';
import { mailPage } from './mail-page.js';
import { readMail } from './read-mail.js';

/** How a mail is printed. */
export interface MailOptions {
  readonly allRecipients: boolean;
  /** Files of at most this many bytes are embedded; 0 embeds none. */
  readonly embedUpTo: number;
}

export interface MailTools {
  /** An empty private folder. */
  readonly folder: string;
  readonly now: Date;
  readonly signal: AbortSignal;
  print(page: string, output: string): Promise<void>;
}

export interface PrintedMail {
  readonly path: string;
  readonly attachments: number;
  readonly embedded: number;
  /** True when the formatted body could not be printed and its text is printed instead. */
  readonly simplified: boolean;
}

/** All files that are embedded in one PDF come to at most this much. */
const MAX_EMBEDDED = 512 * 1024 * 1024;

/** The page of a mail for browsers. Errors: those of `readMail`. */
export async function mailToHtml(
  bytes: Uint8Array,
  { allRecipients }: Pick<MailOptions, 'allRecipients'>,
): Promise<string> {
  return mailPage(await readMail(bytes), { allRecipients, embeds: () => false }).html;
}

/**
 * Prints a mail and embeds its files. When its formatted body cannot be printed, its text is tried once. Errors: those
 * of `readMail`, `print` and `editFile`.
 */
export async function mailToPdf(
  bytes: Uint8Array,
  { allRecipients, embedUpTo }: MailOptions,
  tools: MailTools,
): Promise<PrintedMail> {
  const { folder, signal } = tools;
  const mail = await readMail(bytes);
  const embedded = chooseFiles(mail, embedUpTo);
  const embeds = (attachment: MailAttachment): boolean => embedded.has(attachment);
  const printed = `${folder}/mail.pdf`;
  let page = mailPage(mail, { allRecipients, embeds });
  let simplified = false;
  try {
    await printPage(page.html, printed, tools, 'mail');
  } catch (error) {
    if (mail.html === undefined || !isQuireError(error) || error.code !== 'DOCUMENT_UNPROCESSABLE') throw error;
    simplified = true;
    page = mailPage(mail, { allRecipients, embeds, plain: true });
    await printPage(page.html, printed, tools, 'text');
  }
  signal.throwIfAborted();
  const files: FileOfMail[] = [];
  for (const [index, attachment] of page.listed.entries()) {
    if (!embedded.has(attachment)) continue;
    const path = `${folder}/file-${index}`;
    await writeFile(path, attachment.content, { mode: 0o600 });
    files.push({ index, name: attachment.name, path, mediaType: attachment.mediaType });
  }
  const finished = `${folder}/finished.pdf`;
  await finishPrint(printed, finished, {
    title: mail.subject.trim() === '' ? undefined : mail.subject.trim(),
    modified: tools.now,
  });
  const facts = { attachments: page.listed.length, embedded: files.length, simplified };
  if (files.length === 0) return { path: finished, ...facts };
  const path = `${folder}/mail-with-files.pdf`;
  await attachToMail(finished, path, files, { now: tools.now, scratch: folder, signal });
  return { path, ...facts };
}

async function printPage(html: string, output: string, { folder, print }: MailTools, name: string): Promise<void> {
  // In a folder of its own: what the page refers to is looked for beside it.
  await mkdir(`${folder}/${name}`);
  await writeFile(`${folder}/${name}/page.html`, html, { mode: 0o600 });
  await print(`${folder}/${name}/page.html`, output);
}

function chooseFiles({ attachments }: Mail, limit: number): Set<MailAttachment> {
  const chosen = new Set<MailAttachment>();
  let total = 0;
  for (const attachment of attachments) {
    if (attachment.content.length > limit || total + attachment.content.length > MAX_EMBEDDED) continue;
    total += attachment.content.length;
    if (limit > 0) chosen.add(attachment);
  }
  return chosen;
}
