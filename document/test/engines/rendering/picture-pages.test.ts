import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument, PDFName, degrees, rgb } from 'pdf-lib';
import { uprightPage } from '../../../structure/geometry/index.js';
import { editFile, openPdf } from '../../../file/open/index.js';
import { withDocument } from '../../../engines/pdfium/index.js';
import {
  PictureStore,
  picturePages,
  type PicturePagesOptions,
  pixelSize,
  renderPage,
} from '../../../engines/rendering/index.js';

/** Pages with invalid sizes, rotated, cropped, with a user unit. */
async function odd(): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  for (const turn of [0, 90, 180, 270]) {
    const page = document.addPage();
    page.setMediaBox(-50, 30, 300.5, 200.25);
    page.setCropBox(-20, 50, 200, 120);
    page.setRotation(degrees(turn));
    page.drawRectangle({ x: -20, y: 50, width: 60, height: 40, color: rgb(1, 0, 0) });
    page.drawRectangle({ x: 150, y: 140, width: 30, height: 30, color: rgb(0, 0, 1) });
    if (turn === 90) page.node.set(PDFName.of('UserUnit'), document.context.obj(2));
  }
  return document.save();
}

describe('pages that become images', function () {
  this.timeout(30_000);
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-pictures-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const sizes: PicturePagesOptions['sizes'] = (pages) => pages.map((page) => pixelSize(page, 72));
  const pictured = async (bytes: Uint8Array, options: Partial<PicturePagesOptions> = {}): Promise<Uint8Array> => {
    const { writeFileSync } = await import('node:fs');
    const [source, target] = [join(folder, 'in.pdf'), join(folder, 'out.pdf')];
    writeFileSync(source, bytes);
    await editFile(source, target, {}, (opened) =>
      picturePages(opened, { sizes, store: new PictureStore(join(folder, 'pictures')), ...options }),
    );
    return readFileSync(target);
  };
  const pixels = (bytes: Uint8Array, page: number): Promise<Uint8Array> =>
    withDocument(bytes, {}, (document) => {
      const { width, height } = document.pageGeometry(page);
      return renderPage(document, page, { width: Math.round(width), height: Math.round(height), annotations: true });
    });

  it('look the same, rotated, cropped and with a user unit', async () => {
    const before = await odd();
    const after = await pictured(before);
    for (let i = 0; i < 4; i++) {
      const [a, b] = [await pixels(before, i), await pixels(after, i)];
      expect(a.length).to.equal(b.length);
      expect(
        a.reduce((sum, level, at) => sum + Math.abs(level - (b[at] ?? 0)), 0) / a.length,
        `page ${i + 1}`,
      ).to.be.lessThan(1);
      const [x, y] = [await openPdf(before), await openPdf(after)];
      expect(uprightPage(y.document.context, y.pages[i]!)).to.deep.equal(uprightPage(x.document.context, x.pages[i]!));
    }
  });

  it('are measured as displayed, units applied, before anything is rendered', async () => {
    const asked: (readonly [number, number])[] = [];
    const refused = await pictured(await odd(), {
      sizes: (pages) => {
        asked.push(...pages.map(({ width, height }) => [width, height] as const));
        throw new RangeError('too large');
      },
    }).then(
      () => false,
      () => true,
    );
    expect([refused, asked, existsSync(join(folder, 'pictures'))]).to.deep.equal([
      true,
      [
        [200, 120],
        [240, 400],
        [200, 120],
        [120, 200],
      ],
      false,
    ]);
  });

  it('are stored on disk until the document is written', async () => {
    const jpegs: number[] = [];
    const bytes = await pictured(await odd(), {
      paint: async ({ width, height }, page) => {
        const { default: sharp } = await import('sharp');
        const jpeg = await sharp({ create: { width, height, channels: 3, background: { r: page * 60, g: 0, b: 0 } } })
          .jpeg()
          .toBuffer();
        jpegs.push(jpeg.length);
        return { width, height, jpeg, components: 3 };
      },
    });
    expect(statSync(join(folder, 'pictures')).size).to.equal(jpegs.reduce((sum, size) => sum + size, 0));
    const levels = await Promise.all([0, 1, 2, 3].map(async (page) => (await pixels(bytes, page))[0] ?? 0));
    expect(
      levels.every((level, page) => Math.abs(level - page * 60) < 4),
      String(levels),
    ).to.equal(true);
  });

  it('end on cancellation', async () => {
    const abort = new AbortController();
    let drawn = 0;
    const error = await pictured(await odd(), {
      signal: abort.signal,
      progress: () => {
        drawn++;
        abort.abort();
      },
    }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect([error !== undefined, drawn]).to.deep.equal([true, 1]);
  });
});
