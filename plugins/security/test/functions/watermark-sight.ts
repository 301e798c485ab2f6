import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withDocument } from '@quire/document/engines/pdfium';
import { renderPage } from '@quire/document/engines/rendering';
import { PDFDocument, PDFName, PDFNumber, degrees } from 'pdf-lib';
import sharp from 'sharp';

/** Left, bottom, right, top in default user space. */
type Box = readonly [number, number, number, number];
type Point = readonly [x: number, y: number];

/** A page for the tests: its boxes, rotation and unit. */
export interface PageShape {
  readonly name: string;
  readonly media: Box;
  readonly crop?: Box;
  readonly rotate?: 0 | 90 | 180 | 270;
  readonly userUnit?: number;
}

/** An empty document with pages of these shapes. */
export async function pagesOf(shapes: readonly PageShape[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (const { media, crop, rotate, userUnit } of shapes) {
    const page = document.addPage([media[2] - media[0], media[3] - media[1]]);
    page.setMediaBox(media[0], media[1], media[2] - media[0], media[3] - media[1]);
    if (crop !== undefined) page.setCropBox(crop[0], crop[1], crop[2] - crop[0], crop[3] - crop[1]);
    if (rotate !== undefined) page.setRotation(degrees(rotate));
    if (userUnit !== undefined) page.node.set(PDFName.of('UserUnit'), PDFNumber.of(userUnit));
  }
  return document.save();
}

/** A rendered page: RGB of a pixel, and the user space point at its centre (or shifted by a fraction of a pixel). */
export interface Sight {
  readonly width: number;
  readonly height: number;
  rgb(x: number, y: number): readonly [number, number, number];
  point(x: number, y: number): Point;
}

/** The user space point of a pixel of a page shown rotated clockwise, computed independently (ISO 32000-1, 8.3.2.3). */
function pointOf([left, bottom, right, top]: Box, rotate: number, scale: number): (x: number, y: number) => Point {
  return (x, y) => {
    const [across, down] = [(x + 0.5) / scale, (y + 0.5) / scale];
    if (rotate === 90) return [left + down, bottom + across];
    if (rotate === 180) return [right - across, bottom + down];
    if (rotate === 270) return [right - down, top - across];
    return [left + across, top - down];
  };
}

function sizeOf([left, bottom, right, top]: Box, rotate: number, scale: number): { width: number; height: number } {
  const [width, height] = [Math.round((right - left) * scale), Math.round((top - bottom) * scale)];
  return rotate % 180 === 0 ? { width, height } : { width: height, height: width };
}

/** The pages as PDFium renders them: the crop box, at `scale` pixels per unit. */
export function seenByPdfium(bytes: Uint8Array, shapes: readonly PageShape[], scale: number): Promise<Sight[]> {
  return withDocument(bytes, {}, (document) =>
    shapes.map(({ media, crop = media, rotate = 0 }, i) => {
      const { width, height } = sizeOf(crop, rotate, scale);
      const data = Uint8Array.from(renderPage(document, i, { width, height, annotations: false }));
      return { width, height, rgb: (x, y) => pixel(data, (y * width + x) * 4), point: pointOf(crop, rotate, scale) };
    }),
  );
}

/** The pages as Poppler renders them: the whole media box, ignoring UserUnit; undefined if it is not installed. */
export async function seenByPoppler(
  bytes: Uint8Array,
  shapes: readonly PageShape[],
  scale: number,
): Promise<Sight[] | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-sight-'));
  try {
    await writeFile(join(folder, 'a.pdf'), bytes);
    await promisify(execFile)('pdftoppm', ['-r', String(72 * scale), '-png', join(folder, 'a.pdf'), join(folder, 'p')]);
    const names = (await readdir(folder)).filter((name) => name.endsWith('.png')).sort();
    return await Promise.all(
      shapes.map(async ({ media, rotate = 0 }, i) => {
        const { data, info } = await sharp(join(folder, names[i]!))
          .removeAlpha()
          .toColourspace('srgb')
          .raw()
          .toBuffer({ resolveWithObject: true });
        return {
          width: info.width,
          height: info.height,
          rgb: (x: number, y: number) => pixel(data, (y * info.width + x) * 3),
          point: pointOf(media, rotate, scale),
        };
      }),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function pixel(data: Uint8Array, at: number): [number, number, number] {
  return [data[at]!, data[at + 1]!, data[at + 2]!];
}

/** The expected result: whether a point of user space is inked. */
export type Inked = (point: Point) => boolean;

/**
 * Compares a rendered page with the expected result, pixel by pixel, except for edges of ink and page, whose pixels are
 * partly inked: a border of the given width. Returns the wrong pixels, and how many of each kind were compared.
 */
export function compare(
  { width, height, rgb, point }: Sight,
  inked: Inked,
  isInk: (rgb: readonly [number, number, number]) => boolean,
  edge = 1,
): { wrong: string[]; ink: number; paper: number } {
  const wanted = Array.from({ length: width * height }, (_, i) => inked(point(i % width, Math.floor(i / width))));
  const near = around(edge);
  const wrong: string[] = [];
  const found = { ink: 0, paper: 0 };
  for (let y = edge; y < height - edge; y++) {
    for (let x = edge; x < width - edge; x++) {
      const ink = wanted[y * width + x]!;
      if (near.some(([dx, dy]) => wanted[(y + dy) * width + x + dx] !== ink)) continue;
      found[ink ? 'ink' : 'paper']++;
      if (isInk(rgb(x, y)) !== ink && wrong.length < 5)
        wrong.push(`${x},${y} is ${rgb(x, y).join('/')}, should be ${ink ? 'ink' : 'paper'}`);
    }
  }
  return { wrong, ...found };
}

/** Offsets to the pixels around one. */
function around(distance: number): Point[] {
  const steps = Array.from({ length: 2 * distance + 1 }, (_, i) => i - distance);
  return steps.flatMap((dx) => steps.map((dy): Point => [dx, dy]));
}
