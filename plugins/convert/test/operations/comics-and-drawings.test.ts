import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callOperation, makePdf, readZip, type OperationAnswer, serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { makeZip, type ZipEntry } from '../../../../test/http/support/zip.js';
import { naturally } from '../../src/functions/comics/comic-pictures.js';
import { unpackRar } from '../../src/functions/comics/read-rar.js';

const fixture = async (name: string) => ({
  name,
  bytes: new Uint8Array(await readFile(new URL(`../../fixtures/${name}`, import.meta.url))),
});
const picture = (width: number, height = 10): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#06c' } })
    .png()
    .toBuffer();
const sizes = async (bytes: Uint8Array): Promise<number[][]> =>
  (await PDFDocument.load(bytes)).getPages().map((page) => [page.getWidth(), page.getHeight()]);

describe('Comics and drawings over HTTP', function () {
  this.timeout(60_000);
  const server = serverForTests({ plugins: ['@quire/plugin-convert'] });

  const call = (
    path: string,
    files: readonly { name: string; bytes: Uint8Array }[],
    params: Record<string, unknown> = {},
  ): Promise<OperationAnswer> => callOperation(server.url, { path: `convert/${path}`, files, params });
  const comic = (name: string, entries: readonly ZipEntry[]) => ({ name, bytes: makeZip(entries) });

  describe('comics to PDF', () => {
    it(
      'gives the pictures in the order of their names with numbers by value, a page of their size each, and says ' +
        'what was left out',
      async () => {
        for (const name of ['comic.cbz', 'comic.cbr']) {
          const answer = await call(`${name.split('.')[1]}/pdf`, [await fixture(name)]);
          expect([answer.status, answer.fileName], name).to.deep.equal([200, 'comic_converted.pdf']);
          expect(await sizes(answer.bytes), name).to.deep.equal([
            [40, 60],
            [20, 30],
            [30, 20],
          ]);
          expect(JSON.parse(answer.headers.get('x-tool-report') ?? '{}'), name).to.deep.equal({ skipped: 1 });
        }
      },
    );

    it('goes by what the archive is, not by what it is called', async () => {
      const { bytes } = await fixture('comic.cbz');
      expect(await sizes((await call('cbr/pdf', [{ name: 'renamed.cbr', bytes }])).bytes)).to.have.length(3);
      const rar = await fixture('comic.cbr');
      expect(await sizes((await call('cbz/pdf', [{ name: 'renamed.cbz', bytes: rar.bytes }])).bytes)).to.have.length(3);
    });

    it('orders by whole paths and leaves out what a desktop left behind', async () => {
      const entries = await Promise.all(
        [
          ['ch10/1.png', 30],
          ['ch2/b.png', 20],
          ['ch2/a.png', 10],
          ['__MACOSX/ch2/._a.png', 99],
        ].map(async ([name, width]) => ({ name: String(name), bytes: await picture(Number(width)) })),
      );
      const answer = await call('cbz/pdf', [comic('Some.Series.cbz', entries)]);
      expect(answer.fileName).to.equal('Some_converted.pdf');
      expect((await sizes(answer.bytes)).map(([width]) => width)).to.deep.equal([10, 20, 30]);
      expect(['p9', 'p10', 'P1', 'p09', 'p'].sort(naturally)).to.deep.equal(['P1', 'p', 'p9', 'p09', 'p10']);
    });

    it('makes it smaller for a reader when asked', async () => {
      const noise = await sharp({
        create: {
          width: 1600,
          height: 2000,
          channels: 3,
          background: 'white',
          noise: { type: 'gaussian', mean: 128, sigma: 60 },
        },
      })
        .jpeg({ quality: 95 })
        .toBuffer();
      const file = comic('big.cbz', [{ name: '1.jpg', bytes: noise }]);
      const [plain, small] = [await call('cbz/pdf', [file]), await call('cbz/pdf', [file], { optimizeForEbook: true })];
      expect(small.bytes.length).to.be.below(plain.bytes.length * 0.8);
      expect(await sizes(small.bytes)).to.deep.equal([[1600, 2000]]);
    });

    it('refuses archives that lead out, are locked, are broken or hold nothing', async () => {
      const one = await picture(10);
      expect((await call('cbz/pdf', [comic('a.cbz', [{ name: '../../x.png', bytes: one }])])).code).to.equal(
        'ARCHIVE_UNSAFE',
      );
      expect(
        (await call('cbz/pdf', [{ name: 'a.cbz', bytes: makeZip([{ name: 'a.png', bytes: one }]).subarray(0, 60) }]))
          .code,
      ).to.equal('ARCHIVE_UNSAFE');
      const { bytes } = await fixture('comic.cbr');
      expect((await call('cbr/pdf', [{ name: 'a.cbr', bytes: bytes.slice(0, 300) }])).code).to.equal('ARCHIVE_UNSAFE');
      expect(
        (await call('cbz/pdf', [comic('a.cbz', [{ name: 'a.png', bytes: Buffer.from('nothing') }])])).json<{
          errorCode: string;
        }>().errorCode,
      ).to.equal('E016');
      const [empty] = [await call('cbz/pdf', [{ name: 'letter.txt', bytes: Buffer.from('hello') }])];
      expect([empty.status, empty.code]).to.deep.equal([415, 'INPUT_KIND']);
    });
  });

  describe('PDF to comics', () => {
    it('draws every page, annotations too, as a numbered PNG', async () => {
      const answer = await call('pdf/cbz', [await fixture('three-pages.pdf')], { dpi: 72 });
      expect([answer.headers.get('content-type'), answer.fileName]).to.deep.equal([
        'application/octet-stream',
        'three-pages_converted.cbz',
      ]);
      const entries = await readZip(answer.bytes);
      expect(entries.map(({ name }) => name)).to.deep.equal(['page_001.png', 'page_002.png', 'page_003.png']);
      const { data, info } = await sharp(entries[0]?.bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      expect([info.width, info.height]).to.deep.equal([144, 216]);
      // The yellow ground of the form field at the foot.
      expect([...data.subarray(((216 - 24) * 144 + 110) * 3, ((216 - 24) * 144 + 110) * 3 + 3)]).to.deep.equal([
        255, 255, 0,
      ]);
    });

    it('takes 150 dpi by itself and 300 for nothing or less', async () => {
      const file = { name: 'a.pdf', bytes: await makePdf({ pages: 1, size: [72, 72] }) };
      const width = async (params: Record<string, unknown>) =>
        (await sharp((await readZip((await call('pdf/cbz', [file], params)).bytes))[0]?.bytes).metadata()).width;
      expect([await width({}), await width({ dpi: 0 }), await width({ dpi: -5 })]).to.deep.equal([150, 300, 300]);
    });

    it('writes a RAR that another reader checks and unpacks, and that comes back as the same pages', async () => {
      const answer = await call('pdf/cbr', [await fixture('three-pages.pdf')], { dpi: 72 });
      expect(answer.fileName).to.equal('three-pages_converted.cbr');
      const folder = await mkdtemp(join(tmpdir(), 'quire-cbr-'));
      try {
        await writeFile(join(folder, 'a.cbr'), answer.bytes);
        const unpacked = await unpackRar(join(folder, 'a.cbr'), folder, {
          field: 'fileInput',
          signal: AbortSignal.timeout(60_000),
          wanted: () => true,
        });
        expect(unpacked.map(({ name }) => name)).to.deep.equal(['page_001.png', 'page_002.png', 'page_003.png']);
        const { width, height, format } = await sharp(await readFile(unpacked[1]?.path ?? '')).metadata();
        expect([width, height, format]).to.deep.equal([100, 200, 'png']);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
      expect(await sizes((await call('cbr/pdf', [{ name: 'again.cbr', bytes: answer.bytes }])).bytes)).to.deep.equal([
        [144, 216],
        [100, 200],
        [100, 150],
      ]);
    });
  });

  describe('SVG to PDF', () => {
    const svg = (name: string, text: string) => ({ name, bytes: Buffer.from(text) });

    it('draws vectors and text on a page of the size of the drawing', async () => {
      const answer = await call('svg/pdf', [await fixture('shapes.svg')]);
      expect([answer.fileName, await sizes(answer.bytes)]).to.deep.equal(['shapes.pdf', [[120, 80]]]);
      expect(execFileSync('pdftotext', ['-', '-'], { input: answer.bytes, encoding: 'utf8' }).trim()).to.equal(
        'Vectors',
      );
      expect(
        execFileSync('pdfimages', ['-list', '-'], { input: answer.bytes, encoding: 'utf8' }).trim().split('\n'),
      ).to.have.length(2);
    });

    it('gives a drawing without a size a page of 595 by 842, which it fills as far as its shape allows', async () => {
      const answer = await call('svg/pdf', [await fixture('unsized.svg')]);
      expect(await sizes(answer.bytes)).to.deep.equal([[595, 842]]);
      const png = execFileSync('pdftoppm', ['-r', '36', '-png', '-'], { input: answer.bytes });
      const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)];
      expect([at(150, 210), at(150, 20), at(150, 400)]).to.deep.equal([
        [0, 0x66, 0xcc],
        [255, 255, 255],
        [255, 255, 255],
      ]);
    });

    it('gives several as a zip, or as pages of one document', async () => {
      const files = [await fixture('shapes.svg'), await fixture('unsized.svg')];
      const zip = await call('svg/pdf', files);
      expect([zip.fileName, (await readZip(zip.bytes)).map(({ name }) => name)]).to.deep.equal([
        'shapes_converted_svgs.zip',
        ['shapes.pdf', 'unsized.pdf'],
      ]);
      const combined = await call('svg/pdf', files, { combineIntoSinglePdf: true });
      expect([combined.fileName, await sizes(combined.bytes)]).to.deep.equal([
        'shapes_combined.pdf',
        [
          [120, 80],
          [595, 842],
        ],
      ]);
    });

    it('leaves out what cannot be drawn where something can, and says so', async () => {
      for (const combineIntoSinglePdf of [true, false]) {
        const answer = await call(
          'svg/pdf',
          [svg('bad.svg', '<svg xmlns="http://www.w3.org/2000/svg"><g></svg>'), await fixture('shapes.svg')],
          { combineIntoSinglePdf },
        );
        expect(await sizes(answer.bytes)).to.deep.equal([[120, 80]]);
        expect(JSON.parse(answer.headers.get('x-tool-report') ?? '{}')).to.deep.equal({ skipped: 1 });
      }
    });

    it('refuses entities that grow, scripts that hide pictures, and files from elsewhere', async () => {
      const laughs =
        `<!DOCTYPE svg [<!ENTITY a "ha">` +
        `${Array.from({ length: 12 }, (_, i) => `<!ENTITY ${'abcdefghijklm'[i + 1]} "${`&${'abcdefghijklm'[i]};`.repeat(10)}">`).join('')}` +
        `]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&m;</text></svg>`;
      expect((await call('svg/pdf', [svg('laughs.svg', laughs)])).status).to.be.oneOf([400, 422]);
      for (const text of [
        '<image href="http://127.0.0.1:9/x.png"/>',
        '<image xlink:href="/etc/passwd" xmlns:xlink="http://www.w3.org/1999/xlink"/>',
        '<use href="other.svg#a"/>',
        '<style>rect{fill:url(http://127.0.0.1:9/a)}</style><rect width="5" height="5"/>',
      ]) {
        expect(
          (
            await call('svg/pdf', [
              svg('out.svg', `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${text}</svg>`),
            ])
          ).code,
          text,
        ).to.equal('IMAGE_UNREADABLE');
      }
    });
  });
});
