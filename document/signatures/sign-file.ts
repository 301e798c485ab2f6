import { statSync } from 'node:fs';
import {
  type OpenedPdf,
  type OpenOptions,
  type WriteOptions,
  guardDocument,
  withPdf,
  writePdf,
} from '../file/open/index.js';
import { addSignature, type AddedSignature, type SignatureEntries } from './add-signature.js';
import { type CoveredDigest, CoveredDigests } from './covered-digests.js';
import { type ByteRange, fillSlot, openSlot } from './signature-slot.js';

/** How a document is signed. */
export interface SignFileOptions extends Pick<OpenOptions, 'field' | 'password'>, Pick<WriteOptions, 'spendsInput'> {
  /** Says what is put in, once the document is open. */
  readonly entries: (opened: OpenedPdf) => SignatureEntries | Promise<SignatureEntries>;
  /** `rewrite` leaves no earlier revision of an unsigned input; `append` by default. */
  readonly mode?: 'append' | 'rewrite';
  /** Makes the value from digests of what it covers: a CMS, or a time stamp token. */
  readonly value: (digest: CoveredDigest) => Promise<Uint8Array>;
}

/** The result of signing. */
export interface SignedFile extends Pick<AddedSignature, 'field'> {
  /**
   * True when the input was rewritten: because it was to be, or damaged. Core lets neither happen to one that was
   * signed before.
   */
  readonly repaired: boolean;
  /** The bytes that the signature covers: the whole file except its own value. */
  readonly byteRange: ByteRange;
  /** Digests those bytes of the written file; the input's bytes, where it was appended, not a second time. */
  readonly digest: CoveredDigest;
}

/**
 * Signs the document at `source` into a new file at `target`. It appends: the input's bytes stay as they are, and with
 * them the signatures that it has. Errors: those of `openPdf` and `addSignature`, and what `value` rejects with.
 */
export async function signFile(
  source: string,
  target: string,
  { entries, value, mode: wanted = 'append', field = 'fileInput', spendsInput = false, ...options }: SignFileOptions,
): Promise<SignedFile> {
  const { size } = statSync(source);
  const { marker, repaired, ...added } = await withPdf({ path: source }, { field, ...options }, (opened) =>
    guardDocument(field, async () => {
      const put = addSignature(opened.document.context, await entries(opened));
      // Within an object stream the value would be out of reach.
      const mode = writePdf(opened, target, {
        mode: wanted,
        stamp: false,
        objectStreams: false,
        usageRights: 'always',
        spendsInput,
      });
      return { ...put, repaired: mode === 'rewrite' };
    }),
  );
  // An update begins behind the input; nothing is written in front of it.
  const settled = repaired ? 0 : size;
  const slot = openSlot(target, settled, marker);
  const digests = new CoveredDigests(slot, settled);
  const digest: CoveredDigest = (name) => digests.digest(name);
  fillSlot(slot, await value(digest));
  return { field: added.field, repaired, byteRange: slot.byteRange, digest };
}
