import { type PDFContext, PDFDict, type PDFObject, PDFRawStream, PDFRef } from 'pdf-lib';
import { nameAt, packedStream, pageContent, rewriteContent, writePageContent } from '../../content/index.js';
import { asDict, asName, catalogOf, elements, entry, keyName, resolve, setEntry } from '../../file/objects/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import { decodedContent, pageAttribute, type PageEntry } from '../../structure/pages/index.js';
import { dropTagReferences } from './drop-tag-references.js';

/**
 * Removes all images from the pages, in place (`docs/interface/general.yml`, remove-image-pdf): image XObjects and
 * masks, also in forms, the operators that draw them, inline images, and the pages' thumbnails. Images of annotations
 * and in patterns stay. Returns the number of removed image XObjects and inline images.
 */
export function removeImages(
  { document: { context }, pages }: OpenedPdf,
  onPage?: (done: number, total: number) => void,
): number {
  const removal = new Removal(context, pages);
  for (const [done, page] of pages.entries()) {
    removal.clear(page);
    onPage?.(done + 1, pages.length);
  }
  removal.finish();
  return removal.count;
}

class Removal {
  count = 0;
  readonly #images = new Set<PDFObject>();
  /** Resources without images by the original ones; likewise forms. */
  readonly #resources = new Map<PDFDict, PDFRef>();
  readonly #forms = new Map<PDFRawStream, PDFRef | undefined>();
  readonly #shared: ReadonlySet<PDFRawStream>;
  readonly #pages = new Set<PDFDict>();

  constructor(
    private readonly context: PDFContext,
    pages: readonly PageEntry[],
  ) {
    this.#shared = appearances(context, pages);
  }

  clear(page: PageEntry): void {
    if (this.#pages.has(page.dict)) return;
    this.#pages.add(page.dict);
    const { context } = this;
    const resources = asDict(context, pageAttribute(page, 'Resources'));
    const { bytes } = pageContent(context, page);
    const cleared = this.#clearContent(bytes, resources);
    if (cleared !== bytes) writePageContent(context, page, cleared);
    if (resources !== undefined) setEntry(page.dict, 'Resources', this.#clearResources(resources));
    setEntry(page.dict, 'Thumb', undefined);
  }

  /** Gives each page its own resources and removes tags that refer to images. */
  finish(): void {
    const catalog = catalogOf(this.context);
    const waiting = [catalog === undefined ? undefined : asDict(this.context, entry(catalog, 'Pages'))];
    const seen = new Set<PDFDict>();
    for (let node = waiting.pop(); waiting.length > 0 || node !== undefined; node = waiting.pop()) {
      if (node === undefined || seen.has(node) || this.#pages.has(node)) continue;
      seen.add(node);
      setEntry(node, 'Resources', undefined);
      for (const kid of elements(this.context, entry(node, 'Kids'))) waiting.push(asDict(this.context, kid));
    }
    dropTagReferences(this.context, this.#images);
  }

  #clearContent(bytes: Uint8Array, resources: PDFDict | undefined): Uint8Array {
    const xobjects = resources === undefined ? undefined : asDict(this.context, entry(resources, 'XObject'));
    return rewriteContent(bytes, ({ name, operands, image }) => {
      if (name === 'BI' && image !== undefined) {
        this.count++;
        return '';
      }
      const wanted = name === 'Do' ? nameAt(operands, 0) : undefined;
      const object =
        wanted === undefined || xobjects === undefined ? undefined : resolve(this.context, entry(xobjects, wanted));
      return this.#isImage(object) ? '' : undefined;
    });
  }

  /**
   * Copies resources without images, since patterns and appearances may use the originals. Forms in them are processed
   * too.
   */
  #clearResources(resources: PDFDict): PDFRef {
    const known = this.#resources.get(resources);
    if (known !== undefined) return known;
    const { context } = this;
    const copy = PDFDict.fromMapWithContext(new Map(resources.entries()), context);
    const ref = context.register(copy);
    this.#resources.set(resources, ref);
    const xobjects = asDict(context, entry(resources, 'XObject'));
    if (xobjects === undefined) return ref;
    const kept = new Map<string, PDFObject>();
    for (const [key, value] of xobjects.entries()) {
      const object = resolve(context, value);
      if (object instanceof PDFRawStream && this.#isImage(object)) {
        if (!this.#images.has(object)) this.count++;
        this.#images.add(object);
      } else
        kept.set(
          key.decodeText(),
          (object instanceof PDFRawStream ? this.#clearForm(object, value, resources) : undefined) ?? value,
        );
    }
    const dict = PDFDict.withContext(context);
    for (const [key, value] of kept) dict.set(keyName(key), value);
    setEntry(copy, 'XObject', dict);
    return ref;
  }

  /** Returns the replacement of a form; undefined if the form is unchanged. */
  #clearForm(form: PDFRawStream, place: PDFObject, around: PDFDict): PDFRef | undefined {
    const known = this.#forms.get(form);
    if (known !== undefined || this.#forms.has(form)) return known;
    this.#forms.set(form, undefined);
    const { context } = this;
    const own = asDict(context, entry(form.dict, 'Resources'));
    const bytes = decodedContent(context, form);
    if (bytes === undefined) return undefined;
    const cleared = this.#clearContent(bytes, own ?? around);
    const resources = own === undefined ? undefined : this.#clearResources(own);
    if (this.#shared.has(form)) {
      const dict = PDFDict.fromMapWithContext(new Map(form.dict.entries()), context);
      if (resources !== undefined) setEntry(dict, 'Resources', resources);
      const ref = packedStream(context, dict, cleared);
      this.#forms.set(form, ref);
      return ref;
    }
    if (resources !== undefined) setEntry(form.dict, 'Resources', resources);
    if (cleared === bytes) return undefined;
    const packed = packedStream(context, form.dict, cleared);
    const written = context.lookup(packed);
    if (!(place instanceof PDFRef) || written === undefined) {
      this.#forms.set(form, packed);
      return packed;
    }
    context.assign(place, written);
    context.delete(packed);
    return undefined;
  }

  #isImage(object: PDFObject | undefined): boolean {
    return object instanceof PDFRawStream && asName(this.context, entry(object.dict, 'Subtype')) === 'Image';
  }
}

/** Returns the form XObjects that annotations draw: their appearances and the forms in these. */
function appearances(context: PDFContext, pages: readonly PageEntry[]): Set<PDFRawStream> {
  const forms = new Set<PDFRawStream>();
  const waiting: (PDFObject | undefined)[] = [];
  for (const { dict } of pages) {
    for (const annotation of elements(context, entry(dict, 'Annots'))) {
      const shown = asDict(
        context,
        asDict(context, annotation) === undefined ? undefined : entry(asDict(context, annotation)!, 'AP'),
      );
      waiting.push(...(shown?.values() ?? []));
    }
  }
  while (waiting.length > 0) {
    const object = resolve(context, waiting.pop());
    if (object instanceof PDFRawStream) {
      if (forms.has(object) || asName(context, entry(object.dict, 'Subtype')) === 'Image') continue;
      forms.add(object);
      const resources = asDict(context, entry(object.dict, 'Resources'));
      waiting.push(
        ...(asDict(context, resources === undefined ? undefined : entry(resources, 'XObject'))?.values() ?? []),
      );
    } else if (object instanceof PDFDict) {
      // Appearances by state (ISO 32000-1, table 168).
      waiting.push(...object.values().filter((value) => resolve(context, value) instanceof PDFRawStream));
    }
  }
  return forms;
}
