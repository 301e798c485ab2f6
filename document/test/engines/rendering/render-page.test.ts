import { expect } from 'chai';
import { PDFDocument, degrees, rgb } from 'pdf-lib';
import { withDocument } from '../../../engines/pdfium/index.js';
import {
  MAX_JOB_PIXELS,
  MAX_PAGE_PIXELS,
  fittingDpi,
  guardPixels,
  pixelSize,
  renderPage,
} from '../../../engines/rendering/index.js';

const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

async function sample(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const rotated = document.addPage([200, 100]);
  rotated.setRotation(degrees(90));
  rotated.drawRectangle({ x: 0, y: 0, width: 100, height: 50, color: rgb(0, 0, 1) });
  const cropped = document.addPage([300, 300]);
  cropped.setMediaBox(-100, -100, 300, 300);
  cropped.setCropBox(0, 0, 100, 150);
  cropped.drawRectangle({ x: 0, y: 0, width: 50, height: 75, color: rgb(1, 0, 0) });
  document
    .getForm()
    .createTextField('f')
    .addToPage(cropped, { x: 60, y: 100, width: 30, height: 30, backgroundColor: rgb(0, 1, 0), borderWidth: 0 });
  return document.save();
}

const at = (pixels: Uint8Array, width: number, x: number, y: number): number[] => [
  ...pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 3),
];

describe('rendering limits', () => {
  it('rounds page sizes down and never to zero', () => {
    expect(pixelSize({ width: 595.28, height: 841.89 }, 300)).to.deep.equal({ width: 2480, height: 3507 });
    expect(pixelSize({ width: 0.1, height: 0.1 }, 1)).to.deep.equal({ width: 1, height: 1 });
  });

  it('rejects a page or a job above its limit, and sizes that are not numbers', () => {
    expect(codeOf(() => guardPixels([{ width: 5000, height: MAX_PAGE_PIXELS / 5000 }]))).to.equal(undefined);
    expect(codeOf(() => guardPixels([{ width: 5001, height: MAX_PAGE_PIXELS / 5000 }]))).to.equal('IMAGE_TOO_LARGE');
    expect(
      codeOf(() =>
        guardPixels(Array.from({ length: MAX_JOB_PIXELS / 40e6 + 1 }, () => ({ width: 40_000, height: 1000 }))),
      ),
    ).to.equal('IMAGE_TOO_LARGE');
    expect(codeOf(() => guardPixels([{ width: NaN, height: 1 }]))).to.equal('IMAGE_TOO_LARGE');
  });

  it('lowers a default resolution until the pages fit', () => {
    const pages = Array.from({ length: 300 }, () => ({ width: 595, height: 842 }));
    const dpi = fittingDpi(pages, 500);
    expect(dpi).to.be.lessThan(500).and.greaterThan(200);
    expect(codeOf(() => guardPixels(pages.map((page) => pixelSize(page, dpi))))).to.equal(undefined);
    expect(fittingDpi([{ width: 10, height: 10 }], 500)).to.equal(500);
  });
});

describe('renderPage', function () {
  this.timeout(60_000);

  it('applies rotation and crop box', async () => {
    await withDocument(await sample(), {}, (document) => {
      const rotated = renderPage(document, 0, { width: 100, height: 200, annotations: false });
      expect(at(rotated, 100, 25, 50)).to.deep.equal([0, 0, 255]);
      expect(at(rotated, 100, 75, 150)).to.deep.equal([255, 255, 255]);
      const cropped = renderPage(document, 1, { width: 100, height: 150, annotations: false });
      expect(at(cropped, 100, 25, 100)).to.deep.equal([255, 0, 0]);
      expect(at(cropped, 100, 25, 50)).to.deep.equal([255, 255, 255]);
    });
  });

  it('draws form fields only with annotations', async () => {
    await withDocument(await sample(), {}, (document) => {
      expect(at(renderPage(document, 1, { width: 100, height: 150, annotations: false }), 100, 75, 35)).to.deep.equal([
        255, 255, 255,
      ]);
      expect(at(renderPage(document, 1, { width: 100, height: 150, annotations: true }), 100, 75, 35)).to.deep.equal([
        0, 255, 0,
      ]);
    });
  });

  it('renders a part of a page as the whole page shows it, form fields included', async () => {
    const part = { left: 20, top: 20, width: 70, height: 90 };
    await withDocument(await sample(), {}, (document) => {
      for (const [index, size] of [
        [0, { width: 100, height: 200 }],
        [1, { width: 100, height: 150 }],
      ] as const) {
        const whole = renderPage(document, index, { ...size, annotations: true });
        const pixels = renderPage(document, index, { ...size, annotations: true, part, into: new Uint8Array(30_000) });
        expect(pixels).to.have.length(part.width * part.height * 4);
        const colours = new Set<string>();
        for (let y = 0; y < part.height; y++) {
          for (let x = 0; x < part.width; x++) {
            const shown = at(pixels, part.width, x, y);
            expect(shown, `${x},${y}`).to.deep.equal(at(whole, size.width, x + part.left, y + part.top));
            colours.add(shown.join());
          }
        }
        expect(colours.size).to.be.greaterThan(index + 1);
      }
    });
  });
});
