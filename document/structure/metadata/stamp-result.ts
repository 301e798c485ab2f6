import { rm } from 'node:fs/promises';
import type { PDFContext } from 'pdf-lib';
import { DocumentError } from '../../errors.js';
import { guardDocument, withPdf, writePdf } from '../../file/open/index.js';
import { catalogOf, setEntry } from '../../file/objects/index.js';
import { fileHead } from '../../file/source/index.js';
import { linearizeFile } from '../../file/writer/index.js';
import { readSignatureState } from '../../signatures/fields/signature-state.js';
import { changeInfo, type InfoChanges, localPdfDate } from './change-info.js';
import { isoDate } from './dates.js';
import { readClaims, readXmp, writeXmp } from './metadata.js';
import { type InfoKey, withInfoValue } from './xmp.js';

/** What is written into a finished document; a value that is undefined stays as it is. */
export interface ResultStamp {
  readonly author?: string;
  readonly creator?: string;
  readonly producer?: string;
}

export interface StampOptions {
  /** Of a document that needs one to open. */
  readonly password?: string;
  /** Written as the time of the last change. */
  readonly modified: Date;
  /** `append` leaves the bytes of the file as they are and adds an update. */
  readonly mode: 'append' | 'rewrite';
}

/** A linearized file says so in its first object (ISO 32000-1, F.3.3). */
const LINEARIZED_WITHIN = 1024;

/**
 * Writes a copy of a document with these values in its metadata to `target`. Passwords and permissions, object streams
 * and linearization stay, and XMP agrees with the information dictionary. Returns false, and writes nothing, for a
 * document that is signed, since a signature must stay what it is, and for one that cannot be opened.
 */
export async function stampResult(
  source: string,
  target: string,
  stamp: ResultStamp,
  { password, modified, mode }: StampOptions,
): Promise<boolean> {
  const linearized = mode === 'rewrite' && (await isLinearized(source));
  const written = linearized ? `${target}.plain` : target;
  const opening = password === undefined ? {} : { password };
  const done = await withPdf({ path: source }, opening, (opened) =>
    guardDocument('fileInput', () => {
      if (readSignatureState(opened.document.context).signed) return false;
      apply(opened.document.context, stamp, modified);
      writePdf(opened, written, { mode, stamp: false });
      return true;
    }),
  ).catch((error: unknown) => {
    if (error instanceof DocumentError) return false;
    throw error;
  });
  if (done && linearized) {
    await linearizeFile(written, target, opening);
    await rm(written);
  }
  return done;
}

async function isLinearized(path: string): Promise<boolean> {
  return Buffer.from(await fileHead(path, LINEARIZED_WITHIN)).includes('/Linearized');
}

function apply(context: PDFContext, { author, creator, producer }: ResultStamp, modified: Date): void {
  const texts = { Author: author, Creator: creator, Producer: producer };
  const changes: InfoChanges = {
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== undefined)),
    ModDate: modified,
  };
  if (isPdfA4(context)) changeXmpOnly(context, changes);
  else changeInfo(context, changes);
}

/** PDF/A-4 has no information dictionary besides one with a modification date (ISO 19005-4, 6.1.3). */
function isPdfA4(context: PDFContext): boolean {
  return readClaims(context).get('PDF/A')?.startsWith('4|') === true;
}

function changeXmpOnly(context: PDFContext, changes: InfoChanges): void {
  const [catalog, packet] = [catalogOf(context), readXmp(context)];
  if (catalog === undefined || packet === undefined) return;
  let xmp = packet;
  for (const [key, value] of Object.entries(changes)) {
    const text = value instanceof Date ? isoDate(localPdfDate(value)) : value;
    if (text !== undefined) xmp = withInfoValue(xmp, key as InfoKey, text);
  }
  setEntry(catalog, 'Metadata', writeXmp(context, xmp));
}
