import { PDFName, PDFRef } from 'pdf-lib';
import type { ByteSource } from '../../engines/pdfium/index.js';
import type { Exchange } from '../encryption/index.js';
import type { LazyDocument } from '../reader/index.js';
import type { FileSource } from '../source/index.js';

/** Encryption dictionaries take 700 bytes; what is further away is not looked at. */
const MAX_DICTIONARY_BYTES = 4096;
const ENCRYPT = PDFName.of('Encrypt');

/** Bytes of a file that are replaced by as many others. */
interface Patch {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/**
 * Returns a document of revision 6 as one of revision 5, for a reader without fast hashes: the values of /R, /U and /UE
 * are exchanged in its encryption dictionary, and all other bytes are those of the file. The password, which Quire's
 * reader (`lazy`) has tried with the entries of the file, then gives the same key by SHA-256. Undefined for other
 * documents, when the password does not open it, and when the entries are not strings in hexadecimal digits.
 */
export function inRevision5(
  source: Uint8Array | FileSource,
  lazy: LazyDocument,
  password = '',
): Uint8Array | ByteSource | undefined {
  const patches = patchesFor(lazy, password);
  if (patches === undefined) return undefined;
  if (!(source instanceof Uint8Array)) return patched(source, patches);
  const bytes = new Uint8Array(source);
  for (const patch of patches) bytes.set(patch.bytes, patch.at);
  return bytes;
}

function patchesFor(lazy: LazyDocument, password: string): readonly Patch[] | undefined {
  const exchanges = lazy.security?.inRevision5(password);
  const named = lazy.trailer.get(ENCRYPT);
  const entry = named instanceof PDFRef ? lazy.entry(named.objectNumber) : undefined;
  if (exchanges === undefined || entry?.kind !== 'at') return undefined;
  const { position } = entry;
  const near = lazy.windows.bytes(position, Math.min(position + MAX_DICTIONARY_BYTES, lazy.windows.size));
  const object = Buffer.from(near.buffer, near.byteOffset, near.byteLength).toString('latin1').split('endobj', 1)[0];
  return object === undefined ? undefined : patchesIn(object, position, exchanges);
}

/** Undefined unless each text is there exactly once. */
function patchesIn(object: string, position: number, exchanges: readonly Exchange[]): readonly Patch[] | undefined {
  if (!/\/R 6[\s/>]/.test(object)) return undefined;
  const text = object.toLowerCase();
  const texts = exchanges.map(([before, after]) => [inDigits(before), inDigits(after)] as const);
  const patches: Patch[] = [];
  for (const [before, after] of [['/r 6', '/R 5'] as const, ...texts]) {
    const at = text.indexOf(before);
    if (at < 0 || text.includes(before, at + 1)) return undefined;
    patches.push({ at: position + at, bytes: Buffer.from(after, 'latin1') });
  }
  return patches;
}

const inDigits = (bytes: Uint8Array): string => `<${Buffer.from(bytes).toString('hex')}>`;

function patched(source: FileSource, patches: readonly Patch[]): ByteSource {
  return {
    size: source.size,
    read: (position, length, target) => {
      if (!source.read(position, length, target)) return false;
      for (const { at, bytes } of patches) {
        const from = Math.max(at, position);
        const to = Math.min(at + bytes.length, position + length);
        if (from < to) target.set(bytes.subarray(from - at, to - at), from - position);
      }
      return true;
    },
  };
}
