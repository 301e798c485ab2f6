import { PDFContext, PDFDict, PDFHeader, PDFName, type PDFObject, type PDFRef } from 'pdf-lib';
import { DocumentError } from '../../errors.js';
import {
  arrayOf,
  asName,
  catalogOf,
  dictOf,
  elements,
  entry,
  ObjectCopier,
  resolve,
  setEntry,
} from '../../file/objects/index.js';
import { contextBytes, guardDocument, openPdf, type SaveOptions, writeContext } from '../../file/open/index.js';
import { NOTHING, type PageEntry, writePageTree } from '../pages/index.js';
import { readNamedDestinations } from '../names/destinations.js';
import {
  OUTLINE_LINKS,
  type OutlineItem,
  type OutlineNode,
  pageItem,
  readOutlines,
  upperEdge,
  writeOutlines,
} from '../outlines/outlines.js';
import { decimalLabels, type PageLabel, readPageLabels, writePageLabels } from '../pages/page-labels.js';
import { removeSignatures } from '../../signatures/fields/signatures.js';
import type { MergeSource } from './merge-source.js';
import { withSources } from '../../file/source/index.js';
import { FormMerge } from '../../forms/fields/merge-forms.js';
import { LayersMerge } from '../layers/merge-layers.js';
import { NamesMerge } from '../names/merge-names.js';
import { StructureMerge } from '../tags/merge-structure.js';
import { MetadataMerge } from '../metadata/metadata.js';
import { rewriter } from './rewrites.js';
import { keepViewerPreferences } from '../metadata/viewer-preferences.js';
import type { NamedInput, OpenedInput } from './merge-input.js';
import { orderInputs, type SortType } from './order.js';

export interface MergeOptions {
  readonly sortType?: SortType;
  /** File names, one per line; takes precedence over `sortType`. */
  readonly fileOrder?: string;
  /** Removes signature fields; merging breaks signatures in any case. */
  readonly removeCertSign?: boolean;
  /** Adds one bookmark per input before all others. */
  readonly generateToc?: boolean;
  readonly modified?: Date;
  /** Name of the request field, for errors. */
  readonly field?: string;
  /** Called after each input. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Summary of the merge. Results are named after the first input. */
export interface Merged {
  /** 0-based position of the first document among the given inputs. */
  readonly first: number;
  readonly pages: number;
}

/** zlib's level for packed objects: 9 takes twice as long for half a percent of them. */
const STRUCTURE_LEVEL = 6;
const PARENT: ReadonlySet<string> = new Set(['Parent']);
const [TYPE, PAGE, PAGES, CATALOG] = ['Type', 'Page', 'Pages', 'Catalog'].map((type) => PDFName.of(type)) as [
  PDFName,
  PDFName,
  PDFName,
  PDFName,
];
/** Entries that only the first document contributes, since a catalog has one of each (ISO 32000-1, table 28). */
const FROM_FIRST = ['PageMode', 'PageLayout', 'OpenAction', 'Lang', 'URI', 'AA', 'Extensions'] as const;

/**
 * Merges documents: all objects of all inputs are copied with new numbers into a new document, so that bookmarks,
 * links, named destinations, forms, page labels, layers, tags and attachments keep working. Throws the errors of
 * `openPdf`, which name the file by its position.
 */
export async function mergePdfs(
  inputs: readonly NamedInput[],
  options: MergeOptions = {},
): Promise<Merged & { readonly bytes: Uint8Array }> {
  let bytes = new Uint8Array();
  const merged = await merge(inputs, options, (context, save) => {
    bytes = Uint8Array.from(contextBytes(context, save));
  });
  return { ...merged, bytes };
}

/** Merges into a new file: streams are copied from file to file, and no document is completely in memory. */
export async function mergeToFile(
  inputs: readonly NamedInput[],
  path: string,
  options: MergeOptions = {},
): Promise<Merged> {
  return merge(inputs, options, (context, save) => writeContext(context, path, save));
}

async function merge(
  inputs: readonly NamedInput[],
  options: MergeOptions,
  write: (context: PDFContext, save: SaveOptions) => void,
): Promise<Merged> {
  const field = options.field ?? 'fileInput';
  return withSources(inputs, async (sources) => {
    const opened: OpenedInput[] = [];
    for (const [i, source] of sources.entries())
      opened.push({ name: inputs[i]?.name ?? '', opened: await openPdf(source, { field }) });
    const first = opened[0];
    if (first === undefined)
      throw new DocumentError('INPUT_INVALID', { detail: `"${field}" must contain at least one file` });
    return guardDocument(field, () => {
      const ordered = orderInputs(opened, options.sortType ?? 'orderProvided', options.fileOrder);
      const joined = new Merge(PDFContext.create(), ordered.length);
      ordered.forEach((input, index) => {
        joined.mergeSource(input, index, options.generateToc ?? false);
        options.onProgress?.(index + 1, ordered.length);
      });
      const context = joined.finish();
      if (options.removeCertSign === true) removeSignatures(context, joined.pages);
      write(context, {
        objectStreams: ordered.some((input) => input.opened.objectStreams) ? true : undefined,
        level: STRUCTURE_LEVEL,
        ...(options.modified === undefined ? {} : { modified: options.modified }),
      });
      return { first: opened.indexOf(ordered[0] ?? first), pages: joined.pages.length };
    });
  });
}

class Merge {
  readonly pages: PageEntry[] = [];
  private readonly toc: OutlineItem[] = [];
  private readonly outlines: OutlineItem[] = [];
  private readonly labels: { readonly own: boolean; readonly labels: readonly PageLabel[] }[] = [];
  private readonly associated: PDFObject[] = [];
  private readonly threads: PDFObject[] = [];
  private readonly catalog: PDFDict;
  private readonly names: NamesMerge;
  private readonly form: FormMerge;
  private readonly structure: StructureMerge;
  private readonly layers: LayersMerge;
  private readonly metadata: MetadataMerge;
  private version = [1, 4] as readonly [number, number];

