import {
  PDFArray,
  PDFContext,
  PDFDict,
  PDFName,
  PDFNull,
  PDFNumber,
  type PDFObject,
  type PDFRawStream,
  PDFRef,
} from 'pdf-lib';
import { arrayOf, asArray, asDict, asName, dictOf, entry, ObjectCopier, setEntry } from '../../file/objects/index.js';
import { contextBytes, measureContext, type OpenedPdf, type SaveOptions, writeContext } from '../../file/open/index.js';
import { type PageEntry, writePageTree } from '../pages/index.js';
import { linksToOtherPage } from '../annotations/annotations.js';
import { destinationPage } from '../names/destinations.js';
import { keepForm } from '../../forms/fields/keep-forms.js';
import { keepLayers } from '../layers/keep-layers.js';
import { DOCUMENT_NAMES, keepNames } from '../names/keep-names.js';
import { keepOutlines } from '../outlines/keep-outlines.js';
import { writeXmp } from '../metadata/metadata.js';
import { writeOutlines } from '../outlines/outlines.js';
import { writePageLabels } from '../pages/page-labels.js';
import { PageRepeats } from '../pages/repeat-pages.js';
import { keepViewerPreferences } from '../metadata/viewer-preferences.js';
import { SplitSource } from './split-source.js';

export interface ExtractOptions {
  /**
   * Keeps what belongs to the document and not to pages: attachments, scripts, bookmarks to other targets. Set it when
   * pages are removed from a document; the default (false) is meant for parts, which would otherwise all contain the
   * attachments.
   */
  readonly keepDocumentLevel?: boolean;
  /** Omits title, author and other document information. */
  readonly withoutInformation?: boolean;
  readonly modified?: Date;
}

const FROM_CATALOG = ['PageMode', 'PageLayout', 'Lang', 'OutputIntents', 'URI', 'Extensions', 'MarkInfo'] as const;
/** Private data of applications and article threads refer to other pages; the standard allows omitting them. */
const PAGE_OMITTED: ReadonlySet<string> = new Set(['Parent', 'Annots', 'B', 'DPart', 'PieceInfo', 'SeparationInfo']);
/** Lists in which a null entry would have a meaning; missing entries are removed instead. */
const COMPACT: ReadonlySet<string> = new Set(['Kids', 'Fields', 'T', 'Next', 'Ref', 'OCGs']);

/**
 * Copies the pages at these 0-based indexes into a new document, with everything they need and nothing of other pages:
 * no object of a removed page is reachable, and shared resources are reduced to those that the kept content names. A
 * repeated index creates a separate page with the same content. Throws INPUT_TOO_COMPLEX for too many of these.
 */
export async function extractPages(
  source: OpenedPdf | SplitSource,
  indexes: readonly number[],
  options: ExtractOptions = {},
): Promise<Uint8Array> {
  const { context, save } = partOf(source, indexes, options);
  return contextBytes(context, save);
}

/** Extracts into a new file: streams are copied from file to file. */
export function extractToFile(
  source: OpenedPdf | SplitSource,
  indexes: readonly number[],
  path: string,
  options: ExtractOptions = {},
): void {
  const { context, save } = partOf(source, indexes, options);
  writeContext(context, path, save);
}

/** Returns the number of bytes that `extractToFile` would write, without writing them. */
export function measureExtract(
  source: OpenedPdf | SplitSource,
  indexes: readonly number[],
  options: ExtractOptions = {},
): number {
  const { context, save } = partOf(source, indexes, options);
  return measureContext(context, save);
}

function partOf(
  source: OpenedPdf | SplitSource,
  indexes: readonly number[],
  options: ExtractOptions,
): { context: PDFContext; save: SaveOptions } {
  const split = source instanceof SplitSource ? source : new SplitSource(source);
  const context = new Part(split, indexes, options).build();
  return {
    context,
    save: {
      objectStreams: split.objectStreams ? true : undefined,
      ...(split.security === undefined ? {} : { security: split.security }),
      ...(options.modified === undefined ? {} : { modified: options.modified }),
    },
  };
}

class Part {
  private readonly target = PDFContext.create();
  private readonly catalog: PDFDict;
  private readonly copier: ObjectCopier;
  private readonly kept: readonly PageEntry[];
  private readonly keptRefs: ReadonlySet<PDFRef>;
  private readonly annotations = new Set<PDFDict>();
  private readonly fields = new Set<PDFDict>();
  private readonly structKeys = new Set<number>();

