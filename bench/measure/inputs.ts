import { randomFillSync } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { encodeG4 } from '@quire/document/images';
import { PDFDocument, PDFName, StandardFonts } from 'pdf-lib';
import sharp, { type Sharp } from 'sharp';
import { GhostscriptPdfToPdfA, ProgramSupervisor } from '../../core/engines/programs/index.js';
import { loadSettings } from '../../core/settings/index.js';

/** Folder of the inputs and outputs of measurements. */
export const benchFolder = join(tmpdir(), 'quire-bench');

/** Words of a text that compresses as well as real prose does. */
const vocabulary = Array.from({ length: 4000 }, (_, i) =>
  Array.from(
    { length: 2 + (i % 4) },
    (_, k) =>
      ['an', 'be', 'ro', 'ti', 'ex', 'lu', 'mo', 'st', 'di', 'qua', 'ne', 'vi'][Math.floor(hash(i * 7 + k) * 12)],
  ).join(''),
);

/** Returns a pseudo-random number from 0 to 1, always the same for `n`. */
export function hash(n: number): number {
  const x = Math.sin(n * 12.9898) * 43_758.5453;
  return x - Math.floor(x);
}

/** Creates a PDF of text pages of about 3 kB each, as a page of prose has. Returns its path. */
export function textPdf(pages: number, label = 'text'): Promise<string> {
  return cached(`${label}-${pages}-prose.pdf`, async () => {
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.Helvetica);
    const seed = [...label].reduce((sum, character) => sum + character.charCodeAt(0), 0);
    for (let n = 1; n <= pages; n++) {
      const page = document.addPage([595, 842]);
      // Set once: with a font per line the page would get sixty font names, which no real writer produces.
      page.setFont(font);
      for (let line = 0; line < 60; line++) {
        const words = Array.from(
          { length: 14 },
          (_, k) => vocabulary[Math.floor(hash(seed * 31 + n * 6007 + line * 97 + k) ** 2 * vocabulary.length)],
        );
        page.drawText(`${line === 0 ? `${label} page ${n} ` : ''}${words.join(' ')}`, {
          x: 40,
          y: 800 - line * 12.5,
          size: 9,
        });
      }
    }
    return document.save({ useObjectStreams: false });
  });
}

