import { type PDFContext, PDFName, type PDFRef, PDFString } from 'pdf-lib';
import {
  arrayOf,
  asDict,
  asName,
  catalogOf,
  elements,
  entry,
  isString,
  resolve,
  setEntry,
} from '../../file/objects/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import { dropAttachments, readAttachments, relationships } from '../../structure/attachments/index.js';

/**
 * Keeps only the attachments that the part of PDF/A allows, in place: none in parts 1 and 2 (ISO 19005-1, 6.1.11; -2,
 * 6.8: only PDF/A files, which is not checked), all in part 3, each with its media type, both names, its relationship
 * and an association with the document (ISO 19005-3, 6.8). Returns how many were removed.
 */
export function fixFiles({ document: { context }, pages }: OpenedPdf, part: number): number {
  if (part < 3) return dropAttachments(context, pages);
  const catalog = catalogOf(context);
  if (catalog === undefined) return 0;
  const associated = elements(context, entry(catalog, 'AF'));
  const known = new Set(associated.map((value) => asDict(context, value)));
  for (const { spec, file, name } of readAttachments(context, pages)) {
    if (file === undefined) continue;
    setEntry(spec, 'Type', PDFName.of('Filespec'));
    for (const key of ['F', 'UF'])
      if (!isString(resolve(context, entry(spec, key))))
        setEntry(spec, key, context.obj(PDFString.of(name.replace(/[^\x20-\x7e]|[()\\]/g, '_')) as never));
    if (!relationships.some((each) => each === asName(context, entry(spec, 'AFRelationship'))))
      setEntry(spec, 'AFRelationship', PDFName.of('Unspecified'));
    if (!/^[\w.+-]+\/[\w.+-]+$/.test(asName(context, entry(file.dict, 'Subtype')) ?? ''))
      setEntry(file.dict, 'Subtype', PDFName.of('application/octet-stream'));
    if (!known.has(spec)) associated.push(refOf(context, spec));
    known.add(spec);
  }
  if (associated.length > 0) setEntry(catalog, 'AF', arrayOf(context, associated));
  return 0;
}

function refOf(context: PDFContext, spec: ReturnType<typeof asDict> & object): PDFRef {
  return context.getObjectRef(spec) ?? context.register(spec);
}
