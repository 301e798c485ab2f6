import { expect } from 'chai';
import { editBytes } from '@quire/document/file/open';
import sharp from 'sharp';
import { addImageWatermark, addTextWatermark } from '../../src/functions/add-watermark.js';
import {
  type Inked,
  type PageShape,
  type Sight,
  compare,
  pagesOf,
  seenByPdfium,
  seenByPoppler,
} from './watermark-sight.js';

/** Left, bottom, right, top, from a tile's origin. */
type Box = readonly [number, number, number, number];
interface Spacing {
  readonly rotation: number;
  readonly widthSpacer: number;
  readonly heightSpacer: number;
}

const shapes: readonly PageShape[] = [
  { name: 'plain', media: [0, 0, 180, 120] },
  { name: 'with a media box off the origin', media: [-70, 40, 110, 160] },
  { name: 'cropped', media: [0, 0, 180, 120], crop: [30, 20, 130, 90] },
  { name: 'turned by 90', media: [0, 0, 180, 120], rotate: 90 },
  { name: 'turned by 180, off the origin', media: [-70, 40, 110, 160], rotate: 180 },
  { name: 'turned by 270 and cropped', media: [10, 20, 190, 140], crop: [30, 30, 150, 110], rotate: 270 },
  { name: 'in units of a half inch', media: [0, 0, 90, 60], userUnit: 36 },
  { name: 'of 10 points', media: [0, 0, 10, 10] },
  { name: 'three times as wide as high', media: [0, 0, 270, 90] },
];

/**
 * The contract's text tiles, computed independently: `boxes` are inked around each origin; the tile is as wide as its
 * widest line and as high as its lines.
 */
function textInk(
  [left, bottom, right, top]: Box,
  boxes: readonly Box[],
  tile: readonly [number, number],
  { rotation, widthSpacer, heightSpacer }: Spacing,
): Inked {
  const angle = (rotation * Math.PI) / 180;
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const corners = [
    [0, 0],
    [tile[0] + widthSpacer, 0],
    [0, tile[1] + heightSpacer],
    [tile[0] + widthSpacer, tile[1] + heightSpacer],
  ].map(([x, y]) => [x! * cos - y! * sin, x! * sin + y! * cos]);
  const extent = (axis: 0 | 1): number =>
    Math.max(...corners.map((corner) => corner[axis]!)) - Math.min(...corners.map((corner) => corner[axis]!));
  const [w, h] = [extent(0), extent(1)];
  const [lastColumn, lastRow] = [Math.floor((right - left) / w + 1), Math.floor((top - bottom) / h + 1)];
  const reach = Math.hypot(
    ...[0, 1].map((axis) => Math.max(...boxes.flatMap((box) => [Math.abs(box[axis]!), Math.abs(box[axis + 2]!)]))),
  );
  return ([x, y]) => {
    if (x < left || x > right || y < bottom || y > top) return false;
    for (let column = first(x - left, w, reach); column <= lastColumn && column * w <= x - left + reach; column++) {
      for (let row = first(y - bottom, h, reach); row <= lastRow && row * h <= y - bottom + reach; row++) {
        const [dx, dy] = [x - left - column * w, y - bottom - row * h];
        const [u, v] = [dx * cos + dy * sin, -dx * sin + dy * cos];
        if (boxes.some((box) => u > box[0] && v > box[1] && u < box[2] && v < box[3])) return true;
      }
    }
    return false;
  };
}

/** The first multiple of `step` that can reach a position. */
function first(place: number, step: number, reach: number): number {
  return Math.max(0, Math.floor((place - reach) / step));
}

