import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import type { PDFDocument } from 'pdf-lib';
import type { Quad } from '../../../content/index.js';
import { editBytes } from '../../../file/open/index.js';
import { withDocument } from '../../../engines/pdfium/index.js';
import { type RedactArea, removeAreas, type RemovedContent } from '../../../redaction/erasure/index.js';
import { renderPage } from '../../../engines/rendering/index.js';
import { everythingIn } from '../../support.js';

/** Returns a rectangle as a quad. */
export function box(left: number, bottom: number, right: number, top: number): Quad {
  return [left, bottom, right, bottom, right, top, left, top];
}

/** Returns a rectangle that is rotated around its centre, in degrees. */
export function turned(x: number, y: number, width: number, height: number, degrees: number): Quad {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return (
    [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ] as const
  ).flatMap(([i, j]) => [
    x + (i * width * cos - j * height * sin) / 2,
    y + (i * width * sin + j * height * cos) / 2,
  ]) as unknown as Quad;
}

/** Pixels per point. */
const SCALE = 2;

/** Renders a page of 200 by 200 points. */
export function picture(bytes: Uint8Array, page = 0): Promise<Uint8Array> {
  return withDocument(bytes, {}, (opened) =>
    renderPage(opened, page, { width: 200 * SCALE, height: 200 * SCALE, annotations: false }),
  );
}

/** Returns red, green and blue at a point of such a page. */
export function colourAt(pixels: Uint8Array, x: number, y: number): number[] {
  const at = (Math.floor((200 - y) * SCALE) * 200 * SCALE + Math.floor(x * SCALE)) * 4;
  return [...pixels.subarray(at, at + 3)];
}

export interface Redacted {
  readonly bytes: Uint8Array;
  readonly before: Uint8Array;
  /** All text in the file: strings, names, every decompressed stream. */
  readonly said: string;
  readonly text: string;
  readonly removed: RemovedContent;
  readonly counts: {
    readonly glyphs: number;
    readonly paths: number;
    readonly images: number;
    readonly shadings: number;
  };
}

/** Removes areas from the first page, or the page at an index, and reads the result with other parsers. */
export async function redact(
  document: PDFDocument,
  areas: readonly (RedactArea | Quad)[],
  page = 0,
): Promise<Redacted> {
  const before = await document.save({ useObjectStreams: false });
  let removed: RemovedContent | undefined;
  let counts: Redacted['counts'] = { glyphs: 0, paths: 0, images: 0, shadings: 0 };
  const bytes = await editBytes(before, { mode: 'rewrite', repair: false }, async (opened) => {
    const { dict } = opened.pages[page]!;
    removed = await removeAreas(
      opened,
      new Map([[dict, areas.map((area) => ('quad' in area ? area : { quad: area }))]]),
    );
    counts = removed.pages.get(dict) ?? counts;
  });
  const check = spawnSync('qpdf', ['--check', '-'], { input: bytes });
  // Without qpdf on the machine, only the other parsers are used.
  if (check.error === undefined && check.status !== null)
    expect(check.stdout.toString() + check.stderr.toString()).not.to.match(/WARNING|ERROR/);
  return { bytes, before, said: await everythingIn(bytes), text: textOf(bytes), removed: removed!, counts };
}

/** Returns the text of all pages as poppler extracts it. */
export function textOf(bytes: Uint8Array): string {
  const { stdout, error } = spawnSync('pdftotext', ['-', '-'], { input: bytes });
  return error === undefined ? stdout.toString() : '';
}

/**
 * Counts differences between two images of a page outside of quads enlarged by some points, and pixels of another
 * colour inside of the quads reduced by as much.
 */
export function compare(
  before: Uint8Array,
  after: Uint8Array,
  quads: readonly Quad[],
  { grow = 1, blank = [255, 255, 255] as readonly number[], tolerance = 12 } = {},
): { readonly outside: number; readonly inside: number } {
  const edges = quads.map((quad) => {
    const area = [0, 1, 2, 3].reduce(
      (sum, i) => sum + quad[2 * i]! * quad[(2 * i + 3) % 8]! - quad[(2 * i + 2) % 8]! * quad[2 * i + 1]!,
      0,
    );
    return { quad, sign: Math.sign(area) };
  });
  let [outside, inside] = [0, 0];
  for (let row = 0; row < 200 * SCALE; row++) {
    for (let column = 0; column < 200 * SCALE; column++) {
      const [x, y] = [(column + 0.5) / SCALE, 200 - (row + 0.5) / SCALE];
      let depth = -Infinity;
      for (const { quad, sign } of edges) {
        let least = Infinity;
        for (let i = 0; i < 4; i++) {
          const [x0, y0, x1, y1] = [quad[2 * i]!, quad[2 * i + 1]!, quad[(2 * i + 2) % 8]!, quad[(2 * i + 3) % 8]!];
          least = Math.min(
            least,
            (sign * ((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0))) / Math.hypot(x1 - x0, y1 - y0),
          );
        }
        depth = Math.max(depth, least);
      }
      const at = (row * 200 * SCALE + column) * 4;
      if (depth < -grow)
        outside += [0, 1, 2].some((i) => Math.abs(before[at + i]! - after[at + i]!) > tolerance) ? 1 : 0;
      else if (depth > grow) inside += [0, 1, 2].some((i) => Math.abs(after[at + i]! - blank[i]!) > tolerance) ? 1 : 0;
    }
  }
  return { outside, inside };
}
