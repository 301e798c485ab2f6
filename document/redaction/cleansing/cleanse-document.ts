import type { PDFDict } from 'pdf-lib';
import { ContentReader, type Quad } from '../../content/index.js';
import { type OpenedPdf, openPdf } from '../../file/open/index.js';
import { dropAnnotationsWhole } from '../../structure/annotations/index.js';
import { dropXfa } from '../../forms/fields/index.js';
import { liesUnder } from './annotation-areas.js';
import { dropShowing, renewWidgets } from './clean-annotations.js';
import { dropFoundXfa, renameFields, renameStates } from './clean-fields.js';
import { cleanFiles } from './clean-files.js';
import { dropAuthorship, dropXmp } from './clean-metadata.js';
import { cleanStrings } from './clean-strings.js';
import { blankComments } from './content-comments.js';
import { dropFoundActions } from './found-actions.js';
import { dropHiddenPages, pageShows } from './hidden-pages.js';
import { calledNames, NewNames, renameKeys } from './new-names.js';
import { dropPrivateData } from './private-data.js';
import type { TextFinder } from './text-finder.js';
import { emptyUndrawnForms } from './undrawn-forms.js';

/** What is to go out of a document beside the content of its pages. */
export interface Cleansing {
  /** Texts that must be gone everywhere. */
  readonly find?: TextFinder;
  /** Areas in default user space by page: annotations under them go, with their fields, pop-ups and tags. */
  readonly areas?: ReadonlyMap<PDFDict, readonly Quad[]>;
  /** Pages of which nothing is left: all their annotations go. */
  readonly wiped?: ReadonlySet<PDFDict>;
  /** Author, subject, key words and XMP go, whatever they say (docs/interface/security.yml, auto-redact). */
  readonly metadata?: boolean;
}

/** How to go about it. */
export interface CleanseOptions {
  readonly signal?: AbortSignal;
  /** Files of PDF that lie within files: how deep they are looked into. Default 3. */
  readonly depth?: number;
}

/** What went, in numbers. */
export interface CleansedDocument {
  readonly annotations: number;
  /** Widgets drawn anew because their value or caption changed. */
  readonly widgets: number;
  /** Strings that were cut or emptied. */
  readonly strings: number;
  /** Streams of text, XFA forms, packets of XMP, forms that nothing draws, and content with comments. */
  readonly streams: number;
  /** Names of destinations, files, fields and states that were replaced. */
  readonly names: number;
  /** Scripts and other actions. */
  readonly actions: number;
  /** Attached files, those that could not be looked into included. */
  readonly files: number;
  /** Pages that are not shown. */
  readonly hiddenPages: number;
  /** Thumbnails and private data of programs. */
  readonly privateData: number;
}

/** Files within files within files; what lies deeper is not looked into, and goes. */
const MAX_DEPTH = 3;

/**
 * Takes out of an opened document, in place, what redaction must not leave beside the content of pages: annotations
 * under `areas`, and what `find` finds in any string, text stream, name, script, file, appearance or metadata. A found
 * stretch of text is replaced by nothing; what cannot be cut (scripts, addresses, formatted text, appearances that do
 * not follow from a value, files) goes whole. Copies of pages that nobody sees go in any case: thumbnails, private data
 * of programs, what was captured from the web. Earlier revisions go because such a document is written anew. Errors:
 * INPUT_TOO_COMPLEX for appearances without end; the reason of `signal`.
 */
export async function cleanseDocument(
  opened: OpenedPdf,
  { find, areas, wiped, metadata }: Cleansing,
  options: CleanseOptions = {},
): Promise<CleansedDocument> {
  const {
    document: { context },
    pages,
  } = opened;
  const pause = (): void => options.signal?.throwIfAborted();
  const touched = find === undefined ? new Set([...(areas?.keys() ?? []), ...(wiped ?? [])]) : undefined;
  const privateData = touched?.size === 0 ? 0 : dropPrivateData(context, touched);
  let fields = false;
  let annotations = dropAnnotationsWhole(context, pages, (annotation, { dict }) => {
    const goes = wiped?.has(dict) === true || liesUnder(context, annotation, areas?.get(dict) ?? []);
    fields ||= goes && annotation.kind === 'Widget';
    return goes;
  });
  if (metadata === true) dropAuthorship(context);
  // An XFA form holds the values of all fields once more.
  let streams = (metadata === true ? dropXmp(context) : 0) + (fields && dropXfa(context) ? 1 : 0);
  const none = { widgets: 0, strings: 0, names: 0, actions: 0, files: 0, hiddenPages: 0 };
  if (find === undefined) return { ...none, annotations, streams, privateData };
  pause();
  const actions = dropFoundActions(context, find);
  streams += dropXmp(context, find) + (dropFoundXfa(context, find) ? 1 : 0);
  const hiddenPages = dropHiddenPages(context, pages, find);
  pause();
  const showing = dropShowing(opened, find);
  annotations += showing.dropped;
  const names = new NewNames(find, calledNames(context));
  const files = await cleanFiles(context, pages, find, names, (bytes) => holds(bytes, find, options));
  pause();
  renameFields(context, names);
  renameStates(context, pages, names);
  renameKeys(context, names);
  const cleaned = cleanStrings(context, find, names);
  await renewWidgets(opened, showing.widgets, find);
  pause();
  streams += emptyUndrawnForms(context, pages, find) + blankComments(context, pages, find);
  return {
    annotations,
    widgets: showing.widgets.length,
    strings: cleaned.strings,
    streams: streams + cleaned.streams,
    names: names.size,
    actions,
    files,
    hiddenPages,
    privateData,
  };
}

/** True for a PDF in which something is found, on its pages or beside them, or that cannot be read. */
async function holds(
  bytes: Uint8Array,
  find: TextFinder,
  { signal, depth = MAX_DEPTH }: CleanseOptions,
): Promise<boolean> {
  if (depth <= 0) return true;
  try {
    const opened = await openPdf(bytes);
    const reader = new ContentReader(opened.document.context);
    for (const page of opened.pages) {
      signal?.throwIfAborted();
      if (pageShows(reader, page, find)) return true;
    }
    const { privateData: _kept, ...found } = await cleanseDocument(
      opened,
      { find },
      { ...(signal === undefined ? {} : { signal }), depth: depth - 1 },
    );
    return Object.values(found).some((count) => count > 0);
  } catch (error) {
    signal?.throwIfAborted();
    // Locked, damaged or without end: nobody could say what is in it.
    if (error instanceof Error) return true;
    throw error;
  }
}
