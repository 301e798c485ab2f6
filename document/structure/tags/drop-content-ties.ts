import { type PDFContext, PDFDict, type PDFObject } from 'pdf-lib';
import { arrayOf, asDict, asName, catalogOf, elements, entry, resolve, setEntry } from '../../file/objects/index.js';
import { readAnnotations } from '../annotations/annotations.js';
import { withdrawClaims } from '../metadata/metadata.js';
import { type OutlineNode, readOutlines } from '../outlines/outlines.js';
import { dropPermissions } from '../../signatures/fields/permissions.js';

/** What of the catalog says something of page content, of fields or of scripts (ISO 32000-1, table 28). */
const CATALOG_KEYS = [
  'AcroForm',
  'OCProperties',
  'AA',
  'NeedsRendering',
  'PieceInfo',
  'SpiderInfo',
  'Requirements',
] as const;
/** Name trees that hold scripts, pages that are not shown, and appearances for fields. */
const NAME_KEYS = ['JavaScript', 'Templates', 'AP', 'IDS', 'URLS'] as const;
/** What of a page does (ISO 32000-1, table 30). */
const PAGE_KEYS = ['PieceInfo', 'AA', 'Group', 'SeparationInfo', 'Thumb'] as const;
/** Annotations that do not only show something. */
const KEPT_KINDS: ReadonlySet<string> = new Set(['Link', 'FileAttachment']);

/**
 * Drops from a document whose pages become pictures what would speak of content that is no longer there, in place:
 * tags, layers, fields, scripts, hidden pages, rights, and claims to standards that pictures do not meet. Bookmarks,
 * labels, attachments and metadata stay.
 */
export function dropContentTies(context: PDFContext): void {
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

/** The same for one of its pages: of its annotations, links and attached files stay. */
export function dropPageTies(context: PDFContext, page: PDFDict): void {
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
 * Drops the structure tree and what refers to it, in place: in the catalog, the outline and these pages with their
 * annotations. For content whose marks are gone.
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

/** An action that runs a script at once; a destination is an array, or a name. */
function runsScript(context: PDFContext, value: PDFObject | undefined): boolean {
  const action = asDict(context, value);
  return (
    action !== undefined &&
    ['JavaScript', 'Rendition', 'Hide', 'SubmitForm', 'ResetForm', 'ImportData', 'SetOCGState'].includes(
      asName(context, entry(action, 'S')) ?? '',
    )
  );
}