/** The contract's image tiles, computed independently. */
function imageInk(
  [left, bottom, right, top]: Box,
  [width, height]: readonly [number, number],
  { rotation, widthSpacer, heightSpacer }: Spacing,
): Inked {
  const angle = (rotation * Math.PI) / 180;
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  const columns = Math.floor((right - left + widthSpacer) / (width + widthSpacer));
  const rows = Math.floor((top - bottom + heightSpacer) / (height + heightSpacer));
  return ([x, y]) => {
    if (x < left || x > right || y < bottom || y > top) return false;
    for (let column = first(x - left, width + widthSpacer, width + height); column < columns; column++) {
      for (let row = first(y - bottom, height + heightSpacer, width + height); row < rows; row++) {
        const [dx, dy] = [
          x - left - column * (width + widthSpacer) - width / 2,
          y - bottom - row * (height + heightSpacer) - height / 2,
        ];
        if (Math.abs(dx * cos + dy * sin) < width / 2 && Math.abs(-dx * sin + dy * cos) < height / 2) return true;
      }
    }
    return false;
  };
}

const isBlue = ([red, , blue]: readonly [number, number, number]): boolean => red < 128 && blue > 215;
const style = { opacity: 1, alphabet: 'roman', colour: '0000ff' };
/** A character that is a filled box, so its inked area is known. */
const BLOCK = '■';

/** Every page as rendered by two engines. */
async function sights(
  bytes: Uint8Array,
  pages: readonly PageShape[],
  scale = 1,
): Promise<[engine: string, seen: Sight[]][]> {
  const poppler = await seenByPoppler(bytes, pages, scale);
  return [
    ['PDFium', await seenByPdfium(bytes, pages, scale)],
    ...(poppler === undefined ? [] : [['Poppler', poppler] satisfies [string, Sight[]]]),
  ];
}

async function expectInk(
  bytes: Uint8Array,
  pages: readonly PageShape[],
  inkOn: (media: Box) => Inked,
  { scale = 1, edge = 1 } = {},
): Promise<void> {
  let ink = 0;
  for (const [engine, seen] of await sights(bytes, pages, scale)) {
    for (const [i, page] of pages.entries()) {
      const found = compare(seen[i]!, inkOn(page.media), isBlue, edge);
      expect(found.wrong.join('; '), `${engine}, page ${page.name}`).to.equal('');
      ink += found.ink;
    }
  }
  expect(ink, 'inked pixels').to.be.greaterThan(100);
}

const textMarked = (bytes: Uint8Array, text: string, fontSize: number, spacing: Spacing): Promise<Uint8Array> =>
  editBytes(
    bytes,
    {},
    async (opened) => void (await addTextWatermark(opened, { ...style, ...spacing, text, fontSize })),
  );