  constructor(
    private readonly target: PDFContext,
    private readonly inputs: number,
  ) {
    this.catalog = dictOf(target, { Type: PDFName.of('Catalog') });
    target.trailerInfo.Root = target.register(this.catalog);
    this.names = new NamesMerge(target);
    this.form = new FormMerge(target);
    this.structure = new StructureMerge(target);
    this.layers = new LayersMerge(target);
    this.metadata = new MetadataMerge(target, inputs);
  }

  mergeSource({ name, opened }: OpenedInput, index: number, generateToc: boolean): void {
    const source = opened.document.context;
    const catalog = catalogOf(source);
    if (catalog === undefined) throw new TypeError('an opened document has a catalog');
    const named = readNamedDestinations(source);
    const rewrites = {
      ...this.names.plan(index, named),
      ...this.form.plan(index, source),
      ...this.structure.plan(index, source, catalog),
    };
    const copier = new ObjectCopier(source, this.target, {
      admits: notInTree(source),
      sharesStreams: true,
      alter: rewriter(source, this.target, rewrites),
    });
    const mergeSource: MergeSource = { index, source, catalog, copier, rewrites, named };
    const places = this.placePages(opened.pages, copier);
    this.structure.join(mergeSource);
    opened.pages.forEach((page, i) => this.takePage(page, places[i], copier));
    this.takeOutlines(
      mergeSource,
      generateToc ? { title: tocTitle(name, index), first: opened.pages[0], place: places[0] } : undefined,
    );
    this.names.join(mergeSource);
    this.form.join(mergeSource);
    this.layers.join(mergeSource);
    this.metadata.join(mergeSource);
    this.labels.push(labelsOf(source, opened.pages.length));
    for (const value of elements(source, entry(catalog, 'AF'))) pushCopy(this.associated, copier, value);
    for (const value of elements(source, entry(catalog, 'Threads'))) pushCopy(this.threads, copier, value);
    if (index === 0) this.takeFirst(mergeSource);
    this.takeVersion(source, catalog);
    copier.drain();
  }

  finish(): PDFContext {
    const { target, catalog } = this;
    target.header = PDFHeader.forVersion(...this.version);
    setEntry(
      catalog,
      'Pages',
      writePageTree(
        target,
        this.pages.map(({ ref }) => ref),
      ),
    );
    setEntry(catalog, 'Outlines', writeOutlines(target, [...this.toc, ...this.outlines]));
    this.names.write(catalog);
    this.form.write(catalog, this.inputs);
    this.structure.write(catalog);
    this.layers.write(catalog);
    this.metadata.write(catalog);
    if (this.labels.some(({ own }) => own))
      setEntry(
        catalog,
        'PageLabels',
        writePageLabels(
          target,
          this.labels.flatMap(({ labels }) => labels),
        ),
      );
    if (this.associated.length > 0) setEntry(catalog, 'AF', arrayOf(target, this.associated));
    if (this.threads.length > 0) setEntry(catalog, 'Threads', arrayOf(target, this.threads));
    return target;
  }

