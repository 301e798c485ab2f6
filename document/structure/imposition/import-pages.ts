import { type PDFContext, PDFDict, type PDFObject, PDFRef } from 'pdf-lib';
import { pageForm, type UprightPage, uprightPage } from '../geometry/index.js';
import { asDict, asName, catalogOf, entry, ObjectCopier, setEntry } from '../../file/objects/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import { addLayers } from '../layers/add-layers.js';
import { keepLayers } from '../layers/keep-layers.js';

/** A page of another document that can be drawn as a form XObject. */
export interface ImportedPage {
  readonly form: PDFRef;
  /** How the page is displayed; its matrix places the form upright at the origin, in points. */
  readonly seen: UprightPage;
}

/** Types of objects that would lead to the rest of the source document: its page tree and its tags. */
const LEFT_BEHIND: ReadonlySet<string> = new Set(['Catalog', 'Pages', 'Page', 'StructTreeRoot', 'StructElem']);

/**
 * Imports pages of one document into another as form XObjects, each page once, with fonts, images and layers, but
 * without annotations and tags. Streams are read when the target is written, so the source must stay open until then.
 */
export class PageImports {
  readonly #copier: ObjectCopier;
  readonly #made = new Map<number, ImportedPage>();

  constructor(
    private readonly source: OpenedPdf,
    private readonly target: PDFContext,
  ) {
    const context = this.#context;
    this.#copier = new ObjectCopier(context, target, {
      admits: (object) => isAdmitted(context, object),
      alter: (copy) => dropTags(copy),
    });
  }

  get pageCount(): number {
    return this.source.pages.length;
  }

  /**
   * Returns the form of the page at a 0-based index, clipped to its visible area. Throws RangeError if there is no such
   * page.
   */
  page(index: number): ImportedPage {
    const known = this.#made.get(index);
    if (known !== undefined) return known;
    const page = this.source.pages[index];
    if (page === undefined) throw new RangeError(`there is no page ${index + 1}`);
    const seen = uprightPage(this.#context, page);
    const own = pageForm(this.#context, page, seen.box);
    const dict = asDict(this.#context, own);
    if (dict !== undefined) setEntry(dict, 'PieceInfo', undefined);
    const form = this.#copier.copy(own);
    if (!(form instanceof PDFRef)) throw new RangeError(`page ${index + 1} cannot be imported`);
    this.#copier.drain();
    const made = { form, seen };
    this.#made.set(index, made);
    return made;
  }

  /** Adds the layers that the imported pages use to the target; call once, after the last page. */
  addLayers(): void {
    const catalog = catalogOf(this.#context);
    const kept = catalog === undefined ? undefined : keepLayers(this.#context, catalog, this.#copier);
    this.#copier.drain();
    if (kept !== undefined) addLayers(this.target, kept);
  }

  get #context(): PDFContext {
    return this.source.document.context;
  }
}

function isAdmitted(context: PDFContext, object: PDFObject): boolean {
  const type = object instanceof PDFDict ? asName(context, entry(object, 'Type')) : undefined;
  return type === undefined || !LEFT_BEHIND.has(type);
}

/** Keys of the source's parent tree would refer to elements of the target. */
function dropTags(copy: PDFDict): void {
  setEntry(copy, 'StructParents', undefined);
  setEntry(copy, 'StructParent', undefined);
}
