import { readForm } from '@quire/document/forms';
import { withPdf } from '@quire/document/file/open';
import { withDocument } from '@quire/document/engines/pdfium';
import { renderPage } from '@quire/document/engines/rendering';
import { expect } from 'chai';
import { degrees, PDFDocument, PDFHexString, PDFName, type PDFRef } from 'pdf-lib';
import { locateFields } from '../../src/functions/locate-fields.js';

type Rect = readonly [number, number, number, number];
interface Sheet {
  readonly media: Rect;
  readonly crop?: Rect;
  readonly rotate?: number;
  readonly unit?: number;
  readonly fields: readonly Rect[];
}

/** Pages with fields that are drawn as black boxes; no widget says on which page it is. */
async function sheets(pages: readonly Sheet[]): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const all: PDFRef[] = [];
  for (const { media, crop, rotate, unit, fields } of pages) {
    const page = document.addPage();
    page.node.set(PDFName.of('MediaBox'), context.obj([...media]));
    if (crop !== undefined) page.node.set(PDFName.of('CropBox'), context.obj([...crop]));
    if (rotate !== undefined) page.setRotation(degrees(rotate));
    if (unit !== undefined) page.node.set(PDFName.of('UserUnit'), context.obj(unit));
    const refs = fields.map((rect) => {
      const [w, h] = [Math.abs(rect[2] - rect[0]), Math.abs(rect[3] - rect[1])];
      const look = context.register(
        context.stream(`0 g 0 0 ${w} ${h} re f`, { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, w, h] }),
      );
      return context.register(
        context.obj({
          Type: 'Annot',
          Subtype: 'Widget',
          FT: 'Tx',
          F: 4,
          T: PDFHexString.fromText(`field${all.length + fields.indexOf(rect)}`),
          Rect: [...rect],
          AP: { N: look },
        } as never),
      );
    });
    page.node.set(PDFName.of('Annots'), context.obj(refs));
    all.push(...refs);
  }
  document.catalog.set(PDFName.of('AcroForm'), context.obj({ Fields: all }));
  return document.save({ updateFieldAppearances: false });
}

/** The box of what is black on a page, drawn at two pixels a unit, as [left, top, right, bottom] in units. */
async function blackBox(bytes: Uint8Array, page: number, width: number, height: number): Promise<Rect> {
  const [w, h] = [width * 2, height * 2];
  const pixels = await withDocument(bytes, {}, (document) =>
    renderPage(document, page, { width: w, height: h, annotations: true }),
  );
  const box: [number, number, number, number] = [w, h, 0, 0];
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      if ((pixels[(y * w + x) * 4] ?? 255) > 100) continue;
      box[0] = Math.min(box[0], x);
      box[1] = Math.min(box[1], y);
      box[2] = Math.max(box[2], x + 1);
      box[3] = Math.max(box[3], y + 1);
    }
  return box.map((side) => side / 2) as unknown as Rect;
}

const locate = async (bytes: Uint8Array): Promise<ReturnType<typeof locateFields>> =>
  withPdf(bytes, {}, (opened) => locateFields(opened, readForm(opened)));

describe('Boxes of fields', () => {
  it('are where the fields are drawn: on cropped, rotated and shifted pages, in other units', async () => {
    const field: Rect = [150, 300, 250, 340];
    const pages: Sheet[] = [
      { media: [0, 0, 400, 500], fields: [field] },
      { media: [0, 0, 400, 500], crop: [100, 200, 300, 450], fields: [[250, 340, 150, 300]] },
      { media: [-50, -80, 350, 420], fields: [field] },
      { media: [0, 0, 400, 500], crop: [100, 200, 300, 450], rotate: 90, fields: [field] },
      { media: [0, 0, 400, 500], crop: [100, 200, 300, 450], rotate: 180, fields: [field] },
      { media: [0, 0, 400, 500], crop: [100, 200, 300, 450], rotate: 270, fields: [field] },
      { media: [0, 0, 400, 500], unit: 2, fields: [field] },
      { media: [0, 0, 400, 500], crop: [100, -50, 900, 450], fields: [field] },
    ];
    const bytes = await sheets(pages);
    const located = await locate(bytes);
    expect(located).to.have.length(pages.length);
    for (const [i, { media, crop = media, rotate = 0 }] of pages.entries()) {
      const box: Rect = [
        Math.max(crop[0], media[0]),
        Math.max(crop[1], media[1]),
        Math.min(crop[2], media[2]),
        Math.min(crop[3], media[3]),
      ];
      const [w, h] = [box[2] - box[0], box[3] - box[1]];
      const widget = located[i]?.widgets?.[0];
      expect(widget?.pageIndex).to.equal(i);
      const { x = -1, y = -1, width = -1, height = -1 } = widget ?? {};
      // The page as it is shown, turned clockwise.
      const shown: Readonly<Record<number, Rect>> = {
        0: [x, y, x + width, y + height],
        90: [h - y - height, x, h - y, x + width],
        180: [w - x - width, h - y - height, w - x, h - y],
        270: [y, w - x - width, y + height, w - x],
      };
      const [shownWidth, shownHeight] = rotate % 180 === 0 ? [w, h] : [h, w];
      const drawn = await blackBox(bytes, i, shownWidth, shownHeight);
      for (const side of [0, 1, 2, 3] as const)
        expect(
          Math.abs(drawn[side] - (shown[rotate]?.[side] ?? -1)),
          `page ${i + 1}, side ${side}: ${drawn.join()} drawn`,
        ).to.be.at.most(1);
    }
  });

  it('are left out where they begin outside of the crop box, and fields are in reading order', async () => {
    const located = await locate(
      await sheets([
        {
          media: [0, 0, 400, 500],
          crop: [100, 100, 300, 400],
          // Right of and below the first within 10 points; then to the left; then above, below, to the left and far to
          // the right of the crop box.
          fields: [
            [200, 350, 240, 370],
            [150, 345, 190, 365],
            [120, 341, 140, 361],
            [120, 339, 140, 350],
            [120, 390, 160, 402],
            [120, 40, 160, 60],
            [40, 300, 98, 320],
            [520, 300, 560, 320],
            [99, 200, 140, 220],
          ],
        },
      ]),
    );
    expect(located.map(({ name, widgets }) => `${name}${widgets === undefined ? ' nowhere' : ''}`)).to.deep.equal([
      'field2',
      'field1',
      'field0',
      'field3',
      'field8',
      'field4 nowhere',
      'field5 nowhere',
      'field6 nowhere',
      'field7 nowhere',
    ]);
    expect(located[4]?.widgets?.[0]?.x).to.equal(-1);
  });
});
