import type { Scratch } from '../scratch.js';

/** Languages that are written from right to left (ISO 639), unless in Latin letters. */
const LANGUAGES = /^(?:ar|arc|ara|ckb|dv|fa|fas|he|heb|iw|ku-arab|ps|sd|syr|ug|ur|urd|yi)(?:-(?!latn)|$)/i;

/** True for a document whose language (/Lang of the catalog) is written from right to left. */
export function isRightToLeftDocument(scratch: Scratch, handle: number): boolean {
  const { pdfium } = scratch;
  return LANGUAGES.test(scratch.text((at, size) => pdfium.FPDFCatalog_GetLanguage(handle, at, size), 'utf-16le'));
}
