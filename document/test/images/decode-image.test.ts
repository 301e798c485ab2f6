import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import sharp from 'sharp';
import { decodeImage, listImages, type Pixels } from '../../images/index.js';
import { withPdf } from '../../file/open/index.js';
import { corpus, hasProgram } from '../support.js';

/** Files with one kind of image data each, directly on their pages. */
const FILES = [
  'pdfbox/JBIG2Image.pdf',
  'pdfium/bug_1087.pdf',
  'pdfbox/multitiff.pdf',
  'pdf.js/issue5747.pdf',
  'pdfium/jpxdecode_indexed2.pdf',
  'pikepdf/pike-flate-jp2.pdf',
];

/** Images of a file by object number, as poppler's pdfimages decodes them. */
async function peers(path: string, folder: string): Promise<ReadonlyMap<number, Pixels>> {
  const rows = execFileSync('pdfimages', ['-list', path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .split('\n')
    .slice(2)
    .map((row) => row.trim().split(/\s+/));
  execFileSync('pdfimages', ['-png', path, join(folder, 'i')], { stdio: 'ignore' });
  const found = new Map<number, Pixels>();
  for (const [, number = '', kind, , , , , , , , object = ''] of rows) {
    const png = join(folder, `i-${number.padStart(3, '0')}.png`);
    if (kind !== 'image' || !existsSync(png)) continue;
    const { data, info } = await sharp(png)
      .toColourspace('srgb')
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    found.set(Number(object), { width: info.width, height: info.height, channels: 3, data });
  }
  return found;
}

/** Mean colour difference, 0 to 255; undefined for different sizes. */
function distance(own: Pixels, peer: Pixels): number | undefined {
  if (own.width !== peer.width || own.height !== peer.height) return undefined;
  let sum = 0;
  const pixels = own.width * own.height;
  for (let i = 0; i < pixels; i++)
    for (let c = 0; c < 3; c++)
      sum += Math.abs(own.data[i * own.channels + (own.channels === 1 ? 0 : c)]! - peer.data[i * 3 + c]!);
  return sum / pixels / 3;
}

describe('decoding embedded images', () => {
  for (const name of FILES) {
    it(
      'returns the same pixels as another engine: ' +
        `${name}${corpus === undefined ? ' (skipped: no ../shared/corpus)' : ''}`,
      async function () {
        const path = corpus === undefined ? '' : join(corpus, name);
        if (!existsSync(path) || !hasProgram('pdfimages')) return this.skip();
        const folder = mkdtempSync(join(tmpdir(), 'quire-images-'));
        try {
          const others = await peers(path, folder);
          let compared = 0;
          await withPdf({ path }, {}, async ({ document: { context }, pages }) => {
            for (const { stream } of listImages(context, pages)) {
              const peer = others.get(context.getObjectRef(stream)?.objectNumber ?? 0);
              const own = await decodeImage(context, stream);
              if (peer === undefined) continue;
              expect(own === undefined ? undefined : distance(own, peer)).to.be.lessThan(1);
              compared++;
            }
          });
          expect(compared).to.be.greaterThan(0);
        } finally {
          rmSync(folder, { recursive: true });
        }
      },
    );
  }
});
