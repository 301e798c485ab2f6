import { readFile } from 'node:fs/promises';
import { type PDFContext, PDFDict, PDFName, PDFNumber, PDFRef } from 'pdf-lib';
import { packedStream, pageContent } from '../../content/index.js';
import { arrayOf, asDict, dictOf, entry, ObjectCopier, resolve } from '../../file/objects/index.js';
import { openPdf } from '../../file/open/index.js';
import { pageAttribute, pageBox } from '../../structure/pages/index.js';

/**
 * Imports the invisible text pages that an OCR engine writes as PDFs into a document, as form XObjects. Each has a copy
 * of the engine's font; the first copy is used for all.
 */
export class ProgramLayers {
  readonly #fonts = new Map<string, PDFRef>();

  constructor(private readonly context: PDFContext) {}

  /**
   * The text of the PDF at `path` as a form whose space is `width` by `height` points; undefined where it shows none.
   * Errors: those of `openPdf`.
   */
  async add(path: string, width: number, height: number): Promise<PDFRef | undefined> {
    const {
      document,
      pages: [page],
    } = await openPdf(new Uint8Array(await readFile(path)));
    const { context } = this;
    const source = document.context;
    if (page === undefined) return undefined;
    const { bytes } = pageContent(source, page);
    if (!/T[jJ]/.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')))
      return undefined;
    const copier = new ObjectCopier(source, context);
    const fonts = PDFDict.withContext(context);
    const resources = asDict(source, pageAttribute(page, 'Resources'));
    for (const [name, value] of asDict(source, resources && entry(resources, 'Font'))?.entries() ?? []) {
      const key = name.asString();
      let ref = this.#fonts.get(key);
      if (ref === undefined && resolve(source, value) !== undefined) {
        const copy = copier.copy(value);
        ref = copy instanceof PDFRef ? copy : undefined;
        if (ref !== undefined) this.#fonts.set(key, ref);
      }
      if (ref !== undefined) fonts.set(name, ref);
    }
    copier.drain();
    const [left, bottom, right, top] = pageBox(source, page);
    // The engine rounds the size of its page.
    const matrix = [width / (right - left), 0, 0, height / (top - bottom), -left, -bottom];
    return packedStream(
      context,
      dictOf(context, {
        Type: PDFName.of('XObject'),
        Subtype: PDFName.of('Form'),
        BBox: arrayOf(
          context,
          [left, bottom, right, top].map((value) => PDFNumber.of(value)),
        ),
        Matrix: arrayOf(
          context,
          matrix.map((value) => PDFNumber.of(value)),
        ),
        Resources: dictOf(context, { Font: fonts }),
      }),
      bytes,
    );
  }
}
