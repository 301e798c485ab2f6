import { type PDFContext, PDFDict, PDFName, type PDFRef } from 'pdf-lib';
import { entry, resolve } from '../../file/objects/index.js';
import { type PageEntry, pageAttribute } from '../../structure/pages/index.js';
import { matrixOperands } from './numbers.js';
import { PageContent } from './page-content.js';

/** How a form XObject is laid over a page. */
export interface OverlayPlace {
  /** From the form's space to the page's default user space; as it is by default. */
  readonly matrix?: readonly [number, number, number, number, number, number];
  /** True puts it under what the page shows. */
  readonly under?: boolean;
  /**
   * Marks it as no part of the document's real content (ISO 32000-1, 14.8.2.2), and as what it is instead (table 330).
   */
  readonly artifact?: boolean | 'Watermark';
}

/**
 * Puts form XObjects on top of pages, or under what they show. What a page's own content leaves behind (matrix, clip,
 * open `q`) never reaches the addition. Streams that pages can share are written once per document.
 */
export class PageOverlay {
  readonly #context: PDFContext;
  readonly #content: PageContent;
  /** By dictionary of XObjects, which many pages may share: what was entered, and the first number not tried. */
  readonly #entered = new Map<PDFDict, { readonly names: Map<PDFRef, PDFName>; next: number }>();

  constructor(context: PDFContext) {
    this.#context = context;
    this.#content = new PageContent(context);
  }

  /**
   * Paints the XObject over the page in default user space: the origin of the media box's coordinates, page rotation
   * not applied.
   */
  add(page: PageEntry, form: PDFRef, { matrix, under = false, artifact = false }: OverlayPlace = {}): void {
    const name = this.#nameIn(this.#resourcesOf(page), form);
    const shown = `q ${matrix === undefined ? '' : `${matrixOperands(matrix)} cm `}${name.asString()} Do Q`;
    const drawing =
      artifact === false
        ? shown
        : `/Artifact ${artifact === true ? 'BMC' : `<</Type /Pagination /Subtype /${artifact}>> BDC`} ${shown} EMC`;
    this.#content.surround(page, under ? { under: drawing } : { over: drawing });
  }

  #resourcesOf(page: PageEntry): PDFDict {
    const resources = resolve(this.#context, pageAttribute(page, 'Resources'));
    if (resources instanceof PDFDict) return resources;
    const fresh = PDFDict.withContext(this.#context);
    page.dict.set(PDFName.of('Resources'), fresh);
    return fresh;
  }

  /** The name of the XObject in these resources; entered under a free name on first use. */
  #nameIn(resources: PDFDict, form: PDFRef): PDFName {
    let xobjects = resolve(this.#context, entry(resources, 'XObject'));
    if (!(xobjects instanceof PDFDict)) {
      xobjects = PDFDict.withContext(this.#context);
      resources.set(PDFName.of('XObject'), xobjects);
    }
    const dict = xobjects as PDFDict;
    const entered = this.#entered.get(dict) ?? { names: new Map<PDFRef, PDFName>(), next: 1 };
    this.#entered.set(dict, entered);
    const known = entered.names.get(form);
    if (known !== undefined) return known;
    for (;;) {
      const name = PDFName.of(`Overlay${entered.next}`);
      const there = dict.get(name);
      if (there !== undefined && there !== form) {
        entered.next++;
        continue;
      }
      dict.set(name, form);
      entered.names.set(form, name);
      return name;
    }
  }
}
