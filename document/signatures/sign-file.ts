import { statSync } from 'node:fs';
import type { SignedContent } from './cms/index.js';
import {
  type OpenedPdf,
  type OpenOptions,
  type WriteOptions,
  guardDocument,
  withPdf,
  writePdf,
} from '../file/open/index.js';
import { addSignature, type AddedSignature, type SignatureEntries } from './add-signature.js';
import { type ByteRange, coveredBytes, fillSlot, openSlot } from './signature-slot.js';

/** How a document is signed. */
export interface SignFileOptions extends Pick<OpenOptions, 'field' | 'password'>, Pick<WriteOptions, 'spendsInput'> {
  /** Says what is put in, once the document is open. */
  readonly entries: (opened: OpenedPdf) => SignatureEntries | Promise<SignatureEntries>;
  /** `rewrite` leaves no earlier revision of an unsigned input; `append` by default. */
  readonly mode?: 'append' | 'rewrite';
  /** Makes the value over what it covers: a CMS, or a time stamp token. */
  readonly value: (content: SignedContent) => Promise<Uint8Array>;
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
  const slot = openSlot(target, repaired ? 0 : size, marker);
  fillSlot(slot, await value(() => coveredBytes(slot)));
  return { field: added.field, repaired, byteRange: slot.byteRange };
}