  private readonly documentLevel: boolean;

  constructor(
    private readonly source: SplitSource,
    private readonly indexes: readonly number[],
    private readonly options: ExtractOptions,
  ) {
    this.documentLevel = options.keepDocumentLevel ?? false;
    this.kept = indexes.flatMap((index) => source.pages[index] ?? []);
    this.keptRefs = new Set(this.kept.map(({ ref }) => ref));
    this.catalog = dictOf(this.target, { Type: PDFName.of('Catalog') });
    this.copier = new ObjectCopier(source.context, this.target, {
      admits: (object) => this.admits(object),
      alter: (copy) => this.noteStructKeys(copy),
      substitute: (owner, key, value, body) => this.substitute(owner, key, value, body),
    });
  }

  build(): PDFContext {
    const { target, source, copier } = this;
    target.header = source.context.header;
    target.trailerInfo.Root = target.register(this.catalog);
    for (const page of this.kept) this.chooseAnnotations(page);
    const pages = new Map(this.kept.map((page) => [page.ref, page]));
    for (const ref of pages.keys()) copier.place(ref, target.nextRef());
    for (const page of pages.values()) this.takePage(page, copier.placeOf(page.ref));
    copier.drain();
    setEntry(this.catalog, 'StructTreeRoot', source.structure.take(this.structKeys, copier, this.keptRefs));
    copier.drain();
    setEntry(
      this.catalog,
      'AcroForm',
      keepForm(source.context, source.fields, this.fields, this.hasLooseWidget(), copier),
    );
    setEntry(
      this.catalog,
      'Outlines',
      writeOutlines(target, keepOutlines(source.outlines, this.keptRefs, this.documentLevel, copier)),
    );
    // Fields may call the document-level scripts.
    const kinds = this.documentLevel ? DOCUMENT_NAMES : this.fields.size > 0 ? ['JavaScript'] : [];
    keepNames(source.context, source.destinations, this.keptRefs, kinds, copier, this.catalog);
    for (const key of FROM_CATALOG) setEntry(this.catalog, key, copier.copy(entry(source.catalog, key)));
    setEntry(this.catalog, 'ViewerPreferences', keepViewerPreferences(source.context, source.catalog, copier));
    if (source.metadata !== undefined && this.options.withoutInformation !== true)
      setEntry(this.catalog, 'Metadata', writeXmp(target, source.metadata));
    if (this.documentLevel)
      for (const key of ['AA', 'AF', 'Collection'])
        setEntry(this.catalog, key, copier.copy(entry(source.catalog, key)));
    this.takeOpenAction();
    this.takeTrailer();
    if (source.ownLabels)
      setEntry(
        this.catalog,
        'PageLabels',
        writePageLabels(
          target,
          this.indexes.flatMap((index) => source.labels[index] ?? []),
        ),
      );
    copier.drain();
    setEntry(this.catalog, 'OCProperties', keepLayers(source.context, source.catalog, copier));
    copier.drain();
    setEntry(this.catalog, 'Pages', writePageTree(target, this.placesInOrder(pages.size)));
    return target;
  }

  /** Returns the references of the pages in order. A repeated page is copied last, when everything else is in place. */
  private placesInOrder(different: number): PDFRef[] {
    const first = this.kept.flatMap(({ ref }) => this.copier.placeOf(ref) ?? []);
    if (different === this.kept.length) return first;
    const repeats = new PageRepeats(this.target);
    const seen = new Set<PDFRef>();
    const places = first.map((ref) => {
      const dict = asDict(this.target, ref);
      const again = seen.has(ref) && dict !== undefined;
      seen.add(ref);
      return again ? repeats.repeat({ ref, dict, inherited: new Map() }) : ref;
    });
    repeats.finish();
    return places;
  }

  private admits(object: PDFObject): boolean {
    if (!(object instanceof PDFDict)) return true;
    const { source } = this;
    const { context } = source;
    if (source.pageDicts.has(object)) return false;
    if (source.annotations.has(object) && !this.annotations.has(object)) return false;
    if (source.fieldNodes.has(object) && !this.fields.has(object)) return false;
    if (source.structure.elements.has(object)) return false;
    const type = asName(context, entry(object, 'Type'));
    if (
      type === 'Page' ||
      type === 'Pages' ||
      type === 'Catalog' ||
      type === 'StructTreeRoot' ||
      type === 'Bead' ||
      type === 'Thread'
    )
      return false;
    // A jump to a missing page; other actions of the chain are kept.
    return asName(context, entry(object, 'S')) !== 'GoTo' || !this.isDead(entry(object, 'D'));
  }

