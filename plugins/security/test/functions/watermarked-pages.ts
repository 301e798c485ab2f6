import { expect } from 'chai';
import { editBytes } from '@quire/document/file/open';
import sharp from 'sharp';
import { addImageWatermark } from '../../src/functions/add-watermark.js';
import { type PageShape, type Sight, seenByPdfium, seenByPoppler } from './watermark-sight.js';

export const style = {
  fontSize: 20,
  rotation: 0,
  opacity: 1,
  widthSpacer: 30,
  heightSpacer: 30,
  alphabet: 'roman',
  colour: '0000ff',
};
export const shape: PageShape = { name: 'page', media: [0, 0, 120, 100] };

/** A document of these objects: first its catalog, then its page tree. */
export function pdfOf(objects: readonly string[]): Uint8Array {
  const bodies = ['<</Type/Catalog/Pages 2 0 R>>', ...objects].map((body, i) => `${i + 1} 0 obj\n${body}\nendobj\n`);
  return Buffer.from(
    `%PDF-1.7\n${bodies.join('')}trailer\n<</Root 1 0 R/Size ${bodies.length + 1}>>\n%%EOF\n`,
    'latin1',
  );
}

export const stream = (content: string, dict = ''): string =>
  `<<${dict}/Length ${content.length}>>\nstream\n${content}\nendstream`;
export const page = (entries: string): string => `<</Type/Page/Parent 2 0 R/MediaBox[0 0 120 100]${entries}>>`;
export const onePage = (entries: string, ...more: string[]): Uint8Array =>
  pdfOf(['<</Type/Pages/Kids[3 0 R]/Count 1>>', page(entries), ...more]);
export const square = (): Promise<Buffer> =>
  sharp({ create: { width: 10, height: 10, channels: 3, background: '#0000ff' } })
    .png()
    .toBuffer();

export async function marked(
  bytes: Uint8Array,
  image: Uint8Array,
  change: Partial<typeof style> & { kind?: 'png' | 'jpeg' | 'gif' | 'bmp' } = {},
): Promise<Uint8Array> {
  return editBytes(
    bytes,
    {},
    async (opened) => void (await addImageWatermark(opened, { ...style, kind: 'png', ...change, image })),
  );
}

/** The page rendered by both engines. */
export async function seen(bytes: Uint8Array, shapes: readonly PageShape[] = [shape]): Promise<Sight[][]> {
  const poppler = await seenByPoppler(bytes, shapes, 1);
  return [await seenByPdfium(bytes, shapes, 1), ...(poppler === undefined ? [] : [poppler])];
}

export const near = (found: readonly number[], wanted: readonly number[], slack = 6): boolean =>
  found.every((value, i) => Math.abs(value - wanted[i]!) <= slack);
const [BLUE, WHITE] = [
  [0, 0, 255],
  [255, 255, 255],
] as const;
export const emptyPage = (): Uint8Array => onePage('');

/** Tiles of 20 points are at 0 and 50, in two rows. */
export async function expectTiles(bytes: Uint8Array): Promise<void> {
  for (const [sight] of await seen(bytes)) {
    for (const [x, y, wanted] of [
      [10, 90, BLUE],
      [60, 90, BLUE],
      [10, 40, BLUE],
      [60, 40, BLUE],
      [35, 90, WHITE],
      [10, 65, WHITE],
      [105, 50, WHITE],
    ] as const) {
      expect(near(sight!.rgb(x, y), wanted), `${x},${y} is ${sight!.rgb(x, y).join('/')}`).to.equal(true);
    }
  }
}

export { WHITE };
