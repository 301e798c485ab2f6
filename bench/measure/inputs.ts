import { randomFillSync } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import sharp from 'sharp';

/** Where inputs and outputs of measurements lie. */
export const benchFolder = join(tmpdir(), 'quire-bench');

/** Words of a text that packs as well as real prose does. */
const vocabulary = Array.from({ length: 4000 }, (_, i) => Array.from({ length: 2 + (i % 4) }, (_, k) => ['an', 'be', 'ro', 'ti', 'ex', 'lu', 'mo', 'st', 'di', 'qua', 'ne', 'vi'][Math.floor(hash(i * 7 + k) * 12)]).join(''));

/** A number from 0 to 1 that looks random and is always the same. */
function hash(n: number): number {
  const x = Math.sin(n * 12.9898) * 43_758.5453;
  return x - Math.floor(x);
}

/** A PDF of text pages: some 3 kB a page, as a page of prose has. Gives its path. */
export function textPdf(pages: number, label = 'text'): Promise<string> {
  return cached(`${label}-${pages}-prose.pdf`, async () => {
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.Helvetica);
    const seed = [...label].reduce((sum, character) => sum + character.charCodeAt(0), 0);
    for (let n = 1; n <= pages; n++) {
      const page = document.addPage([595, 842]);
      // Set once: named at each line, the font would get sixty names on every page, which no real writer gives it.
      page.setFont(font);
      for (let line = 0; line < 60; line++) {
        const words = Array.from({ length: 14 }, (_, k) => vocabulary[Math.floor(hash(seed * 31 + n * 6007 + line * 97 + k) ** 2 * vocabulary.length)]);
        page.drawText(`${line === 0 ? `${label} page ${n} ` : ''}${words.join(' ')}`, { x: 40, y: 800 - line * 12.5, size: 9 });
      }
    }
    return document.save({ useObjectStreams: false });
  });
}

/** A PDF of noise photographs, as big as asked for or a little more. Gives its path. */
export function photoPdf(megabytes: number): Promise<string> {
  return cached(`photos-${megabytes}mb.pdf`, async () => {
    const document = await PDFDocument.create();
    const [width, height] = [2480, 3508];
    for (let size = 0; size < megabytes * 1024 * 1024;) {
      const noise = randomFillSync(Buffer.alloc(width * height * 3));
      const jpeg = await sharp(noise, { raw: { width, height, channels: 3 } }).jpeg({ quality: 90 }).toBuffer();
      size += jpeg.length;
      const image = await document.embedJpg(jpeg);
      document.addPage([595, 842]).drawImage(image, { x: 0, y: 0, width: 595, height: 842 });
    }
    return document.save();
  });
}

async function cached(name: string, make: () => Promise<Uint8Array>): Promise<string> {
  await mkdir(benchFolder, { recursive: true });
  const path = join(benchFolder, name);
  if (await readFile(path).then(() => true, () => false)) return path;
  await writeFile(`${path}.part`, await make());
  await rename(`${path}.part`, path);
  return path;
}
