import { DocumentError } from '../../errors.js';
import { readSignatureState, type SignatureState } from '../../signatures/fields/signature-state.js';
import { countPages, leaveReader, openLazily } from '../reader/index.js';
import { type FileSource, type PdfInput, withSource } from '../source/index.js';
import type { PdfFacts } from './inspect.js';

/**
 * What our own reader finds, reading no more than the page tree and the form fields. Errors: those of opening;
 * PDF_NO_PAGES.
 */
export function ownFacts(source: Uint8Array | FileSource, password: string | undefined): PdfFacts {
  const lazy = openLazily(source, password === undefined ? {} : { password });
  const pages = countPages(lazy);
  if (pages === 0) throw new DocumentError('PDF_NO_PAGES', { field: 'fileInput' });
  const state = readSignatureState(lazy.context);
  // A password is for the one who gave it.
  if (password === undefined) leaveReader(source, lazy);
  return { pages, encrypted: lazy.encrypted, opensWithoutPassword: true, ...state, engine: 'quire' };
}

/**
 * Looks for signatures alone, in a file that may be locked or damaged: what our own reader makes nothing of counts as
 * unsigned.
 */
export function inspectSignatures(input: PdfInput): Promise<SignatureState> {
  return withSource(input, async (source) => {
    try {
      return readSignatureState(openLazily(source).context);
    } catch {
      return { signed: false };
    }
  });
}

/**
 * True when something in a file is not where or what the file says it is, so that it can be written anew but not
 * appended to. Reads every object.
 */
export function needsMending(input: PdfInput): Promise<boolean> {
  return withSource(input, (source) => {
    try {
      const lazy = openLazily(source);
      for (const ref of lazy.references()) lazy.lookup(ref);
      return lazy.recovered;
    } catch {
      return true;
    }
  });
}
