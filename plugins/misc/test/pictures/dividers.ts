import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type PDFDocument, type PDFPage, rgb } from 'pdf-lib';
import sharp, { type Sharp } from 'sharp';

/** One of the texts on printed divider sheets (`docs/interface/misc.yml`, auto-split-pdf). */
export const dividerText = 'https://stirlingpdf.com';

/** A QR code as rows of modules, without its quiet zone. */
export interface Code {
  readonly side: number;
  isDark(x: number, y: number): boolean;
}

/** Encodes a text. */
async function codeOf(text: string): Promise<Code> {
  const { prepareZXingModule, writeBarcode } = await import('zxing-wasm/writer');
  prepareZXingModule({ overrides: { wasmBinary: await wasm() } });
  const { symbol, error } = await writeBarcode(text, { format: 'QRCode', ecLevel: 'M' });
  if (error !== '' && error !== undefined) throw new Error(error);
  const { width, data } = symbol;
  return { side: width, isDark: (x, y) => (data[y * width + x] ?? 255) < 128 };
}

async function wasm(): Promise<ArrayBuffer> {
  const bytes = await readFile(createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm'));
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}

/** Draws a code as vectors, its lower left corner at x and y; white on black with `inverted`. */
export async function drawCode(
  page: PDFPage,
  text: string,
  { x, y, size, inverted = false }: { x: number; y: number; size: number; inverted?: boolean },
): Promise<void> {
  const code = await codeOf(text);
  const module = size / code.side;
  const white = rgb(1, 1, 1);
  if (inverted)
    page.drawRectangle({
      x: x - 4 * module,
      y: y - 4 * module,
      width: size + 8 * module,
      height: size + 8 * module,
      color: rgb(0, 0, 0),
    });
  for (let row = 0; row < code.side; row++) {
    for (let column = 0; column < code.side; column++) {
      if (code.isDark(column, row))
        page.drawRectangle({
          x: x + column * module,
          y: y + (code.side - 1 - row) * module,
          width: module,
          height: module,
          color: inverted ? white : rgb(0, 0, 0),
        });
    }
  }
}

/** A code as pixels with its quiet zone, `scale` pixels per module. */
export async function codePicture(text: string, scale: number): Promise<Sharp> {
  const code = await codeOf(text);
  const side = code.side + 8;
  const data = new Uint8Array(side * side).map((_none, i) =>
    code.isDark((i % side) - 4, Math.floor(i / side) - 4) ? 0 : 255,
  );
  for (let i = 0; i < data.length; i++) {
    const [x, y] = [(i % side) - 4, Math.floor(i / side) - 4];
    if (x < 0 || y < 0 || x >= code.side || y >= code.side) data[i] = 255;
  }
  const png = await sharp(data, { raw: { width: side, height: side, channels: 1 } })
    .toColourspace('b-w')
    .resize(side * scale, side * scale, { kernel: 'nearest' })
    .png()
    .toBuffer();
  return sharp(png);
}

/** A scanned divider sheet: the code rotated by an angle, on grey paper with noise, as a JPEG. */
export async function scannedSheet(
  text: string,
  { angle, scale, noise, inverted = false }: { angle: number; scale: number; noise: number; inverted?: boolean },
): Promise<Buffer> {
  const [width, height] = [850, 1100];
  const paper = 235;
  let picture = (await codePicture(text, scale)).rotate(angle, { background: '#ffffff' });
  if (inverted) picture = picture.negate();
  const grey = await sharp({ create: { width, height, channels: 3, background: { r: paper, g: paper, b: paper } } })
    .composite([{ input: await picture.png().toBuffer(), left: 250, top: 300 }])
    .greyscale()
    .raw()
    .toBuffer();
  let state = 7;
  const noisy = grey.map((value) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.min(255, Math.max(0, value + ((state / 2_147_483_648) * 2 - 1) * noise));
  });
  return sharp(noisy, { raw: { width, height, channels: 1 } })
    .blur(0.6)
    .jpeg({ quality: 60 })
    .toBuffer();
}

/** Adds a page with one image. */
export async function addScan(document: PDFDocument, jpeg: Uint8Array, turned = 0): Promise<PDFPage> {
  const image = await document.embedJpg(jpeg);
  const page = document.addPage([image.width * 0.72, image.height * 0.72]);
  page.drawImage(image, { x: 0, y: 0, width: page.getWidth(), height: page.getHeight() });
  if (turned !== 0) page.setRotation({ type: 'degrees' as never, angle: turned });
  return page;
}
