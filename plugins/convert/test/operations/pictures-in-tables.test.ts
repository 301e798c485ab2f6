import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Picture, PictureFile } from '@quire/document/layout';
import { callOperation, type FormFile, readZip, serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument, rgb } from 'pdf-lib';
import sharp from 'sharp';
import { PictureFiles } from '../../src/functions/html/pictures.js';

const [ROWS, COLUMNS] = [6, 4];
const [CELL, LEFT, BOTTOM] = [80, 60, 60];

/** A page with a ruled table: words in all cells, and a photograph of its own in most. */
async function catalogue(): Promise<FormFile> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const page = pdf.addPage([500, 700]);
  const black = rgb(0, 0, 0);
  for (let row = 0; row <= ROWS; row++)
    page.drawLine({
      start: { x: LEFT, y: BOTTOM + row * CELL },
      end: { x: LEFT + COLUMNS * CELL, y: BOTTOM + row * CELL },
      color: black,
    });
  for (let column = 0; column <= COLUMNS; column++)
    page.drawLine({
      start: { x: LEFT + column * CELL, y: BOTTOM },
      end: { x: LEFT + column * CELL, y: BOTTOM + ROWS * CELL },
      color: black,
    });
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const [x, y] = [LEFT + column * CELL, BOTTOM + (ROWS - 1 - row) * CELL];
      page.drawText(`Item ${row}${column}`, { x: x + 8, y: y + 6, size: 12 });
      if (row === 0 || column === 0) continue;
      const jpeg = await sharp({
        create: {
          width: 60,
          height: 60,
          channels: 3,
          background: { r: 40 * row, g: 60 * column, b: 120 },
          noise: { type: 'gaussian', mean: 128, sigma: 40 },
        },
      })
        .jpeg()
        .toBuffer();
      page.drawImage(await pdf.embedJpg(jpeg), { x: x + 15, y: y + 22, width: 50, height: 50 });
    }
  }
  return { name: 'catalogue.pdf', bytes: await pdf.save() };
}

describe('Pictures in the cells of a table', function () {
  this.timeout(120_000);
  const server = serverForTests({ plugins: ['@quire/plugin-convert'] });

  for (const [operation, params] of [
    ['pdf/epub', {}],
    ['pdf/epub', { targetDevice: 'KINDLE_EINK_TEXT' }],
    ['pdf/html', {}],
  ] as const) {
    it(`are each a file of their own in ${operation} ${JSON.stringify(params)}`, async () => {
      const answer = await callOperation(server.url, {
        path: `convert/${operation}`,
        files: [await catalogue()],
        params,
      });
      expect(answer.status, answer.code).to.equal(200);
      const members = await readZip(answer.bytes);
      const page = members
        .filter(({ name }) => /\.x?html$/.test(name))
        .map(({ bytes }) => Buffer.from(bytes).toString('utf8'))
        .find((html) => html.includes('<table'));
      const cells = [...(page ?? '').matchAll(/<td[^>]*>(?:(?!<\/td>).)*?<img src="([^"]+)"/gs)].map(([, src]) => src!);
      expect(new Set(cells).size).to.equal((ROWS - 1) * (COLUMNS - 1));
      const names = members.map(({ name }) => name.replace(/^OEBPS\//, ''));
      expect(names).to.include.members(cells.map(decodeURIComponent));
    });
  }

  describe('added at the same time', () => {
    let folder: string;
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'quire-pictures-'));
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    const picture = (key: string): Picture => ({ key, page: 1, source: 'image', box: {} }) as unknown as Picture;
    /** Decodes the first picture slowest; `bad` cannot be decoded, `broken` throws. */
    const decode = async ({ key = '' }: Picture): Promise<PictureFile | undefined> => {
      await pause(key === 'a' ? 40 : 5);
      if (key === 'broken') throw new Error('a damaged picture');
      return key === 'bad' ? undefined : { bytes: Buffer.from(key), format: 'jpeg', width: 1, height: 1 };
    };

    it('are numbered in the order of the calls, and each is written once', async () => {
      const files = new PictureFiles({ picture: decode }, folder, (number, extension) => `${number}.${extension}`);
      const names = await Promise.all(['a', 'b', 'bad', 'a', 'c', 'b'].map((key) => files.add(picture(key))));
      expect(names).to.deep.equal(['1.jpg', '2.jpg', undefined, '1.jpg', '3.jpg', '2.jpg']);
      const written = await Promise.all(files.written.map(({ path }) => readFile(path, 'utf8')));
      expect([written, (await readdir(folder)).length]).to.deep.equal([['a', 'b', 'c'], 3]);
    });

    it('do not fail because another one does', async () => {
      const files = new PictureFiles({ picture: decode }, folder, (number) => `${number}`);
      const ends = await Promise.allSettled(['a', 'broken', 'c'].map((key) => files.add(picture(key))));
      expect(ends.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
      expect(files.written.map(({ name }) => name)).to.deep.equal(['1', '2']);
    });
  });
});