  /** Reserves a reference for each page before anything is copied, so that references to pages can be resolved. */
  private placePages(pages: readonly PageEntry[], copier: ObjectCopier): PDFRef[] {
    return pages.map(({ ref }) => {
      const place = this.target.nextRef();
      if (copier.placeOf(ref) === undefined) copier.place(ref, place);
      return place;
    });
  }

  private takePage(page: PageEntry, place: PDFRef | undefined, copier: ObjectCopier): void {
    if (place === undefined) return;
    const copy = copier.copyDict(page.dict, PARENT);
    for (const [key, value] of page.inherited) setEntry(copy, key, copier.copy(value));
    setEntry(copy, 'Type', PAGE);
    this.target.assign(place, copy);
    this.pages.push({ ref: place, dict: copy, inherited: NOTHING });
  }

  /** Copies the outline with its nesting, so that sections stay in their chapters. */
  private takeOutlines(
    { source, copier }: MergeSource,
    toc:
      | { readonly title: string; readonly first: PageEntry | undefined; readonly place: PDFRef | undefined }
      | undefined,
  ): void {
    if (toc?.first !== undefined && toc.place !== undefined) {
      this.toc.push(pageItem(this.target, toc.title, toc.place, upperEdge(source, toc.first)));
    }
    const take = (node: OutlineNode): OutlineItem => ({
      dict: copier.copyDict(node.dict, OUTLINE_LINKS),
      open: node.open,
      children: node.children.map(take),
    });
    this.outlines.push(...readOutlines(source).map(take));
  }

  private takeFirst({ source, catalog, copier }: MergeSource): void {
    for (const key of FROM_FIRST) setEntry(this.catalog, key, copier.copy(entry(catalog, key)));
    // A portfolio shows its attachments instead of its pages, so a merged document is not one.
    const whole = this.inputs === 1;
    if (whole) setEntry(this.catalog, 'Collection', copier.copy(entry(catalog, 'Collection')));
    setEntry(
      this.catalog,
      'ViewerPreferences',
      whole ? copier.copy(entry(catalog, 'ViewerPreferences')) : keepViewerPreferences(source, catalog, copier),
    );
    const id = copier.copy(source.trailerInfo.ID);
    if (id !== undefined) this.target.trailerInfo.ID = id;
  }

  private takeVersion(source: PDFContext, catalog: PDFDict): void {
    for (const text of [source.header.toString(), asName(source, entry(catalog, 'Version')) ?? '']) {
      const [, major, minor] = /(\d)\.(\d)/.exec(text) ?? [];
      const version = [Number(major), Number(minor)] as const;
      if (version[0] * 10 + version[1] > this.version[0] * 10 + this.version[1]) this.version = version;
    }
  }
}

/**
 * Selects page tree nodes, catalogs and pages outside of the tree, which must not be copied through references to them.
 */
function notInTree(source: PDFContext): (object: PDFObject) => boolean {
  return (object) => {
    const type = object instanceof PDFDict ? resolve(source, object.get(TYPE)) : undefined;
    return type !== PAGES && type !== PAGE && type !== CATALOG;
  };
}

function labelsOf(
  source: PDFContext,
  pageCount: number,
): { readonly own: boolean; readonly labels: readonly PageLabel[] } {
  const labels = readPageLabels(source, pageCount);
  return { own: labels !== undefined, labels: labels ?? decimalLabels(pageCount) };
}

function tocTitle(name: string, index: number): string {
  const dot = name.lastIndexOf('.');
  const base = dot > 0 && dot < name.length - 1 ? name.slice(0, dot) : name;
  return base.trim() === '' ? `Document ${index + 1}` : base;
}

function pushCopy(list: PDFObject[], copier: ObjectCopier, value: PDFObject): void {
  const copy = copier.copy(value);
  if (copy !== undefined) list.push(copy);
}
