import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createTestServer } from '@quire/core';
import { callOperation, expectPdf, makePdf, readZip, type OperationAnswer, serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import sharp from 'sharp';

const fixture = async (name: string) => ({
  name,
  bytes: new Uint8Array(await readFile(new URL(`../../fixtures/${name}`, import.meta.url))),
});

const hasOffice = (): boolean => {
  try {
    execFileSync('sh', ['-c', 'command -v soffice || command -v libreoffice'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

describe('Conversions over HTTP', function () {
  this.timeout(120_000);
  const server = serverForTests({ plugins: ['@quire/plugin-convert'] });

  const call = (
    path: string,
    files: readonly { name: string; bytes: Uint8Array }[],
    params: Record<string, unknown> = {},
  ): Promise<OperationAnswer> => callOperation(server.url, { path: `convert/${path}`, files, params });
  const faultyField = (answer: OperationAnswer): string | undefined =>
    answer.json<{ errors?: { pointer: string }[] }>().errors?.[0]?.pointer;

  describe('pdf/img', () => {
    it('gives a zip of numbered pictures of the asked size, also for one page', async () => {
      const answer = await call('pdf/img', [{ name: 'a.b.pdf', bytes: await makePdf({ pages: 1, size: [144, 72] }) }], {
        dpi: 144,
      });
      expect([answer.status, answer.fileName, answer.headers.get('content-type')]).to.deep.equal([
        200,
        'a.b_convertedToImages.zip',
        'application/octet-stream',
      ]);
      const [entry] = await readZip(answer.bytes);
      const { width, height, format } = await sharp(entry!.bytes).metadata();
      expect([entry!.name, width, height, format]).to.deep.equal(['a.b_1.png', 288, 144, 'png']);
    });

    it('numbers the pictures in the order asked and keeps jpg as jpg', async () => {
      const names = (
        await readZip(
          (
            await call('pdf/img', [await fixture('three-pages.pdf')], {
              imageFormat: 'jpg',
              pageNumbers: '3,1',
              dpi: 20,
            })
          ).bytes,
        )
      ).map(({ name }) => name);
      expect(names).to.deep.equal(['three-pages_1.jpg', 'three-pages_2.jpg']);
    });

    it('stacks the pages in one picture', async () => {
      const one = { name: 'x.pdf', bytes: await makePdf({ pages: 3, size: [100, 50] }) };
      for (const [imageFormat, type] of [
        ['png', 'image/png'],
        ['jpeg', 'image/jpeg'],
        ['gif', 'image/gif'],
        ['webp', 'image/webp'],
      ] as const) {
        const answer = await call('pdf/img', [one], { imageFormat, singleOrMultiple: 'single', dpi: 72 });
        const { width, height } = await sharp(answer.bytes).metadata();
        expect([answer.headers.get('content-type'), answer.fileName, width, height], imageFormat).to.deep.equal([
          type,
          `x.${imageFormat}`,
          100,
          150,
        ]);
      }
    });

    it('refuses a resolution beyond the limit and pictures that are too large, naming the field', async () => {
      const file = await fixture('three-pages.pdf');
      for (const dpi of [501, 100_000, 0, -1, 'NaN', '72.5']) {
        const answer = await call('pdf/img', [file], { dpi });
        expect([answer.status, faultyField(answer)], String(dpi)).to.deep.equal([400, '/dpi']);
      }
      expect(
        (
          await call('pdf/img', [{ name: 'huge.pdf', bytes: await makePdf({ pages: 1, size: [14_000, 14_000] }) }], {
            dpi: 300,
          })
        ).code,
      ).to.equal('IMAGE_TOO_LARGE');
    });

    it('refuses a format it does not know', async () => {
      const answer = await call('pdf/img', [await fixture('three-pages.pdf')], { imageFormat: 'bmp' });
      expect([answer.status, faultyField(answer)]).to.deep.equal([400, '/imageFormat']);
    });
  });

  describe('img/pdf', () => {
    it('makes one PDF of all pictures, in the order sent', async () => {
      const answer = await call(
        'img/pdf',
        [await fixture('shapes.png'), await fixture('photo.jpg'), await fixture('frames.tiff')],
        { fitOption: 'fitDocumentToImage' },
      );
      expect([answer.status, answer.fileName]).to.deep.equal([200, 'shapes_converted.pdf']);
      expect((await expectPdf(answer.bytes)).pages).to.be.greaterThan(2);
    });

    it('turns the page for wide pictures when asked to', async () => {
      const wide = {
        name: 'wide.png',
        bytes: new Uint8Array(
          await sharp({ create: { width: 200, height: 100, channels: 3, background: 'red' } })
            .png()
            .toBuffer(),
        ),
      };
      const size = async (autoRotate: boolean): Promise<boolean> => {
        const { sizes } = await expectPdf((await call('img/pdf', [wide], { autoRotate })).bytes);
        return sizes[0]!.width > sizes[0]!.height;
      };
      expect([await size(false), await size(true)]).to.deep.equal([false, true]);
    });

    it('refuses a file that is not an image, whatever its name', async () => {
      const program = { name: 'logo.png', bytes: new TextEncoder().encode(`MZ${'\u0000'.repeat(400)}`) };
      const answer = await call('img/pdf', [program]);
      expect([answer.status, answer.code]).to.deep.equal([400, 'IMAGE_UNREADABLE']);
      expect((await call('img/pdf', [await fixture('three-pages.pdf')])).status).to.equal(415);
    });
  });

  describe('file/pdf', () => {
    it('converts a letter and plain text, or names the missing program', async () => {
      for (const name of ['letter.docx', 'note.txt']) {
        const answer = await call('file/pdf', [await fixture(name)]);
        if (hasOffice()) {
          expect([answer.status, answer.fileName], name).to.deep.equal([
            200,
            name.replace(/\..*/, '_convertedToPDF.pdf'),
          ]);
          expect((await expectPdf(answer.bytes)).pages, name).to.equal(1);
        } else {
          expect([answer.status, answer.code, answer.json<{ program: string }>().program], name).to.deep.equal([
            503,
            'PROGRAM_MISSING',
            'libreoffice',
          ]);
        }
      }
    });

    it('refuses names without a usable extension', async function () {
      if (!hasOffice()) return this.skip();
      for (const name of ['noextension', 'a.', 'a.toolong', '.x']) {
        const answer = await call('file/pdf', [{ name, bytes: new TextEncoder().encode('text') }]);
        expect([answer.status, answer.code], name).to.deep.equal([400, 'INPUT_EXTENSION']);
      }
    });
  });
});

describe('file/pdf on a server without the office program', () => {
  it('answers 503 with its name, and the server reports so beforehand', async () => {
    const server = await createTestServer({
      plugins: ['@quire/plugin-convert'],
      settings: { system: { customPaths: { operations: { soffice: '/nonexistent/soffice' } } } },
    });
    const url = await server.start();
    try {
      const answer = await callOperation(url, { path: 'convert/file/pdf', files: [await fixture('note.txt')] });
      expect([answer.status, answer.json<{ program: string }>().program]).to.deep.equal([503, 'libreoffice']);
      expect(await (await fetch(`${url}/api/v1/settings/get-endpoints-status`)).json()).to.deep.include({
        'file-to-pdf': false,
      });
      const { operations } = (await (await fetch(`${url}/api/v1/capabilities`)).json()) as {
        operations: { path: string; enabled: boolean; missing: string[] }[];
      };
      expect(operations.find(({ path }) => path === '/api/v1/convert/file/pdf')).to.deep.include({
        enabled: false,
        missing: ['libreoffice'],
      });
    } finally {
      await server.stop();
    }
  });
});
