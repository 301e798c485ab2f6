import { type PDFContext, PDFDict, PDFNumber, type PDFObject, PDFRawStream } from 'pdf-lib';
import { asDict, asName, asNumber, asText, catalogOf, elements, entry, resolve } from '../../file/objects/index.js';
import type { PageTexts } from './page-texts.js';

/** An element of the structure tree (ISO 32000-1, 14.7.2). */
export interface StructureElement {
  /** As stored, without the role map. */
  readonly type: string;
  /** Its /ActualText, else the text of its own marked content, else its /Alt; without the text of its descendants. */
  readonly content: string;
  readonly children: readonly StructureElement[];
}

/** The structure tree of a document. */
export interface StructureFacts {
  readonly elements: readonly StructureElement[];
  /** True if the tree is deeper or larger than reported. */
  readonly cut: boolean;
}

/**
 * Deepest reported nesting of elements, and the largest size of the whole tree when it is written with indentation, in
 * characters.
 */
const MAX_DEPTH = 64;
const MAX_CHARACTERS = 48 * 1024 * 1024;
const ELEMENT_CHARACTERS = 80;
const INDENT = 16;

/**
 * Reads the structure tree within the limits, each element once; returns undefined for an untagged document. `texts`
 * must have read the pages.
 */
export function structureFacts(context: PDFContext, texts: PageTexts): StructureFacts | undefined {
  const catalog = catalogOf(context);
  const root = asDict(context, catalog === undefined ? undefined : entry(catalog, 'StructTreeRoot'));
  if (root === undefined) return undefined;
  const walk = new StructureWalk(context, texts);
  return { elements: walk.below(root, undefined, 0).children, cut: walk.cut };
}

class StructureWalk {
  cut = false;
  readonly #seen = new Set<PDFDict>();
  #left = MAX_CHARACTERS;

  constructor(
    private readonly context: PDFContext,
    private readonly texts: PageTexts,
  ) {}

  /**
   * Returns the children of an element and the text of its own content. `page` is inherited from the elements above.
   */
  below(
    element: PDFDict,
    page: PDFDict | undefined,
    depth: number,
  ): { readonly children: StructureElement[]; readonly text: string } {
    const { context } = this;
    const children: StructureElement[] = [];
    const texts: string[] = [];
    const stored = resolve(context, entry(element, 'K'));
    for (const value of stored instanceof PDFDict || stored instanceof PDFNumber
      ? [stored]
      : elements(context, stored)) {
      const kid = resolve(context, value);
      if (kid instanceof PDFNumber) texts.push(this.#marked(page, kid));
      if (!(kid instanceof PDFDict)) continue;
      const kind = asName(context, entry(kid, 'Type'));
      if (kind === 'OBJR') continue;
      if (kind === 'MCR' || (entry(kid, 'MCID') !== undefined && entry(kid, 'S') === undefined))
        texts.push(this.#reference(page, kid));
      else if (!this.#take(kid, depth)) continue;
      else children.push(this.#element(kid, page, depth));
    }
    return { children, text: texts.filter((text) => text !== '').join(' ') };
  }

  #take(kid: PDFDict, depth: number): boolean {
    if (this.#seen.has(kid)) return false;
    this.#seen.add(kid);
    this.#left -= ELEMENT_CHARACTERS + INDENT * depth;
    this.cut ||= depth >= MAX_DEPTH || this.#left < 0;
    return depth < MAX_DEPTH && this.#left >= 0;
  }

  #element(dict: PDFDict, above: PDFDict | undefined, depth: number): StructureElement {
    const { context } = this;
    const { children, text } = this.below(dict, asDict(context, entry(dict, 'Pg')) ?? above, depth + 1);
    const actual = asText(context, entry(dict, 'ActualText'));
    const content = actual ?? (text === '' ? (asText(context, entry(dict, 'Alt')) ?? '') : text);
    this.#left -= content.length;
    this.cut ||= this.#left < 0;
    return { type: asName(context, entry(dict, 'S')) ?? '', content: this.#left < 0 ? '' : content, children };
  }

  /** Resolves a marked-content reference (ISO 32000-1, table 324): content of a page, or of a form on it. */
  #reference(page: PDFDict | undefined, reference: PDFDict): string {
    const { context } = this;
    const form = resolve(context, entry(reference, 'Stm'));
    const owner = form instanceof PDFRawStream ? form : (asDict(context, entry(reference, 'Pg')) ?? page);
    return this.#marked(owner, entry(reference, 'MCID'));
  }

  #marked(owner: PDFDict | PDFRawStream | undefined, value: PDFObject | undefined): string {
    const id = asNumber(this.context, value);
    return owner === undefined || id === undefined ? '' : this.texts.marked(owner, id);
  }
}
