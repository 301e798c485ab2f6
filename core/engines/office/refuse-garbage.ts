import { stat } from 'node:fs/promises';
import { fileHead } from '@quire/document/file/source';
import { kindInfo, kindOfName } from '@quire/registry';
import { unreadable } from './pool.js';

/**
 * Rejects a file whose content does not match its extension: the office program would open it as plain text, and print
 * a broken document as pages of garbage. Rejects with OFFICE_UNREADABLE.
 */
export async function refuseGarbage(input: string): Promise<void> {
  const kind = kindOfName(input);
  const { size } = await stat(input);
  if (size === 0) throw unreadable('it is empty');
  const magic = kind === undefined ? undefined : kindInfo(kind).magic;
  if (magic === undefined) return;
  const head = await fileHead(input, 4096);
  const officeStarts = [
    '504b0304',
    '504b0506',
    'd0cf11e0a1b11ae1',
    '7b5c727466',
    ...magic.filter(({ at }) => at === 0).map(({ hex }) => hex),
  ];
  const hex = head.toString('hex', 0, 64);
  // Old programs wrote HTML or tab-separated text under the names .doc and .xls, so text is accepted.
  // oxlint-disable-next-line no-control-regex
  const isText = !/[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]/.test(
    head.subarray(0, Math.max(0, head.length - 4)).toString('utf8'),
  );
  const isUtf16 = hex.startsWith('fffe') || hex.startsWith('feff');
  if (!officeStarts.some((start) => hex.startsWith(start)) && !isText && !isUtf16)
    throw unreadable('its content does not match its extension');
}
