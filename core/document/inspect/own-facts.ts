import type { PDFContext } from 'pdf-lib';
import { DocumentError } from '../errors.js';
import { asDict, catalogOf, elements, entry } from '../objects/index.js';
import { allFieldNodes, fieldAttribute, isSignatureField, readFields } from '../parts/fields.js';
import { countPages, openLazily } from '../reader/index.js';
import type { FileSource } from '../source/index.js';
import type { PdfFacts } from './inspect.js';

/** What our own reader finds, reading no more than the page tree and the form fields. Errors: those of opening; PDF_NO_PAGES. */
export function ownFacts(source: Uint8Array | FileSource, _password: string | undefined): PdfFacts {
  const lazy = openLazily(source);
  const pages = countPages(lazy);
  if (pages === 0) throw new DocumentError('PDF_NO_PAGES', { field: 'fileInput' });
  return { pages, encrypted: lazy.encrypted, opensWithoutPassword: true, signed: isSigned(lazy.context), engine: 'quire' };
}

/** True when a signature field holds a signature with a /ByteRange (ISO 32000-1, 12.8.1), or the catalog's permissions rest on one. */
function isSigned(context: PDFContext): boolean {
  for (const node of allFieldNodes(readFields(context))) {
    if (isSignatureField(context, node) && hasByteRange(context, asDict(context, fieldAttribute(node, 'V')))) return true;
  }
  const catalog = catalogOf(context);
  const permissions = catalog === undefined ? undefined : asDict(context, entry(catalog, 'Perms'));
  return permissions !== undefined && hasByteRange(context, asDict(context, entry(permissions, 'DocMDP')));
}

function hasByteRange(context: PDFContext, signature: ReturnType<typeof asDict>): boolean {
  return signature !== undefined && elements(context, entry(signature, 'ByteRange')).length >= 2;
}
