import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { ReaderOptions } from 'zxing-wasm/reader';

/** Rows of pixels: each one byte of grey, or red, green, blue and one ignored byte. */
export interface CodePixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

const OPTIONS: ReaderOptions = {
  formats: ['QRCode'],
  tryHarder: true,
  tryRotate: true,
  tryInvert: true,
  tryDownscale: true,
  maxNumberOfSymbols: 16,
};

type Reader = (pixels: CodePixels) => Promise<string[]>;
let reader: Promise<Reader> | undefined;

/** Returns the texts of the QR codes in an image: upright, rotated or mirrored, dark on light or light on dark. */
export async function readQrCodes(pixels: CodePixels): Promise<string[]> {
  reader ??= start();
  return (await reader)(pixels);
}

/** By default the library downloads its WebAssembly; it gets the file of its package instead. */
async function start(): Promise<Reader> {
  const [{ prepareZXingModule, readBarcodes }, wasm] = await Promise.all([
    import('zxing-wasm/reader'),
    readFile(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')),
  ]);
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });
  return async ({ width, height, data }) => {
    const image =
      data.length === width * height
        ? // A PGM file: the library has no other input of grey pixels, and four bytes for each cost much more time.
          Buffer.concat([Buffer.from(`P5 ${width} ${height} 255\n`, 'latin1'), data])
        : ({
            width,
            height,
            data: new Uint8ClampedArray(data.buffer as ArrayBuffer, data.byteOffset, data.length),
            colorSpace: 'srgb',
          } as const);
    return (await readBarcodes(image, OPTIONS)).filter(({ isValid }) => isValid).map(({ text }) => text);
  };
}
