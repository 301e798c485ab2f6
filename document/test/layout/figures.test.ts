import { expect } from 'chai';
import { degrees, rgb } from 'pdf-lib';
import sharp from 'sharp';
import { type Figure, withLayout } from '../../layout/index.js';
import { broken, draw, sheet } from './support.js';

/** The figures of a document with their pixels. */
async function figures(bytes: Uint8Array): Promise<
  {
    readonly figure: Figure;
    readonly colour: readonly number[];
    readonly format: string | undefined;
    readonly size: readonly number[];
  }[]
> {
  return withLayout(bytes, {}, async (document) => {
    const found = [];
    for await (const { blocks } of document.pages()) {
      for (const figure of blocks.filter((block): block is Figure => block.kind === 'figure')) {
        const file = await document.picture(figure.picture);
        const { data } = await sharp(file!.bytes)
          .removeAlpha()
          .toColourspace('srgb')
          .raw()
          .toBuffer({ resolveWithObject: true });
        found.push({
          figure,
          colour: [...data.subarray(0, 3)],
          format: file?.format,
          size: [file!.width, file!.height],
        });
      }
    }
    return found;
  });
}

const halves = (format: 'png' | 'jpeg'): Promise<Buffer> => {
  const image = sharp({ create: { width: 80, height: 40, channels: 3, background: '#cc0000' } }).composite([
    { input: { create: { width: 80, height: 20, channels: 3, background: '#0000cc' } }, top: 20, left: 0 },
  ]);
  return format === 'png' ? image.png().toBuffer() : image.jpeg({ quality: 95 }).toBuffer();
};

describe('Figures of a page', () => {
  it('are its images with their facts and pixels, upright as the page shows them', async () => {
    const { document } = await sheet();
    const [png, jpeg] = [await document.embedPng(await halves('png')), await document.embedJpg(await halves('jpeg'))];
    const page = document.addPage([300, 400]);
    page.drawImage(png, { x: 50, y: 250, width: 160, height: 80 });
    page.drawImage(jpeg, { x: 50, y: 100, width: 80, height: 40 });
    const turned = document.addPage([300, 400]);
    turned.setRotation(degrees(180));
    turned.drawImage(jpeg, { x: 50, y: 100, width: 80, height: 40 });
    const found = await figures(await document.save());
    expect(
      found.map(({ figure: { picture }, format }) => [
        picture.width,
        picture.height,
        picture.dpi,
        picture.format,
        picture.colour,
        picture.bits,
        format,
      ]),
    ).to.deep.equal([
      [80, 40, 36, 'raw', 'DeviceRGB', 24, 'png'],
      [80, 40, 72, 'jpeg', 'DeviceRGB', 24, 'jpeg'],
      [80, 40, 72, 'jpeg', 'DeviceRGB', 24, 'png'],
    ]);
    const [first, second, third] = found.map(({ colour }) => (colour[0]! > colour[2]! ? 'red above' : 'blue above'));
    expect([first, second, third]).to.deep.equal(['red above', 'red above', 'blue above']);
    expect(found[1]!.figure.picture.key)
      .to.equal(found[2]!.figure.picture.key)
      .and.not.equal(found[0]!.figure.picture.key);
    expect(found[0]!.figure.box).to.deep.equal({ left: 50, top: 70, right: 210, bottom: 150 });
  });

  it('are drawings of several shapes with their labels, and no backgrounds of text', async () => {
    const { document, plain } = await sheet();
    const page = document.addPage([400, 600]);
    draw(
      page,
      broken(
        'Text above the drawing that is long enough for a line and a half of this narrow page, as everybody can see.',
        plain,
        11,
        300,
      ),
      plain,
      { x: 40, y: 560 },
    );
    for (let i = 0; i < 6; i++)
      page.drawCircle({ x: 80 + i * 40, y: 400 + (i % 3) * 30, size: 18, color: rgb(0.1, 0.6, 0.2) });
    page.drawText('peak', { x: 150, y: 400, size: 8, font: plain });
    const behind = document.addPage([400, 600]);
    behind.drawImage(await document.embedPng(await halves('png')), { x: 0, y: 0, width: 400, height: 600 });
    draw(
      behind,
      broken(
        'Words that stand on a picture of the whole page are what the page says, and the picture is only its paper.',
        plain,
        11,
        300,
      ),
      plain,
      { x: 40, y: 500 },
    );
    const found = await figures(await document.save());
    expect(
      found.map(({ figure: { picture, text, page: number }, format }) => [number, picture.source, text, format]),
    ).to.deep.equal([[1, 'drawing', 'peak', 'png']]);
    expect(found[0]!.size[0]).to.be.closeTo((236 * 150) / 72, 6);
  });
});
