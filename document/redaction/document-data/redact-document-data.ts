import type { PDFDict } from 'pdf-lib';
import { ContentReader, type Quad } from '../../content/index.js';
import { type OpenedPdf, openPdf } from '../../file/open/index.js';
import { dropAnnotationsAndReferences } from '../../structure/annotations/index.js';
import { dropXfa } from '../../forms/fields/index.js';
import { liesUnder } from './annotation-areas.js';
import { dropShowing, redrawWidgets } from './clean-annotations.js';
import { dropFoundXfa, renameFields, renameStates } from './clean-fields.js';
import { cleanFiles } from './clean-files.js';
import { dropAuthorship, dropXmp } from './clean-metadata.js';
import { cleanStrings } from './clean-strings.js';
import { dropFoundActions } from './found-actions.js';
import { dropHiddenPages, pageShows } from './hidden-pages.js';
import { calledNames, NewNames, renameKeys } from './new-names.js';
import { dropPrivateData } from './private-data.js';
import type { TextFinder } from './text-finder.js';
import { emptyUndrawnForms } from './undrawn-forms.js';
import {
  ByteTerms,
  cleanContentStreams,
  cleanFontPrograms,
  cleanImages,
  dropFoundIdentifier,
  emptyGlyphProcedures,
  renameNames,
} from '../syntax/index.js';

/** Data to remove from a document besides the content of its pages. */
export interface DocumentDataTargets {
  /** Finds texts that must be removed everywhere. */
  readonly find?: TextFinder;
  /** The literal terms of `find`: searched in numbers too, where patterns find something by chance. */
  readonly terms?: readonly string[];
  /**
   * Areas in default user space, by page dictionary. Annotations under them are removed with their fields, pop-ups and
   * tags.
   */
  readonly areas?: ReadonlyMap<PDFDict, readonly Quad[]>;
  /** Pages that are emptied completely: all their annotations are removed. */
  readonly wiped?: ReadonlySet<PDFDict>;
  /**
   * True to remove author, subject, keywords and XMP, whatever they contain (docs/interface/security.yml, auto-redact).
   */
  readonly metadata?: boolean;
}

export interface DocumentDataOptions {
  readonly signal?: AbortSignal;
  /** How deep PDFs that are embedded in each other are inspected. Default 3. */
  readonly depth?: number;
  /** Called with what contains found text and cannot be removed or renamed, in words. */
  readonly onLeft?: (what: string) => void;
}

/** Counts of what was removed. */
export interface RemovedDocumentData {
  readonly annotations: number;
  /** Widgets that were redrawn because their value or caption changed. */
  readonly widgets: number;
  /** Strings that were cut or emptied. */
  readonly strings: number;
  /**
   * Text streams, XFA forms, XMP packets, forms that no page draws, glyph procedures, and content, fonts and images of
   * which a part was overwritten.
   */
  readonly streams: number;
  /**
   * Changes among the others that may show on pages: names, glyph procedures, content besides shown text, fonts and
   * their character maps.
   */
  readonly content: number;
  /** Names of destinations, files, fields, states, resources, fonts, roles and the like that were replaced. */
  readonly names: number;
  /** Scripts and other actions. */
  readonly actions: number;
  /** Embedded files, including those that could not be inspected. */
  readonly files: number;
  /** Hidden pages. */
  readonly hiddenPages: number;
  /** Thumbnails and private data of applications. */
  readonly privateData: number;
}

/** Default nesting depth of embedded PDFs; deeper ones are not inspected but removed. */
const MAX_DEPTH = 3;

/**
 * Removes whatever redaction must not leave in a document outside of page content, in place: annotations under `areas`,
 * and text that `find` finds in any string, text stream, name, script, file, appearance or metadata. Found text is cut
 * out; things that cannot be cut (scripts, addresses, rich text, files, appearances that do not follow from a value)
 * are removed completely. Invisible copies of pages are always removed: thumbnails, private data of applications, web
 * capture data. Earlier revisions disappear because the document is rewritten. Throws INPUT_TOO_COMPLEX for endless
 * appearances, and the reason of `signal` if it is aborted.
 */
