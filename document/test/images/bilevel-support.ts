import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import { decodeImage } from '../../images/decode-image.js';

/** Rows of runs: each run's length from the generator, with alternating colours. */
export function picture(width: number, height: number, run: (row: number, n: number) => number): Uint8Array {
  const rowBytes = Math.ceil(width / 8);
  const bits = new Uint8Array(rowBytes * height);
  for (let row = 0; row < height; row++) {
    for (let x = 0, n = 0; x < width; n++) {
      const length = Math.max(n === 0 ? 0 : 1, run(row, n));
      if (n % 2 === 1)
        for (let i = x; i < Math.min(width, x + length); i++)
          bits[row * rowBytes + (i >> 3)] = (bits[row * rowBytes + (i >> 3)] ?? 0) | (0x80 >> (i & 7));
      x += length;
    }
  }
  return bits;
}

/** A pseudo-random number, always the same. */
export const noise = (n: number): number => {
  const x = Math.sin(n * 12.9898) * 43_758.5453;
  return x - Math.floor(x);
};

const pictures: Readonly<Record<string, readonly [width: number, height: number, bits: Uint8Array]>> = {
  'every run length up to 2700': [5600, 1350, picture(5600, 1350, (row, n) => [row, row * 2, row * 2 + 1][n] ?? 3)],
  noise: [333, 120, picture(333, 120, (row, n) => Math.floor(noise(row * 700 + n) * 4))],
  'edges that lean to both sides': [211, 90, picture(211, 90, (row, n) => 12 + n + ((row % 9) - 4))],
  white: [100, 40, new Uint8Array(13 * 40)],
  black: [16, 5, new Uint8Array(10).fill(0xff)],
  'one point wide': [1, 9, Uint8Array.from({ length: 9 }, (_, i) => (i % 2) * 0x80)],
  stripes: [64, 64, picture(64, 64, () => 1)],
};

/** A document with one image of one bit per pixel, whose data has this filter. */
export async function pdfWith(
  width: number,
  height: number,
  data: Uint8Array,
  filter: Readonly<Record<string, string | Record<string, number | boolean>>>,
): Promise<{ readonly pdf: PDFDocument; readonly image: PDFRawStream }> {
  const pdf = await PDFDocument.create();
  const { context } = pdf;
  const image = PDFRawStream.of(
    context.obj({
      Type: 'XObject',
      Subtype: 'Image',
      Width: width,
      Height: height,
      BitsPerComponent: 1,
      ColorSpace: 'DeviceGray',
      ...filter,
    }),
    data,
  );
  const page = pdf.addPage([100, 100]).node;
  page.set(PDFName.of('Resources'), context.obj({ XObject: { I: context.register(image) } }));
  page.set(PDFName.of('Contents'), context.register(context.stream('q 100 0 0 100 0 0 cm /I Do Q')));
  return { pdf, image };
}

/** The number of points that differ between samples, rows padded to bytes, and decoded grey pixels. */
function differences(
  bits: Uint8Array,
  width: number,
  height: number,
  found: { readonly data: Uint8Array; readonly channels: number },
): number {
  return Array.from({ length: width * height }, (_, i) => i).filter((i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const sample = ((bits[y * Math.ceil(width / 8) + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
    return (found.data[i * found.channels] ?? 0) > 127 !== (sample === 1);
  }).length;
}

const hasPdfimages = ((): boolean => {
  try {
    execFileSync('pdfimages', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Tests that other programs decode every picture to its samples. */
export function itIsDecoded(
  coded: (width: number, height: number, bits: Uint8Array) => ReturnType<typeof pdfWith>,
): void {
  for (const [title, [width, height, bits]] of Object.entries(pictures)) {
    it(`is decoded correctly by PDFium: ${title}`, async () => {
      const { pdf, image } = await coded(width, height, bits);
      const found = await decodeImage(pdf.context, image);
      if (found === undefined) return expect.fail('not decoded');
      expect(differences(bits, width, height, found), 'points that differ').to.equal(0);
    });

    it(`is decoded correctly by poppler: ${title}`, async function () {
      if (!hasPdfimages) return this.skip();
      expect(await popplerAgrees((await coded(width, height, bits)).pdf, bits, width, height)).to.equal(true);
    });
  }
}

/** True when poppler decodes the document's image to these samples. */
async function popplerAgrees(pdf: PDFDocument, bits: Uint8Array, width: number, height: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-bilevel-'));
  try {
    writeFileSync(join(folder, 'in.pdf'), await pdf.save());
    execFileSync('pdfimages', [join(folder, 'in.pdf'), join(folder, 'out')]);
    const name = readdirSync(folder).find((file) => file.startsWith('out')) ?? '';
    const file = readFileSync(join(folder, name));
    // PBM: `P4`, sizes, then bits with 1 for black; DeviceGray shows a sample of 1 white.
    const rowBytes = Math.ceil(width / 8);
    const data = file.subarray(file.length - rowBytes * height);
    const padding = 0xff << (rowBytes * 8 - width);
    return data.every((byte, i) => {
      const mask = (i + 1) % rowBytes === 0 ? padding & 0xff : 0xff;
      return ((byte ^ 0xff) & mask) === ((bits[i] ?? 0) & mask);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
