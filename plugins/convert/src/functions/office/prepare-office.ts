import { copyFile, link, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileHead } from '@quire/document/file/source';
import { InputError } from '@quire/registry/errors';
import { cleanHtml } from '../clean-html.js';
import { beginsLikeXml, cleanPackage } from './clean-package.js';
import { cleanRtf } from './clean-rtf.js';
import { decodeXml } from '@quire/document/file/xml';
import type { MayStay } from './outside.js';
import { decodeText, markedText } from './plain-text.js';
import { hasTrackedChanges, TRACKED_CHANGES } from './tracked-changes.js';
import { refuseLocked } from './refuse-locked.js';
import { commaSeparated, readCells } from './table-cells.js';
import { sheetOf } from './table-sheet.js';
import { cleanXml } from './xml-references.js';

const HEAD = 4096;
/** Columns of a sheet of LibreOffice Calc. */
const MOST_COLUMNS = 16_384;
/** Cells up to which a table in text is laid out for the page; larger ones are read by LibreOffice itself. */
const MOST_LAID_OUT = 200_000;
const packages =
  /^(?:doc[xm]|dot[xm]|xls[xmb]|xlt[xm]|xlam|ppt[xm]|pps[xm]|pot[xm]|od[tspgfmbc]|ot[tspgh]|oth|sx[wcidmg]|st[wcid]|vsdx|vsdm|epub|pages|key)$/;
const compounds = /^(?:do[ct]|xl[stwam]|pp[sta]|pot|vsd|pub|msi|wps|wri|hwp)$/;
/** Extensions of unstructured text, whose content is never interpreted as another format. */
const plain = /^(?:txt|text|log|md|asc|me|ini|c|h|cpp|py|js|ts|css|json|yml|yaml|conf|sh|bat|sql|tex)$/;

/** How a document is made ready. */
export interface OfficePreparation {
  /** Name for people, without extension: sheets and fields show it. */
  readonly name?: string;
  /** Extension by which the office program reads it, without dot. */
  readonly extension: string;
  readonly folder: string;
  readonly mayStay: MayStay;
  /** False lets HTML through as it is (`system.disableSanitize`); the program fetches nothing all the same. */
  readonly sanitize: boolean;
  readonly signal: AbortSignal;
  readonly field?: string;
  /** Called with warnings for users about what is printed. */
  readonly warn?: (sentence: string) => void;
}

/**
 * Prepares a document for LibreOffice, which recognises files by content: removes references to other files and servers
 * from OOXML, OpenDocument, RTF and HTML, converts text to UTF-8. Returns the path of a copy in `folder` with the
 * extension as which it should be read. Throws OFFICE_UNREADABLE if the content does not match the name,
 * OFFICE_ENCRYPTED, ARCHIVE_UNSAFE.
 */
export async function prepareOffice(source: string, preparation: OfficePreparation): Promise<string> {
  const { folder, mayStay, sanitize, signal, field = 'fileInput', warn = () => undefined } = preparation;
  const extension = preparation.extension.toLowerCase();
  const unreadable = (detail: string): InputError => new InputError('OFFICE_UNREADABLE', { field, detail });
  const at = (suffix: string): string => join(folder, `${fileName(preparation.name)}.${suffix}`);
  const write = async (data: Uint8Array | string, suffix = extension): Promise<string> => {
    await writeFile(at(suffix), data, { flag: 'wx', mode: 0o600 });
    return at(suffix);
  };
  const same = (): Promise<string> => copyAs(source, at(extension));
  const head = await fileHead(source, HEAD);
  if (head.length === 0) throw unreadable('it is empty');
  if (plain.test(extension)) return write(markedText(readText(await readFile(source), unreadable)), 'txt');
  if (extension === 'csv' || extension === 'tsv' || extension === 'tab') {
    const cells = readCells(readText(await readFile(source), unreadable), extension === 'csv' ? undefined : '\t');
    if (cells.some((row) => row.length > MOST_COLUMNS)) throw unreadable(`it has more than ${MOST_COLUMNS} columns`);
    const count = cells.reduce((sum, row) => sum + row.length, 0);
    return count > MOST_LAID_OUT
      ? write(commaSeparated(cells), 'csv')
      : write(sheetOf(cells, fileName(preparation.name)), 'fods');
  }
  const start = head.toString('latin1', 0, 8);
  if (start.startsWith('PK\x03\x04')) {
    let changes = false;
    const look = (name: string, xml: string): void => void (changes ||= hasTrackedChanges(name, xml));
    await cleanPackage(source, at(extension), { mayStay, signal, field, look });
    if (changes) warn(TRACKED_CHANGES);
    return at(extension);
  }
  if (start === '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1') {
    refuseLocked(await readFile(source), field);
    return same();
  }
  if (/^(?:\xef\xbb\xbf)?[\s\0]*\{\\rt/.test(head.toString('latin1'))) {
    const rtf = await readFile(source, 'latin1');
    if (/\\(?:deleted|revised)(?![a-z0])/.test(rtf)) warn(TRACKED_CHANGES);
    return write(Buffer.from(cleanRtf(rtf, mayStay), 'latin1'), 'rtf');
  }
  if (packages.test(extension)) throw unreadable('its content does not match its extension');
  if (!beginsLikeXml(head)) {
    // Programs of old wrote tab separated text under the names of their own formats.
    if (compounds.test(extension) && !looksLikeText(head)) throw unreadable('its content does not match its extension');
    return same();
  }
  const data = await readFile(source);
  if (isHtml(head) || /^x?html?$/.test(extension)) return write(sanitize ? cleanHtml(data) : data, 'html');
  const refuse = (detail: string): InputError => unreadable(detail.replace(/^an XML part/, 'its XML'));
  const xml = decodeXml(data, refuse);
  if (hasTrackedChanges('content.xml', xml)) warn(TRACKED_CHANGES);
  return write(cleanXml(xml, { inPackage: false, mayStay }));
}

const fileName = (name = ''): string =>
  name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N} _().-]+/gu, '_')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .slice(0, 60) || 'document';

/** The file under another name, without writing it again where that can be. */
export async function copyAs(source: string, target: string): Promise<string> {
  await link(source, target).catch(() => copyFile(source, target));
  return target;
}

const looksLikeText = (head: Buffer): boolean => {
  if (head[0] === 0xff && head[1] === 0xfe) return true;
  // oxlint-disable-next-line no-control-regex
  return !/[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(head.toString('latin1'));
};

const HTML_ELEMENTS =
  'html|head|body|title|meta|link|style|script|table|div|p|font|center|h[1-6]|b|i|span|br|hr|a|img|ul|ol|pre|form|' +
  'iframe|base';
const HTML_START = new RegExp(String.raw`^\uFEFF?\s*(?:<\?[^>]*>\s*)*<(?:!doctype\s+html|${HTML_ELEMENTS})\b`, 'i');

/** True for HTML by its document type or by its first known element. */
function isHtml(head: Buffer): boolean {
  return HTML_START.test(decodeText(head).replace(/<!--[\s\S]*?(?:-->|$)/g, ''));
}

function readText(data: Buffer, unreadable: (detail: string) => InputError): string {
  const text = decodeText(data);
  // oxlint-disable-next-line no-control-regex
  if (/[\x00-\x06\x0e-\x19]/.test(text.slice(0, HEAD))) throw unreadable('it is not text');
  return text;
}