/** Converts the document to PDF/A-2b with Ghostscript. Returns the path of the result. */
export async function pdfA(path: string): Promise<string> {
  return cached(`${basename(path, '.pdf')}-2b.pdf`, async () => {
    const folder = await mkdtemp(join(benchFolder, 'pdfa-'));
    const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
    try {
      await new GhostscriptPdfToPdfA(new ProgramSupervisor(loadSettings({ env: {}, cwd: folder }), log)).convert(
        { part: 2, conformance: 'B' },
        path,
        join(folder, 'out.pdf'),
        AbortSignal.timeout(300_000),
      );
      return await readFile(join(folder, 'out.pdf'));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

/** Creates a PDF of noisy photographs of at least the requested size. Returns its path. */
export function photoPdf(megabytes: number): Promise<string> {
  return cached(`photos-${megabytes}mb.pdf`, async () => {
    const document = await PDFDocument.create();
    // A whole page of noise takes seven megabytes.
    const scale = Math.min(1, Math.sqrt(megabytes / 7));
    const [width, height] = [Math.round(2480 * scale), Math.round(3508 * scale)];
    for (let size = 0; size < megabytes * 1024 * 1024;) {
      const noise = randomFillSync(Buffer.alloc(width * height * 3));
      const jpeg = await sharp(noise, { raw: { width, height, channels: 3 } })
        .jpeg({ quality: 90 })
        .toBuffer();
      size += jpeg.length;
      const image = await document.embedJpg(jpeg);
      document.addPage([595, 842]).drawImage(image, { x: 0, y: 0, width: 595, height: 842 });
    }
    return document.save();
  });
}

/** Creates scanned pages in black and white at 300 dpi with rough edges, stored as fax data. Returns the path. */
export function blackAndWhitePdf(pages = 2): Promise<string> {
  return cached(`black-and-white-${pages}.pdf`, async () => {
    const document = await PDFDocument.create();
    for (let n = 0; n < pages; n++) {
      const { data, info } = await textPage(n).greyscale().raw().toBuffer({ resolveWithObject: true });
      const rowBytes = Math.ceil(info.width / 8);
      const bits = new Uint8Array(rowBytes * info.height);
      for (let i = 0; i < info.width * info.height; i++) {
        const [x, y] = [i % info.width, Math.floor(i / info.width)];
        if ((data[i * info.channels] ?? 0) + (hash(i + n) - 0.5) * 140 < 128)
          bits[y * rowBytes + (x >> 3)] = (bits[y * rowBytes + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
      }
      const { context } = document;
      const entries = { Type: 'XObject', Subtype: 'Image', Width: info.width, Height: info.height };
      const image = context.stream(encodeG4(bits, info.width, info.height), {
        ...entries,
        BitsPerComponent: 1,
        ColorSpace: 'DeviceGray',
        Filter: 'CCITTFaxDecode',
        DecodeParms: { K: -1, Columns: info.width, Rows: info.height, BlackIs1: false },
      });
      const { node } = document.addPage([595, 842]);
      node.setXObject(PDFName.of('I'), context.register(image));
      node.set(PDFName.of('Contents'), context.register(context.stream('q 595 0 0 842 0 0 cm /I Do Q')));
    }
    return document.save({ useObjectStreams: false });
  });
}

/** A page of 45 lines of text at 300 dpi. */
function textPage(n: number): Sharp {
  const wordAt = (place: number): string | undefined => vocabulary[Math.floor(hash(place) * vocabulary.length)];
  const lines = Array.from({ length: 45 }, (_, line) => {
    const words = Array.from({ length: 11 }, (_unused, k) => wordAt(n * 313 + line * 17 + k)).join(' ');
    return `<text x="200" y="${300 + line * 66}" font-size="44" font-family="serif">${words}</text>`;
  });
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="2480" height="3508"><rect width="100%" height="100%" ` +
        `fill="#f4f2ee"/>${lines.join('')}</svg>`,
    ),
  ).removeAlpha();
}

/** Returns the path of an input in the folder of inputs; makes it when it is missing. */
export async function cached(name: string, make: () => Promise<Uint8Array>): Promise<string> {
  await mkdir(benchFolder, { recursive: true });
  const path = join(benchFolder, name);
  if (
    await readFile(path).then(
      () => true,
      () => false,
    )
  )
    return path;
  await writeFile(`${path}.part`, await make());
  await rename(`${path}.part`, path);
  return path;
}

/** A smooth image with edges and a little grain, which compresses as photographs do. */
export async function photograph(width: number, height: number, seed: number): Promise<Sharp> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>${Array.from(
    { length: 12 },
    (_, i) =>
      `<radialGradient id="g${i}"><stop offset="0" stop-color="hsl(${Math.round(hash(seed + i) * 360)},60%,` +
      `${30 + Math.round(hash(seed - i) * 50)}%)"/><stop offset="1" stop-color="hsl(` +
      `${Math.round(hash(seed + i * 3) * 360)},50%,30%)" stop-opacity="0"/></radialGradient>`,
  ).join('')}</defs><rect width="100%" height="100%" fill="#8ab"/>${Array.from(
    { length: 60 },
    (_, i) =>
      `<ellipse cx="${hash(seed * 5 + i) * width}" cy="${hash(seed * 7 + i) * height}" rx="` +
      `${40 + (hash(i + seed) * width) / 4}" ry="${30 + (hash(i * 2 + seed) * height) / 4}" fill="url(#g${i % 12}` +
      `)"/>`,
  ).join('')}</svg>`;
  const { data, info } = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  for (let i = 0; i < data.length; i++)
    data[i] = Math.min(255, Math.max(0, (data[i] ?? 0) + Math.round((hash(i + seed) - 0.5) * 12)));
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } });
}

/** Creates six pages with a photograph of 300 dpi, a losslessly stored drawing, and text. Returns the path. */
export function brochurePdf(): Promise<string> {
  return cached('brochure.pdf', async () => {
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.TimesRoman);
    for (let n = 0; n < 6; n++) {
      const page = document.addPage([595, 842]);
      const photo = await document.embedJpg(
        await (await photograph(1800, 1200, n * 17 + 1)).jpeg({ quality: 92 }).toBuffer(),
      );
      page.drawImage(photo, { x: 60, y: 480, width: 432, height: 288 });
      const drawing = await document.embedPng(await (await photograph(700, 400, n * 29 + 5)).png().toBuffer());
      page.drawImage(drawing, { x: 60, y: 330, width: 200, height: 114 });
      for (let line = 0; line < 18; line++)
        page.drawText(
          Array.from(
            { length: 11 },
            (_, k) => vocabulary[Math.floor(hash(n * 997 + line * 31 + k) * vocabulary.length)],
          ).join(' '),
          { x: 60, y: 300 - line * 14, size: 11, font },
        );
    }
    return document.save();
  });
}

/** Creates scanned pages: a grey image of text at 300 dpi each. Returns the path. */
export function scanPdf(pages = 4): Promise<string> {
  return cached(pages === 4 ? 'scan.pdf' : `scan-${pages}.pdf`, async () => {
    const document = await PDFDocument.create();
    for (let n = 0; n < pages; n++) {
      const page = await textPage(n).raw().toBuffer({ resolveWithObject: true });
      for (let i = 0; i < page.data.length; i++)
        page.data[i] = Math.min(255, Math.max(0, (page.data[i] ?? 0) + Math.round((hash(i + n) - 0.5) * 10)));
      const image = await document.embedJpg(
        await sharp(page.data, { raw: { width: page.info.width, height: page.info.height, channels: 3 } })
          .jpeg({ quality: 85 })
          .toBuffer(),
      );
      document.addPage([595, 842]).drawImage(image, { x: 0, y: 0, width: 595, height: 842 });
    }
    return document.save();
  });
}
