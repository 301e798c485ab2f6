import { type PDFContext, PDFDict, type PDFObject } from 'pdf-lib';
import { arrayOf, asDict, asName, catalogOf, elements, entry, resolve, setEntry } from '../../file/objects/index.js';
import { readAnnotations } from '../annotations/annotations.js';
import { withdrawClaims } from '../metadata/metadata.js';
import { type OutlineNode, readOutlines } from '../outlines/outlines.js';
import { dropPermissions } from '../../signatures/fields/permissions.js';

/** Catalog entries that refer to page content, fields or scripts (ISO 32000-1, table 28). */
const CATALOG_KEYS = [
  'AcroForm',
  'OCProperties',
  'AA',
  'NeedsRendering',
  'PieceInfo',
  'SpiderInfo',
  'Requirements',
] as const;
/** Name trees of scripts, hidden pages, and appearances for fields. */
const NAME_KEYS = ['JavaScript', 'Templates', 'AP', 'IDS', 'URLS'] as const;
/** Page entries that refer to its content or scripts (ISO 32000-1, table 30). */
const PAGE_KEYS = ['PieceInfo', 'AA', 'Group', 'SeparationInfo', 'Thumb'] as const;
/** Annotations that do more than show something. */
const KEPT_KINDS: ReadonlySet<string> = new Set(['Link', 'FileAttachment']);

/**
 * Removes data that refers to page content from a document whose pages become images, in place: tags, layers, fields,
 * scripts, hidden pages, usage rights, and claims to standards that images do not meet. Bookmarks, page labels,
 * attachments and metadata stay.
 */
export function dropContentReferences(context: PDFContext): void {
  const catalog = catalogOf(context);
  if (catalog === undefined) return;
  for (const key of CATALOG_KEYS) setEntry(catalog, key, undefined);
  const names = asDict(context, entry(catalog, 'Names'));
  if (names !== undefined) for (const key of NAME_KEYS) setEntry(names, key, undefined);
  if (runsScript(context, entry(catalog, 'OpenAction'))) setEntry(catalog, 'OpenAction', undefined);
  const drop = (nodes: readonly OutlineNode[]): void => {
    for (const { dict, children } of nodes) {
      if (runsScript(context, entry(dict, 'A'))) setEntry(dict, 'A', undefined);
      drop(children);
    }
  };
  drop(readOutlines(context));
  dropTags(context, []);
  dropPermissions(context);
  withdrawClaims(context, ['PDF/A', 'PDF/UA', 'PDF/X', 'PDF/E', 'PDF/VT', 'WTPDF']);
}

/** Does the same for one of its pages; of its annotations, links and file attachments stay. */
export function dropPageContentReferences(context: PDFContext, page: PDFDict): void {
  for (const key of PAGE_KEYS) setEntry(page, key, undefined);
  setEntry(page, 'StructParents', undefined);
  const kept = elements(context, entry(page, 'Annots')).filter((value) => {
    const annotation = resolve(context, value);
    if (!(annotation instanceof PDFDict) || !KEPT_KINDS.has(asName(context, entry(annotation, 'Subtype')) ?? ''))
      return false;
    for (const key of ['StructParent', 'OC', 'AA', 'Popup']) setEntry(annotation, key, undefined);
    return !runsScript(context, entry(annotation, 'A'));
  });
  setEntry(page, 'Annots', kept.length > 0 ? arrayOf(context, kept) : undefined);
}

/**
 * Removes the structure tree and all references to it, in place: from the catalog, the outline and these pages with
 * their annotations. For content that has lost its marks.
 */
export function dropTags(context: PDFContext, pages: Iterable<PDFDict>): void {
  const catalog = catalogOf(context);
  for (const key of ['StructTreeRoot', 'MarkInfo']) if (catalog !== undefined) setEntry(catalog, key, undefined);
  const drop = (nodes: readonly OutlineNode[]): void => {
    for (const { dict, children } of nodes) {
      setEntry(dict, 'SE', undefined);
      drop(children);
    }
  };
  drop(readOutlines(context));
  for (const page of pages) {
    setEntry(page, 'StructParents', undefined);
    for (const { dict } of readAnnotations(context, page)) setEntry(dict, 'StructParent', undefined);
  }
}

/**
 * Returns true for an action that runs a script immediately; /OpenAction may also be a destination, which is an array
 * or a name.
 */
function runsScript(context: PDFContext, value: PDFObject | undefined): boolean {
  const action = asDict(context, value);
  return (
    action !== undefined &&
    ['JavaScript', 'Rendition', 'Hide', 'SubmitForm', 'ResetForm', 'ImportData', 'SetOCGState'].includes(
      asName(context, entry(action, 'S')) ?? '',
    )
  );
}
