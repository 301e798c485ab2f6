import { InputError } from '@quire/registry/errors';
import { readCompoundFile, type CompoundStream } from './compound-file.js';

const FILEPASS = 0x2f;
/** Records before the cells of a workbook begin. */
const GLOBALS = 64 * 1024;
/** [MS-PPT], 2.3.2: the token of an encrypted presentation. */
const ENCRYPTED_DECK = 0xf3d1c4df;

/**
 * Refuses a compound file that only a password opens: OOXML in encryption ([MS-OFFCRYPTO]), and documents of Word,
 * Excel and PowerPoint before 2007. Throws OFFICE_ENCRYPTED.
 */
export function refuseLocked(data: Buffer, field = 'fileInput'): void {
  const streams = readCompoundFile(data) ?? [];
  if (streams.some(isLocked)) throw new InputError('OFFICE_ENCRYPTED', { field });
}

function isLocked(stream: CompoundStream): boolean {
  switch (stream.name) {
    case 'EncryptedPackage':
      return true;
    case 'WordDocument':
      return lockedWord(stream.head(12));
    case 'Workbook':
    case 'Book':
      return lockedWorkbook(stream.head(GLOBALS));
    case 'Current User':
      return lockedDeck(stream.head(16));
    case 'EncryptedSummary':
      return true;
    default:
      return false;
  }
}

/** fEncrypted of the file information block ([MS-DOC], 2.5.2). */
const lockedWord = (head: Buffer): boolean =>
  head.length >= 12 && head.readUInt16LE(0) === 0xa5ec && (head.readUInt16LE(10) & 0x0100) !== 0;

/** headerToken of the current user ([MS-PPT], 2.3.2). */
const lockedDeck = (head: Buffer): boolean => head.length >= 16 && head.readUInt32LE(12) === ENCRYPTED_DECK;

/** A FilePass record among those before the first sheet ([MS-XLS], 2.4.117). */
function lockedWorkbook(head: Buffer): boolean {
  for (let at = 0; at + 4 <= head.length;) {
    const [type, length] = [head.readUInt16LE(at), head.readUInt16LE(at + 2)];
    if (type === FILEPASS) return true;
    // EOF ends the globals.
    if (type === 0x0a) return false;
    at += 4 + length;
  }
  return false;
}
