import { readFile } from 'node:fs/promises';
import { type EachOperation, type RunContext, sniffKind } from '@quire/registry';
import { type FakeContextOptions, fakeContext, fakeFile } from '@quire/plugin-kit';
import { withDocument } from '@quire/document/engines/pdfium';
import { renderPage } from '@quire/document/engines/rendering';

/** Reads a fixture of this plugin. */
export async function fixture(name: string): Promise<Uint8Array> {
  return new Uint8Array(await readFile(new URL(`../../fixtures/${name}`, import.meta.url)));
}

/** Runs an operation on one file and returns the result's bytes. Throws the operation's errors. */
export async function runOn<P extends object>(
  operation: EachOperation<P>,
  bytes: Uint8Array,
  params: P,
  options: FakeContextOptions = {},
): Promise<Uint8Array> {
  const context = await fakeContext(options);
  try {
    const result = await operation.run(fakeFile('in.pdf', bytes), Object.freeze(params), context as RunContext);
    if ('json' in result || result[0] === undefined) throw new TypeError('it gives one file');
    const out = await context.read(result[0]);
    if (sniffKind(out.subarray(0, 1024), 'out.pdf') !== 'pdf') throw new TypeError('it gives a PDF');
    return out;
  } finally {
    await context.cleanup();
  }
}

/** A rendered page: RGB, rows from the top. */
export interface Drawn {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  /** Colour at a point, in points from the lower left of the visible page. */
  at(x: number, y: number): readonly [number, number, number];
}

/** Renders a page (0-based) with PDFium at `scale` pixels per point. */
export function drawPage(bytes: Uint8Array, page = 0, scale = 1): Promise<Drawn> {
  return withDocument(bytes, {}, (document) => {
    const shown = document.pageGeometry(page);
    const size = { width: Math.round(shown.width * scale), height: Math.round(shown.height * scale) };
    const rgba = renderPage(document, page, { ...size, annotations: true });
    const pixels = new Uint8Array(size.width * size.height * 3);
    for (let i = 0; i < size.width * size.height; i++) pixels.set(rgba.subarray(i * 4, i * 4 + 3), i * 3);
    const at = (x: number, y: number): readonly [number, number, number] => {
      const i = ((size.height - 1 - Math.floor(y * scale)) * size.width + Math.floor(x * scale)) * 3;
      return [pixels[i] ?? 0, pixels[i + 1] ?? 0, pixels[i + 2] ?? 0];
    };
    return { ...size, pixels, at };
  });
}

/** Text of a page (0-based) as PDFium reads it. */
export function pageText(bytes: Uint8Array, page = 0): Promise<string> {
  return withDocument(bytes, {}, (document) => document.pageText(page));
}

/** Mean difference of two rendered pages in levels of 255; infinite for different sizes. */
export function meanDifference(a: Drawn, b: Drawn): number {
  if (a.pixels.length !== b.pixels.length) return Infinity;
  return a.pixels.reduce((sum, level, i) => sum + Math.abs(level - (b.pixels[i] ?? 0)), 0) / a.pixels.length;
}

/** The code of a promise's rejection; undefined if it resolves. */
export function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => (error as { code?: string }).code ?? String(error),
  );
}
