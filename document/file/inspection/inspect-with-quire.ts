import { DocumentError } from '../../errors.js';
import { readSignatureState, type SignatureState } from '../../signatures/fields/signature-state.js';
import { cacheDocument, type LazyDocument, openLazily, readPageTree } from '../reader/index.js';
import { FileSource, noteDamage, noteSound, noteUnsigned, type PdfInput, withSource } from '../source/index.js';
import { findDamage, searchFile } from '../damage/index.js';
import type { InspectLimits } from './inspect-limits.js';
import type { PdfFacts } from './pdf-facts.js';

/**
 * Inspects a document with Quire's reader, reading only the page tree and the form fields, and with `findDamage` what
 * `findDamage` reads, unless it is known to be `sound`; with `readsOn` all of it is kept for the next reader. Throws
 * the errors of opening, and PDF_NO_PAGES.
 */
export function inspectWithQuire(
  source: Uint8Array | FileSource,
  {
    password,
    findDamage: damage = false,
    readsOn = false,
    keepsContents = true,
    sound = false,
  }: Omit<InspectLimits, 'maxPages' | 'allowLocked'> = {},
): PdfFacts {
  const access = password === undefined ? {} : { password };
  const open = (): LazyDocument => openLazily(source, access);
  const lazy = open();
  const tree = readPageTree(lazy);
  if (tree.pages.length === 0) throw new DocumentError('PDF_NO_PAGES', { field: 'fileInput' });
  const state = readSignatureState(lazy.context);
  const found =
    damage && !sound
      ? searchFile(source, lazy, tree, {
          reopen: readsOn ? () => lazy : open,
          signed: state.signed,
          keep: readsOn && keepsContents,
        }).found
      : undefined;
  const damaged = found !== undefined && found.repaired.length + found.lost.length > 0;
  // Otherwise the operation would search it when it opens it.
  if (sound) noteDamage(source, { streams: [], rewrite: false });
  if (sound || (damage && !damaged)) noteSound(source);
  if (!state.signed && source instanceof FileSource) noteUnsigned(source.path);
  cacheDocument(source, lazy, access);
  return {
    pages: tree.pages.length,
    encrypted: lazy.encrypted,
    opensWithoutPassword: true,
    ...state,
    ...(damaged ? { damage: found } : {}),
    engine: 'quire',
  };
}

/**
 * Looks for signatures only, in a file that may be locked or damaged; one that Quire's reader cannot open counts as
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
 * True when objects are not where or what the file says, or streams are damaged, so that the file can be rewritten but
 * not appended to. Reads every object.
 */
export function needsRepair(input: PdfInput): Promise<boolean> {
  return withSource(input, (source) => {
    try {
      const lazy = openLazily(source);
      for (const ref of lazy.references()) lazy.lookup(ref);
      return lazy.recovered || findDamage(lazy, readPageTree(lazy)).streams.length > 0;
    } catch {
      return true;
    }
  });
}