export async function redactDocumentData(
  opened: OpenedPdf,
  { find, terms = [], areas, wiped, metadata }: DocumentDataTargets,
  options: DocumentDataOptions = {},
): Promise<RemovedDocumentData> {
  const {
    document: { context },
    pages,
  } = opened;
  const pause = (): void => options.signal?.throwIfAborted();
  const touched = find === undefined ? new Set([...(areas?.keys() ?? []), ...(wiped ?? [])]) : undefined;
  const privateData = touched?.size === 0 ? 0 : dropPrivateData(context, touched);
  let fields = false;
  let annotations = dropAnnotationsAndReferences(context, pages, (annotation, { dict }) => {
    const goes = wiped?.has(dict) === true || liesUnder(context, annotation, areas?.get(dict) ?? []);
    fields ||= goes && annotation.kind === 'Widget';
    return goes;
  });
  if (metadata === true) dropAuthorship(context);
  // An XFA form duplicates the values of all fields.
  let streams = (metadata === true ? dropXmp(context) : 0) + (fields && dropXfa(context) ? 1 : 0);
  const none = { widgets: 0, strings: 0, content: 0, names: 0, actions: 0, files: 0, hiddenPages: 0 };
  if (find === undefined) return { ...none, annotations, streams, privateData };
  pause();
  const actions = dropFoundActions(context, find);
  streams += dropXmp(context, find) + (dropFoundXfa(context, find) ? 1 : 0);
  const hiddenPages = dropHiddenPages(context, pages, find);
  pause();
  const showing = dropShowing(opened, find);
  annotations += showing.dropped;
  const names = new NewNames(find, calledNames(context));
  const files = await cleanFiles(context, pages, find, names, (bytes) => holds(bytes, { find, terms }, options));
  pause();
  renameFields(context, names);
  renameStates(context, pages, names);
  renameKeys(context, names);
  const { onLeft = () => undefined } = options;
  renameNames(context, names, onLeft);
  // Content is read by the names of its resources, so both change before anything is read again.
  const inNumbers = new ByteTerms(terms);
  let inContent = cleanContentStreams(context, pages, { find, names, terms: inNumbers });
  inContent += cleanFontPrograms(context, find);
  streams += cleanImages(context, { find, terms: inNumbers, onLeft, pause });
  pause();
  const cleaned = cleanStrings(context, find, names);
  inContent += cleaned.streams;
  await redrawWidgets(opened, showing.widgets, find);
  pause();
  inContent += emptyGlyphProcedures(context, find) + emptyUndrawnForms(context, pages, find);
  const identifiers = dropFoundIdentifier(context, find);
  return {
    annotations,
    widgets: showing.widgets.length,
    strings: cleaned.strings + identifiers,
    streams: streams + inContent,
    content: inContent + names.size,
    names: names.size,
    actions,
    files,
    hiddenPages,
    privateData,
  };
}

/** Resolves to true for a PDF that contains found text, on its pages or elsewhere, or that cannot be read. */
async function holds(
  bytes: Uint8Array,
  { find, terms }: { readonly find: TextFinder; readonly terms: readonly string[] },
  { signal, depth = MAX_DEPTH }: DocumentDataOptions,
): Promise<boolean> {
  if (depth <= 0) return true;
  try {
    const opened = await openPdf(bytes);
    const reader = new ContentReader(opened.document.context, { bothReadings: true });
    for (const page of opened.pages) {
      signal?.throwIfAborted();
      if (pageShows(reader, page, find)) return true;
    }
    const { privateData: _kept, ...found } = await redactDocumentData(
      opened,
      { find, terms },
      { ...(signal === undefined ? {} : { signal }), depth: depth - 1 },
    );
    return Object.values(found).some((count) => count > 0);
  } catch (error) {
    signal?.throwIfAborted();
    // An encrypted, damaged or endless file may contain anything.
    if (error instanceof Error) return true;
    throw error;
  }
}
