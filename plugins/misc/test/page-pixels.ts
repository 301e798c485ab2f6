import { readFile } from 'node:fs/promises';
import { withDocument } from '@quire/document/engines/pdfium';
import { renderPage } from '@quire/document/engines/rendering';

/** A fixture of this plugin. */
export async function fixture(name: string): Promise<Uint8Array> {
  return new Uint8Array(await readFile(new URL(`../fixtures/${name}`, import.meta.url)));
}

/** Text of a page, 0-based. */
export function pageText(bytes: Uint8Array, page = 0): Promise<string> {
  return withDocument(bytes, {}, (document) => document.pageText(page));
}

/** The code of the error that a promise is rejected with. */
export function refusal(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => (error as { code?: string }).code,
  );
}

/** The inked area of a page, in points from its lower left corner as shown. */
export interface InkBox {
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly top: number;
}

const SCALE = 2;

/**
 * The box around the pixels of a page in a colour: far more red, green or blue than anything else; undefined if there
 * are none.
 */
export async function inkOf(
  bytes: Uint8Array,
  page: number,
  colour: 'red' | 'green' | 'blue',
): Promise<InkBox | undefined> {
  return withDocument(bytes, {}, (document) => {
    const geometry = document.pageGeometry(page);
    const [width, height] = [Math.round(geometry.width * SCALE), Math.round(geometry.height * SCALE)];
    const pixels = renderPage(document, page, { width, height, annotations: true });
    const channel = { red: 0, green: 1, blue: 2 }[colour];
    let box: { left: number; bottom: number; right: number; top: number } | undefined;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const at = (y * width + x) * 4;
        const others = [0, 1, 2].filter((i) => i !== channel).map((i) => pixels[at + i]!);
        if (pixels[at + channel]! - Math.max(...others) < 90) continue;
        const [px, py] = [x / SCALE, (height - y) / SCALE];
        box =
          box === undefined
            ? { left: px, right: px + 1 / SCALE, top: py, bottom: py - 1 / SCALE }
            : {
                left: Math.min(box.left, px),
                right: Math.max(box.right, px + 1 / SCALE),
                top: Math.max(box.top, py),
                bottom: Math.min(box.bottom, py - 1 / SCALE),
              };
      }
    }
    return box;
  });
}

/** The colour of a page at a point from its lower left corner as shown. */
export async function colourAt(bytes: Uint8Array, page: number, x: number, y: number): Promise<number[]> {
  return withDocument(bytes, {}, (document) => {
    const geometry = document.pageGeometry(page);
    const [width, height] = [Math.round(geometry.width * SCALE), Math.round(geometry.height * SCALE)];
    const pixels = renderPage(document, page, { width, height, annotations: true });
    const at = (Math.round(height - y * SCALE) * width + Math.round(x * SCALE)) * 4;
    return [...pixels.subarray(at, at + 3)];
  });
}