  private substitute(
    owner: PDFDict,
    key: string,
    value: PDFObject,
    body: PDFRawStream | undefined,
  ): PDFObject | undefined {
    if (key === 'Resources')
      return this.needsCut(owner, value)
        ? this.source.resources.copyNeeded(owner, body, value, this.copier)
        : undefined;
    if (key === 'PieceInfo') return PDFNull;
    if (!COMPACT.has(key)) return undefined;
    const list = asArray(this.source.context, value);
    return list === undefined ? undefined : arrayOf(this.target, this.copyAll(list.asArray()));
  }

  /** Resources of a form or a glyph were not counted, so they are always reduced to the names in use. */
  private needsCut(owner: PDFDict, resources: PDFObject): boolean {
    return !this.source.pageDicts.has(owner) || this.source.resources.isShared(resources);
  }

  private noteStructKeys(copy: PDFDict): void {
    for (const key of ['StructParents', 'StructParent']) {
      const number = entry(copy, key);
      if (number instanceof PDFNumber) this.structKeys.add(number.asNumber());
    }
  }

  private hasLooseWidget(): boolean {
    return [...this.annotations].some(
      (dict) => !this.fields.has(dict) && asName(this.source.context, entry(dict, 'Subtype')) === 'Widget',
    );
  }

  private isDead(destination: PDFObject | undefined): boolean {
    const page = destinationPage(this.source.context, this.source.named, destination, this.source.pageRefs);
    return page !== undefined && !this.keptRefs.has(page);
  }

  /**
   * Removes links to missing pages, and keeps the fields with widgets on kept pages, including the fields above them.
   */
  private chooseAnnotations(page: PageEntry): void {
    const { context, named, pageRefs, fieldNodes } = this.source;
    for (const annotation of this.source.annotationsOf(page)) {
      const { dict } = annotation;
      if (linksToOtherPage(context, named, annotation, pageRefs, this.keptRefs)) continue;
      this.annotations.add(dict);
      for (let node = fieldNodes.get(dict); node !== undefined && !this.fields.has(node.dict); node = node.parent)
        this.fields.add(node.dict);
    }
  }

  private takePage(page: PageEntry, place: PDFRef | undefined): void {
    if (place === undefined) return;
    const copy = this.copier.copyDict(page.dict, PAGE_OMITTED);
    for (const [key, value] of page.inherited) {
      // Attributes above the pages are shared anyway.
      setEntry(
        copy,
        key,
        key === 'Resources'
          ? this.source.resources.copyNeeded(page.dict, undefined, value, this.copier)
          : this.copier.copy(value),
      );
    }
    const annotations = this.source.annotationsOf(page).filter(({ dict }) => this.annotations.has(dict));
    if (annotations.length > 0)
      setEntry(copy, 'Annots', arrayOf(this.target, this.copyAll(annotations.map(({ value }) => value))));
    setEntry(copy, 'Type', PDFName.of('Page'));
    this.target.assign(place, copy);
  }

  private takeOpenAction(): void {
    const { context, catalog } = this.source;
    const value = entry(catalog, 'OpenAction');
    const action = asDict(context, value);
    // An array is a destination; a dictionary is an action, and only actions that do not depend on the rest of the
    // document are kept in a part.
    if (
      action === undefined ? this.isDead(value) : !this.documentLevel && asName(context, entry(action, 'S')) !== 'GoTo'
    )
      return;
    setEntry(this.catalog, 'OpenAction', this.copier.copy(value));
  }

  private takeTrailer(): void {
    const { trailerInfo } = this.source.context;
    const info = this.options.withoutInformation === true ? undefined : this.copier.copy(trailerInfo.Info);
    if (info !== undefined) this.target.trailerInfo.Info = info instanceof PDFRef ? info : this.target.register(info);
    const id = this.copier.copy(trailerInfo.ID);
    if (id instanceof PDFArray) this.target.trailerInfo.ID = id;
  }

  private copyAll(values: readonly PDFObject[]): PDFObject[] {
    return values.flatMap((value) => this.copier.copy(value) ?? []);
  }
}
