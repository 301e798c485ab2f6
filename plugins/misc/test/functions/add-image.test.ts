import { expect } from 'chai';
import { editBytes } from '@quire/document/file/open';
import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { type PlacedImage, addImage } from '../../src/functions/add-image.js';
import { colourAt, fixture, inkOf, pageText, refusal } from '../page-pixels.js';

const placed = async (bytes: Uint8Array, image: Partial<PlacedImage>): Promise<Uint8Array> => {
  const given = image.image ?? (await picture('png'));
  return editBytes(bytes, { mode: 'append' }, (opened) =>
    addImage(opened, { kind: 'png', x: 0, y: 0, pageNumber: 1, everyPage: false, ...image, image: given }),
  );
};
const picture = (kind: 'png' | 'jpeg' | 'gif' | 'tiff' | 'webp'): Promise<Buffer> =>
  sharp({ create: { width: 60, height: 30, channels: 3, background: '#ff0000' } })
    .toFormat(kind)
    .toBuffer();
const drawing = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30"><rect width="30" height="30" fill="#00f"/>' +
    '<rect x="30" width="30" height="30" fill="#0f0"/><text x="5" y="20" font-size="9">Inside</text></svg>',
);

async function blank(pages = 1): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (let i = 0; i < pages; i++) document.addPage([400, 300]);
  return document.save();
}

describe('addImage', function () {
  this.timeout(60_000);

  it('draws an image at one pixel per point, with its lower left corner at the position', async () => {
    expect(await inkOf(await placed(await blank(), { x: 40, y: 50 }), 0, 'red')).to.deep.equal({
      left: 40,
      bottom: 50,
      right: 100,
      top: 80,
    });
  });

  it('accepts every image type', async () => {
    for (const kind of ['png', 'jpeg', 'gif', 'tiff', 'webp'] as const) {
      const box = (await inkOf(
        await placed(await blank(), { kind, image: await picture(kind), x: 10, y: 10 }),
        0,
        'red',
      ))!;
      expect([box.right - box.left, Math.round(box.top - box.bottom)], kind).to.deep.equal([60, 30]);
    }
  });

  it('draws an SVG with searchable text, at its size in points', async () => {
    const bytes = await placed(await blank(), { kind: 'svg', image: drawing, x: 100, y: 50 });
    expect((await inkOf(bytes, 0, 'blue'))?.left).to.equal(100);
    expect((await inkOf(bytes, 0, 'green'))?.right).to.equal(160);
    expect(await pageText(bytes)).to.equal('Inside');
  });

  it('is as wide as asked for, with the height that follows', async () => {
    for (const [kind, image, colour] of [
      ['png', await picture('png'), 'red'],
      ['svg', Buffer.from(drawing.toString().replaceAll('#0f0', '#00f')), 'blue'],
    ] as const)
      expect(
        await inkOf(await placed(await blank(), { kind, image, x: 40, y: 50, width: 120 }), 0, colour),
        kind,
      ).to.deep.equal({ left: 40, bottom: 50, right: 160, top: 110 });
  });

  it('appears on the page that is asked for, and refuses one that is not there', async () => {
    const bytes = await placed(await blank(3), { pageNumber: 3 });
    expect(
      (await Promise.all([0, 1, 2].map((page) => inkOf(bytes, page, 'red')))).map((box) => box !== undefined),
    ).to.deep.equal([false, false, true]);
    expect(await refusal(placed(await blank(3), { pageNumber: 4 }))).to.equal('INPUT_INVALID');
  });

  it('appears on the first page only, or on every page', async () => {
    for (const everyPage of [false, true]) {
      const bytes = await placed(await blank(3), { everyPage });
      expect(
        (await Promise.all([0, 1, 2].map((page) => inkOf(bytes, page, 'red')))).map((box) => box !== undefined),
      ).to.deep.equal([true, everyPage, everyPage]);
    }
  });

  it('is upright at its position on rotated pages', async () => {
    const bytes = await placed(await fixture('turned-and-cropped.pdf'), {
      kind: 'svg',
      image: drawing,
      x: 20,
      y: 40,
      everyPage: true,
    });
    for (const page of [0, 1, 2, 3]) {
      const [blue, green] = [(await inkOf(bytes, page, 'blue'))!, (await inkOf(bytes, page, 'green'))!];
      for (const [found, expected] of [
        [blue.left, 20],
        [blue.right, 50],
        [green.right, 80],
        [blue.bottom, 40],
        [blue.top, 70],
      ])
        expect(found, `page ${page}`).to.be.closeTo(expected!, 0.6);
    }
  });

  it('keeps transparency', async () => {
    const clear = await sharp({
      create: { width: 60, height: 30, channels: 4, background: { r: 0, g: 0, b: 255, alpha: 0.5 } },
    })
      .png()
      .toBuffer();
    const [red = 0, , blue = 0] = await colourAt(await placed(await blank(), { image: clear }), 0, 30, 15);
    expect(red).to.be.within(125, 130);
    expect(blue).to.equal(255);
  });

  it('refuses files that are not images', async () => {
    expect(await refusal(placed(await blank(), { image: await fixture('program.png') }))).to.equal('IMAGE_UNREADABLE');
    expect(await refusal(placed(await blank(), { kind: 'svg', image: await fixture('outside-picture.svg') }))).to.equal(
      'IMAGE_UNREADABLE',
    );
  });
});
