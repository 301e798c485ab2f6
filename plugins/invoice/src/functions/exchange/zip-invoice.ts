import { withPdf } from '@quire/document/file/open';
import { writeZip, type ZipMember } from '@quire/document/file/zip';
import type { ReadInvoice } from '@quire/document/invoices/syntaxes';
import { readAttachments, unpackFile } from '@quire/document/structure/attachments';
import { findInvoices } from '@quire/document/structure/invoices';
import type { InvoiceFile } from '@quire/document/structure/invoices/reading';
import { distinctNames } from '@quire/document/structure/names';
import { attachedFiles } from './invoice-as-json.js';

/** Limits for the other files of a PDF, which may be bombs. */
const FILE_BYTES = 50 * 1024 ** 2;
const TOTAL_BYTES = 200 * 1024 ** 2;
const FILES = 1000;

export interface ZipOptions {
  /** The PDF or XML. */
  readonly path: string;
  /** Where the zip is written; must not exist yet. */
  readonly target: string;
  /** An empty folder. */
  readonly scratch: string;
  readonly signal: AbortSignal;
}

/**
 * Writes a zip with the XML as it is, the files that are attached to the invoice (BT-125), and the other files that a
 * PDF carries. Returns sentences about the files that are left out.
 */
export async function zipInvoice(
  { bytes, hybrid, read }: InvoiceFile & { readonly read: ReadInvoice },
  { path, target, scratch, signal }: ZipOptions,
): Promise<readonly string[]> {
  const warnings: string[] = [];
  const distinct = distinctNames();
  const members: ZipMember[] = [
    { name: distinct(safeName(hybrid?.invoices[0]?.filename ?? 'invoice.xml', 'invoice.xml')), content: bytes },
  ];
  for (const { name, isBase64, content } of attachedFiles(read)) {
    if (isBase64) members.push({ name: distinct(safeName(name, 'attachment')), content });
    else warnings.push(`The attachment "${name}" is left out: its content is not base64.`);
  }
  if (hybrid !== undefined)
    for (const { name, file } of await unpackOthers(path, scratch, signal)) {
      if (file === undefined)
        warnings.push(`The attachment "${name}" of the PDF is left out: it is too large or damaged.`);
      else members.push({ name: distinct(safeName(name, 'attachment')), path: file });
    }
  await writeZip(members, target, signal);
  return warnings;
}

/** Writes the embedded files of a PDF, all but the invoice; `file` is undefined for what cannot be unpacked. */
function unpackOthers(
  path: string,
  scratch: string,
  signal: AbortSignal,
): Promise<{ readonly name: string; readonly file: string | undefined }[]> {
  return withPdf({ path }, { repair: false }, async ({ document: { context }, pages }) => {
    const invoice = findInvoices(context, pages).invoices[0]?.spec;
    const unpacked: { name: string; file: string | undefined }[] = [];
    let room = TOTAL_BYTES;
    for (const { name, spec, file } of readAttachments(context, pages).slice(0, FILES)) {
      if (spec === invoice || file === undefined) continue;
      signal.throwIfAborted();
      const target = `${scratch}/${unpacked.length}`;
      // Data that is thrown away costs time too.
      const { outcome, worked } =
        room > 0
          ? await unpackFile(context, file, target, Math.min(FILE_BYTES, room), signal)
          : { outcome: 'too large', worked: 0 };
      room -= worked;
      unpacked.push({ name, file: outcome === 'written' ? target : undefined });
    }
    return unpacked;
  });
}

/** A file name without folders, control characters and a leading dot. */
function safeName(raw: string, fallback: string): string {
  const bare = (raw.split(/[/\\]/).at(-1) ?? '')
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029<>:"|?*]/gu, '')
    .replace(/^[.\s]+/, '')
    .trim();
  return bare === '' ? fallback : bare.slice(0, 150);
}