describe('watermark tiles, in rendered pixels', function () {
  this.timeout(60_000);

  /** The block's box and advance relative to the font size, measured on large glyphs. */
  let block: Box;
  let advance: number;
  before(async () => {
    const page: PageShape = { name: '', media: [0, 0, 600, 400] };
    const extent = async (text: string): Promise<Box> => {
      const [seen] = await seenByPdfium(
        await textMarked(await pagesOf([page]), text, 200, { rotation: 0, widthSpacer: 2000, heightSpacer: 0 }),
        [page],
        1,
      );
      const points = Array.from({ length: 600 * 220 }, (_, i) => [i % 600, Math.floor(i / 600)] as const).filter(
        ([x, y]) => y >= 20 && isBlue(seen!.rgb(x, y)),
      );
      // The visible tile is in the second row, with its baseline at 200 points; of the third only the lower edge is
      // visible.
      const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => 200 - y)];
      return [least(xs) / 200, (least(ys) - 1) / 200, (most(xs) + 1) / 200, most(ys) / 200];
    };
    const [one, two] = [await extent(BLOCK), await extent(BLOCK + BLOCK)];
    block = one;
    advance = two[2] - one[2];
  });

  /** The boxes of lines with the given numbers of blocks, and the tile that contains them. */
  const blocks = (lines: readonly number[], fontSize: number): [Box[], [number, number]] => [
    lines.flatMap((count, line) =>
      Array.from({ length: count }, (_, i): Box => [
        (i * advance + block[0]) * fontSize,
        (block[1] - line) * fontSize,
        (i * advance + block[2]) * fontSize,
        (block[3] - line) * fontSize,
      ]),
    ),
    [Math.max(...lines) * advance * fontSize, lines.length * fontSize],
  ];
  const linesOf = (lines: readonly number[], end = '\\n'): string =>
    lines.map((count) => BLOCK.repeat(count)).join(end);

  for (const rotation of [0, 45, 90, -30, 720.5]) {
    it(`draws text rotated by ${rotation} exactly where the contract says, on pages of every shape`, async () => {
      const spacing = { rotation, widthSpacer: 17, heightSpacer: 23 };
      const [boxes, tile] = blocks([2, 1], 16);
      await expectInk(await textMarked(await pagesOf(shapes), linesOf([2, 1]), 16, spacing), shapes, (media) =>
        textInk(media, boxes, tile, spacing),
      );
    });

    it(`draws images rotated by ${rotation} exactly where the contract says, on pages of every shape`, async () => {
      const spacing = { rotation, widthSpacer: 9, heightSpacer: 14 };
      const image = await sharp({ create: { width: 20, height: 10, channels: 3, background: '#0000ff' } })
        .png()
        .toBuffer();
      const bytes = await editBytes(
        await pagesOf(shapes),
        {},
        async (opened) =>
          void (await addImageWatermark(opened, { ...style, ...spacing, fontSize: 18, image, kind: 'png' })),
      );
      // Rotated images are drawn up to a pixel too large.
      await expectInk(bytes, shapes, (media) => imageInk(media, [36, 18], spacing), { edge: 2 });
    });
  }

  it('leaves no space between tiles without spacers, and much with large ones', async () => {
    for (const [widthSpacer, heightSpacer] of [
      [0, 0],
      [280, 0],
      [0, 190],
      [5000, 5000],
    ] as const) {
      const spacing = { rotation: 0, widthSpacer, heightSpacer };
      const [boxes, tile] = blocks([1], 20);
      await expectInk(await textMarked(await pagesOf(shapes), BLOCK, 20, spacing), shapes, (media) =>
        textInk(media, boxes, tile, spacing),
      );
    }
  });

  it('draws each line a font size below the one before, in a rotated tile as wide as the widest', async () => {
    for (const [lines, rotation, end] of [
      [[1, 3, 2], 30, '\\n'],
      [[3, 1, 1, 2], 200, '\n'],
      [[0, 2, 0, 1], 0, '\r\n'],
    ] as const) {
      const spacing = { rotation, widthSpacer: 20, heightSpacer: 30 };
      const [boxes, tile] = blocks(lines, 14);
      await expectInk(await textMarked(await pagesOf(shapes), linesOf(lines, end), 14, spacing), shapes, (media) =>
        textInk(media, boxes, tile, spacing),
      );
    }
  });

  it('follows the formula with letters larger than the page', async () => {
    const spacing = { rotation: 10, widthSpacer: 0, heightSpacer: 0 };
    const [boxes, tile] = blocks([1], 900);
    await expectInk(await textMarked(await pagesOf(shapes), BLOCK, 900, spacing), shapes, (media) =>
      textInk(media, boxes, tile, spacing),
    );
  });

  it('follows the formula with letters of one point', async () => {
    const small: readonly PageShape[] = [{ name: 'small', media: [0, 0, 21, 11] }];
    const spacing = { rotation: 0, widthSpacer: 1, heightSpacer: 1 };
    const [boxes, tile] = blocks([1], 1);
    await expectInk(
      await textMarked(await pagesOf(small), BLOCK, 1, spacing),
      small,
      (media) => textInk(media, boxes, tile, spacing),
      { scale: 12 },
    );
  });

  it('covers the largest page', async () => {
    const large: readonly PageShape[] = [{ name: 'of 14400 points', media: [0, 0, 14_400, 14_400] }];
    const spacing = { rotation: 45, widthSpacer: 1000, heightSpacer: 2000 };
    const [boxes, tile] = blocks([1, 1], 1000);
    await expectInk(
      await textMarked(await pagesOf(large), linesOf([1, 1]), 1000, spacing),
      large,
      (media) => textInk(media, boxes, tile, spacing),
      { scale: 0.02 },
    );
  });
});

function least(values: readonly number[]): number {
  return values.reduce((found, value) => Math.min(found, value), Infinity);
}

function most(values: readonly number[]): number {
  return values.reduce((found, value) => Math.max(found, value), -Infinity);
}
