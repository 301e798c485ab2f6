import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer, type QuireServer } from '@quire/core';
import { callOperation, type FormFile, makePdf, type OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';
import { degrees, PDFDocument, rgb } from 'pdf-lib';

const has = (command: string, ...args: string[]): boolean => spawnSync(command, args).error === undefined;
const fixture = async (name: string): Promise<FormFile> => ({
  name,
  bytes: new Uint8Array(await readFile(new URL(`../../fixtures/${name}`, import.meta.url))),
});

/**
 * Two pages of different sizes, one of them turned, with marks in the corners that must come out where they are seen.
 */
async function marked(): Promise<FormFile> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  for (const [size, turn] of [
    [[200, 300], 0],
    [[160, 120], 90],
  ] as const) {
    const page = pdf.addPage([...size]);
    page.setRotation(degrees(turn));
    page.drawRectangle({ x: 10, y: 10, width: 50, height: 30, color: rgb(0.9, 0.1, 0.1) });
    page.drawRectangle({ x: size[0] - 40, y: size[1] - 60, width: 30, height: 50, color: rgb(0.1, 0.2, 0.8) });
  }
  return { name: 'marked.pdf', bytes: await pdf.save() };
}

describe('Page languages over HTTP', function () {
  this.timeout(120_000);
  let server: QuireServer;
  let url: string;
  let folder: string;
  before(async function () {
    if (!has('gs', '--version')) return this.skip();
    server = await createTestServer({ plugins: ['@quire/plugin-convert'] });
    url = await server.start();
    folder = await mkdtemp(join(tmpdir(), 'quire-vector-'));
  });
  after(async () => {
    await server?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  const call = (
    path: string,
    file: FormFile,
    params: Record<string, unknown> = {},
    base = url,
  ): Promise<OperationAnswer> => callOperation(base, { path: `convert/${path}`, files: [file], params });
  const faultyField = (answer: OperationAnswer): string | undefined =>
    answer.json<{ errors?: { pointer: string }[] }>().errors?.[0]?.pointer;

  /** The pages as poppler draws them, a point a pixel: width, height, colours. */
  const draw = async (bytes: Uint8Array): Promise<{ width: number; height: number; samples: Buffer }[]> => {
    await writeFile(join(folder, 'draw.pdf'), bytes);
    const data = execFileSync('pdftoppm', ['-r', '72', join(folder, 'draw.pdf')], { maxBuffer: 1e8 });
    const pages: { width: number; height: number; samples: Buffer }[] = [];
    for (let at = 0; at < data.length;) {
      const [head = '', width, height] = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(data.toString('latin1', at, at + 40)) ?? [];
      const from = at + head.length;
      at = from + Number(width) * Number(height) * 3;
      pages.push({ width: Number(width), height: Number(height), samples: data.subarray(from, at) });
    }
    return pages;
  };
  const difference = (a: Buffer, b: Buffer): number =>
    a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] ?? 0)), 0) / a.length / 255;

  describe('pdf/vector', () => {
    it('writes all pages as PostScript that draws the same pages, in any case of the format', async () => {
      const source = await marked();
      const answer = await call('pdf/vector', source, { outputFormat: 'PS', prepress: true });
      expect([answer.status, answer.fileName, answer.headers.get('content-type')]).to.deep.equal([
        200,
        'marked_converted.ps',
        'application/postscript',
      ]);
      const back = await draw((await call('vector/pdf', { name: 'a.ps', bytes: answer.bytes })).bytes);
      const before = await draw(source.bytes);
      expect(back.map(({ width, height }) => [width, height])).to.deep.equal([
        [200, 300],
        [120, 160],
      ]);
      for (const [i, page] of back.entries()) expect(difference(page.samples, before[i]!.samples)).to.be.lessThan(0.01);
    });

    it('writes EPS by default: all pages in one, stacked, since EPS has one', async () => {
      const source = await marked();
      const answer = await call('pdf/vector', source);
      expect([answer.status, answer.fileName, answer.headers.get('content-type')]).to.deep.equal([
        200,
        'marked_converted.eps',
        'application/postscript',
      ]);
      expect(Buffer.from(answer.bytes).toString('latin1', 0, 400))
        .to.match(/^%!PS-Adobe-3\.0 EPSF-3\.0/)
        .and.match(/%%Pages: 1|%%BoundingBox/);
      const [single, ...more] = await draw((await call('vector/pdf', { name: 'a.eps', bytes: answer.bytes })).bytes);
      expect(more).to.have.length(0);
      const before = await draw(source.bytes);
      const stacked = Buffer.alloc(200 * 460 * 3, 255);
      let top = 0;
      for (const { width, height, samples } of before) {
        for (let row = 0; row < height; row++)
          samples.copy(stacked, (top + row) * 200 * 3, row * width * 3, (row + 1) * width * 3);
        top += height;
      }
      // EPS ends where its marks end: ten points from each edge here.
      expect([single!.width, single!.height]).to.deep.equal([180, 440]);
      const cropped = Buffer.concat(
        Array.from({ length: 440 }, (_unused, row) =>
          stacked.subarray(((row + 10) * 200 + 10) * 3, ((row + 10) * 200 + 190) * 3),
        ),
      );
      expect(difference(single!.samples, cropped)).to.be.lessThan(0.01);
    });

    it('writes XPS that another reader draws alike, and PCL XL', async () => {
      const source = await marked();
      const pcl = await call('pdf/vector', source, { outputFormat: 'pcl' });
      expect([pcl.status, pcl.fileName, pcl.headers.get('content-type')]).to.deep.equal([
        200,
        'marked_converted.pcl',
        'application/vnd.hp-PCL',
      ]);
      expect(Buffer.from(pcl.bytes).toString('latin1', 0, 200))
        .to.contain('\u001b%-12345X')
        .and.contain('HP-PCL XL');
      const xps = await call('pdf/vector', source, { outputFormat: 'xps' });
      expect([xps.status, xps.fileName, xps.headers.get('content-type')]).to.deep.equal([
        200,
        'marked_converted.xps',
        'application/vnd.ms-xpsdocument',
      ]);
      if (!has('mutool', '-v')) return;
      await writeFile(join(folder, 'a.xps'), xps.bytes);
      execFileSync('mutool', ['draw', '-q', '-r', '72', '-o', join(folder, 'xps-%d.ppm'), join(folder, 'a.xps')]);
      const before = await draw(source.bytes);
      for (const [i, { samples }] of before.entries()) {
        const data = await readFile(join(folder, `xps-${i + 1}.ppm`));
        expect(difference(data.subarray(data.length - samples.length), samples)).to.be.lessThan(0.02);
      }
    });

    it('refuses formats that it does not know, and locked or damaged documents', async () => {
      const source = { name: 'a.pdf', bytes: await makePdf({ pages: 1 }) };
      const unknown = await call('pdf/vector', source, { outputFormat: 'svg' });
      expect([unknown.status, faultyField(unknown)]).to.deep.equal([400, '/outputFormat']);
      expect((await call('pdf/vector', await fixture('header-only.pdf'))).status).to.equal(400);
    });
  });

  describe('vector/pdf', () => {
    it('converts PostScript to PDF 1.4, and crops EPS to its bounding box, also in DOS format', async () => {
      const pages = await call('vector/pdf', await fixture('two-pages.ps'));
      expect([pages.status, pages.fileName, Buffer.from(pages.bytes).toString('latin1', 0, 8)]).to.deep.equal([
        200,
        'two-pages_converted.pdf',
        '%PDF-1.4',
      ]);
      expect((await draw(pages.bytes)).map(({ width, height }) => [width, height])).to.deep.equal([
        [200, 300],
        [300, 200],
      ]);
      for (const name of ['drawing.eps', 'for-dos.epsf']) {
        const answer = await call('vector/pdf', await fixture(name), { prepress: true, outputFormat: 'XPS' });
        expect(answer.status, name).to.equal(200);
        const [page] = await draw(answer.bytes);
        expect([page!.width, page!.height], name).to.deep.equal([120, 80]);
        const pixel = (x: number): number[] =>
          [...page!.samples.subarray((40 * 120 + x) * 3, (40 * 120 + x) * 3 + 3)].map((value) =>
            Math.round(value / 25.5),
          );
        expect([pixel(20), pixel(100)], name).to.deep.equal([
          [1, 4, 8],
          [9, 6, 0],
        ]);
      }
    });

    it('hands a PDF on byte for byte', async () => {
      const source = await fixture('three-pages.pdf');
      const answer = await call('vector/pdf', source);
      expect([answer.fileName, Buffer.compare(answer.bytes, source.bytes)]).to.deep.equal([
        'three-pages_converted.pdf',
        0,
      ]);
    });

    it(
      'refuses PCL and XPS, unknown formats, PostScript with an error, and takes nothing that only is called ' +
        'PostScript',
      async () => {
        const postScript = (text: string): FormFile => ({ name: 'a.ps', bytes: new TextEncoder().encode(text) });
        const xps = (await call('pdf/vector', await fixture('three-pages.pdf'), { outputFormat: 'xps' })).bytes;
        for (const file of [
          await fixture('page.pcl'),
          { name: 'a.xps', bytes: xps },
          await fixture('broken.ps'),
          postScript('just words'),
          postScript('%!PS\n(/etc/passwd) (r) file pop showpage'),
        ]) {
          const answer = await call('vector/pdf', file);
          expect([answer.status, answer.code], file.name).to.deep.equal([400, 'POSTSCRIPT_UNREADABLE']);
        }
        expect((await call('vector/pdf', { name: 'a.txt', bytes: new TextEncoder().encode('words') })).status).to.equal(
          415,
        );
        const unknown = await call('vector/pdf', await fixture('drawing.eps'), { outputFormat: 'docx' });
        expect([unknown.status, faultyField(unknown)]).to.deep.equal([400, '/outputFormat']);
      },
    );

    it('ends PostScript that never ends, with 504', async () => {
      const hasty = await createTestServer({
        plugins: ['@quire/plugin-convert'],
        settings: { operations: { 'convert/vector/pdf': { timeout: '2s' } } },
      });
      try {
        const answer = await call(
          'vector/pdf',
          { name: 'endless.ps', bytes: new TextEncoder().encode('%!PS\n{ } loop') },
          {},
          await hasty.start(),
        );
        expect(answer.status).to.equal(504);
      } finally {
        await hasty.stop();
      }
    });
  });

  it('answers 503 naming Ghostscript where that is not there', async () => {
    const { PATH } = process.env;
    process.env['PATH'] = '/nowhere';
    const bare = await createTestServer({ plugins: ['@quire/plugin-convert'] }).finally(() => {
      process.env['PATH'] = PATH;
    });
    try {
      const base = await bare.start();
      for (const [path, name] of [
        ['pdf/vector', 'three-pages.pdf'],
        ['vector/pdf', 'drawing.eps'],
      ] as const) {
        const answer = await call(path, await fixture(name), {}, base);
        expect([answer.status, answer.code], path).to.deep.equal([503, 'PROGRAM_MISSING']);
        expect(answer.json<{ detail: string }>().detail).to.contain('ghostscript');
      }
    } finally {
      await bare.stop();
    }
  });
});
