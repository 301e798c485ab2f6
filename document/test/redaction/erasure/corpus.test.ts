import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFName } from 'pdf-lib';
import { boxAround, ContentReader, glyphQuad, type Quad } from '../../../content/index.js';
import { editBytes } from '../../../file/open/index.js';
import { pageBox, walkPages } from '../../../structure/pages/index.js';
import { removeAreas } from '../../../redaction/erasure/index.js';
import { withDocument } from '../../../engines/pdfium/index.js';
import { renderPage } from '../../../engines/rendering/index.js';
import { corpus, corpusFile, look } from '../../support.js';

/** Scans, tagged text, vertical writing, Type 3 fonts, forms, line maps, transparency, unusual boxes. */
const FILES = [
  'pdf.js/issue14256.pdf',
  'pdf.js/issue4575.pdf',
  'dss/sample_document_mra.pdf',
  'pyHanko/ja-vert-stamps.pdf',
  'qpdf/shared-images-pages-out.pdf',
  'pdfcpu/TextMargins4Values.pdf',
  'pdf.js/calgray.pdf',
  'pikepdf/1biticc.pdf',
  'pdfbox/PDFBOX-3062-005717-p1.pdf',
  'pdf.js/issue1350.pdf',
  'pypdfium2/render.pdf',
];

/** Yields the same numbers each time. */
function* random(seed: number): Generator<number> {
  for (let at = seed; ;) yield (at = (at * 1103515245 + 12345) % 2147483648) / 2147483648;
}

/** Renders a page at 2 pixels per point without its annotations. */
function drawn(bytes: Uint8Array, index: number, [width, height]: readonly [number, number]): Promise<Uint8Array> {
  return withDocument(bytes, {}, (opened) =>
    renderPage(opened, index, { width: Math.round(width), height: Math.round(height), annotations: false }),
  );
}

describe(
  corpus === undefined
    ? 'removing areas from real pages (skipped: no ../shared/corpus)'
    : 'removing areas from real pages',
  () => {
    const numbers = random(20);
    const next = (): number => numbers.next().value as number;
    for (const name of FILES) {
      it(`leaves no text in an area and only one colour: ${name}`, async function () {
        if (corpus === undefined || !existsSync(join(corpus, name))) return this.skip();
        const input = corpusFile(name);
        let quad: Quad = [0, 0, 0, 0, 0, 0, 0, 0];
        let index = 0;
        let size: readonly [number, number] = [1, 1];
        const bytes = await editBytes(input, { mode: 'rewrite', repair: false }, async (opened) => {
          index = Math.floor(next() * opened.pages.length);
          const page = opened.pages[index]!;
          const [left, bottom, right, top] = pageBox(opened.document.context, page);
          size = [right - left, top - bottom];
          const [x, y] = [left + size[0] * (0.1 + 0.4 * next()), bottom + size[1] * (0.1 + 0.5 * next())];
          const [width, height] = [size[0] * 0.35, size[1] * 0.2];
          quad = [x, y, x + width, y, x + width, y + height, x, y + height];
          page.dict.delete(PDFName.of('Annots'));
          page.dict.set(PDFName.of('Rotate'), opened.document.context.obj(0));
          await removeAreas(opened, new Map([[page.dict, [{ quad, colour: [1, 1, 1] }]]]));
        });
        const { context } = await look(bytes);
        const page = walkPages(context)[index]!;
        const area = boxAround(quad);
        const inside: string[] = [];
        new ContentReader(context).page(page, {
          text: (what) => {
            for (const glyph of what.glyphs) {
              const [l, b, r, t] = boxAround(glyphQuad(what, glyph));
              if ((l + r) / 2 > area[0] && (l + r) / 2 < area[2] && (b + t) / 2 > area[1] && (b + t) / 2 < area[3])
                inside.push(glyph.text);
            }
          },
        });
        expect(inside).to.deep.equal([]);
        const pixels = await drawn(bytes, index, size);
        const [left, , , top] = pageBox(context, page);
        const stride = Math.round(size[0]);
        const colours = new Set<string>();
        for (let y = Math.ceil(top - area[3]) + 2; y < Math.floor(top - area[1]) - 2; y++) {
          for (let x = Math.ceil(area[0] - left) + 2; x < Math.floor(area[2] - left) - 2; x++)
            colours.add(
              [...pixels.subarray((y * stride + x) * 4, (y * stride + x) * 4 + 3)].map((value) => value >> 4).join(),
            );
        }
        expect([...colours]).to.deep.equal(['15,15,15']);
      });
    }
  },
);
