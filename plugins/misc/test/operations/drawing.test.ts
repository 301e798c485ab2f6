import { createTestServer, type QuireServer } from '@quire/core';
import { callOperation, expectPdf, hostileFiles, makePdf, type OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';
import { fixture, pageText } from '../page-pixels.js';

type Form = Readonly<Record<string, unknown>>;

describe('drawing on pages over HTTP', function () {
  this.timeout(60_000);
  let server: QuireServer;
  let url: string;
  let plain: { name: string; bytes: Uint8Array };
  before(async () => {
    server = await createTestServer({ plugins: ['@quire/plugin-misc'] });
    url = await server.start();
    plain = { name: 'my report.v2.pdf', bytes: await makePdf({ pages: 3, text: ['first', 'second', 'third'] }) };
  });
  after(() => server.stop());

  const call = (
    path: string,
    params: Form,
    parts: Readonly<Record<string, { name: string; bytes: Uint8Array }>> = {},
    file = plain,
  ): Promise<OperationAnswer> => callOperation(url, { path: `misc/${path}`, files: [file], params, parts });
  const faultyFields = (answer: OperationAnswer): (string | undefined)[] =>
    (answer.json<{ errors?: { pointer: string }[] }>().errors ?? []).map(({ pointer }) => pointer).sort();
  const appended = (answer: OperationAnswer): boolean =>
    Buffer.from(answer.bytes.subarray(0, plain.bytes.length)).equals(Buffer.from(plain.bytes));

  describe('add-stamp', () => {
    it('needs only the type, and has the advertised defaults', async () => {
      const answer = await call('add-stamp', { stampType: 'TEXT' });
      expect([answer.status, answer.fileName, appended(answer)]).to.deep.equal([200, 'my report.v2_stamped.pdf', true]);
      await expectPdf(answer.bytes)
        .pages(3)
        .text(1, /Quire/)
        .text(3, /Quire/)
        .text(2, /second/);
    });

    it('accepts every field of the contract', async () => {
      const before = new Date().getFullYear();
      const answer = await call('add-stamp', {
        stampType: 'text',
        stampText: 'No. @page_number\\n@filename @year',
        alphabet: 'roman',
        fontSize: '20.5',
        rotation: '-45',
        opacity: '0.3',
        position: 1,
        overrideX: 50,
        overrideY: 60,
        customMargin: 'X-Large',
        customColor: '0000ff',
        pageNumbers: '2-',
      });
      expect(answer.status).to.equal(200);
      await expectPdf(answer.bytes)
        .pages(3)
        .text(2, /No\. 2/)
        .text(3, new RegExp(`my report.v2 (?:${before}|${new Date().getFullYear()})`));
      expect(await pageText(answer.bytes, 0)).to.not.contain('No.');
    });

    it('stamps an image, and names a missing or broken one', async () => {
      const logo = { name: 'logo.png', bytes: await fixture('logo.png') };
      expect((await call('add-stamp', { stampType: 'image' }, { stampImage: logo })).status).to.equal(200);
      const missing = await call('add-stamp', { stampType: 'image' });
      expect([missing.status, missing.code, faultyFields(missing)]).to.deep.equal([
        400,
        'INPUT_INVALID',
        ['/stampImage'],
      ]);
      const asText = await call('add-stamp', { stampType: 'image', stampImage: 'logo.png' });
      expect([asText.status, faultyFields(asText)]).to.deep.equal([400, ['/stampImage']]);
      const program = await call(
        'add-stamp',
        { stampType: 'image' },
        { stampImage: { name: 'program.png', bytes: await fixture('program.png') } },
      );
      expect([program.status, program.code]).to.deep.equal([400, 'IMAGE_UNREADABLE']);
      const document = await call('add-stamp', { stampType: 'image' }, { stampImage: plain });
      expect([document.status, document.code]).to.deep.equal([415, 'INPUT_KIND']);
    });

    it('names every invalid field at once', async () => {
      const answer = await call('add-stamp', {
        stampType: 'sound',
        fontSize: 0,
        opacity: 1.5,
        position: 0,
        rotation: 'x',
        alphabet: 'klingon',
        overrideX: 'left',
      });
      expect([answer.status, faultyFields(answer)]).to.deep.equal([
        400,
        ['/alphabet', '/fontSize', '/opacity', '/overrideX', '/position', '/rotation', '/stampType'],
      ]);
      const pages = await call('add-stamp', { stampType: 'text', pageNumbers: 'even' });
      expect([pages.status, pages.code]).to.deep.equal([400, 'PAGES_INVALID']);
    });

    it('is a pipeline step for text, and is refused as one for images before any work', async () => {
      const run = (parameters: Form) =>
        callOperation(url, {
          path: '/api/v1/pipeline/validate',
          params: { json: JSON.stringify({ pipeline: [{ operation: '/api/v1/misc/add-stamp', parameters }] }) },
        });
      expect((await run({ stampType: 'text', stampText: 'X' })).status).to.equal(200);
      const refused = await run({ stampType: 'image' });
      expect([refused.status, refused.code]).to.deep.equal([400, 'PIPELINE_INVALID']);
    });
  });

  describe('add-page-numbers', () => {
    it('needs no field, and has the advertised defaults', async () => {
      const answer = await call('add-page-numbers', {});
      expect([answer.status, answer.fileName, appended(answer)]).to.deep.equal([
        200,
        'my report.v2_page_numbers_added.pdf',
        true,
      ]);
      await expectPdf(answer.bytes)
        .pages(3)
        .text(1, /first\s*1$/)
        .text(3, /third\s*3$/);
    });

    it('accepts every field of the contract, and out-of-range values of lenient ones', async () => {
      const answer = await call('add-page-numbers', {
        customMargin: 'enormous',
        fontSize: 8,
        fontType: 'TIMES',
        fontColor: 'red',
        zeroPad: 4,
        position: 99,
        startingNumber: 7,
        pagesToNumber: '3,1',
        customText: '{filename} {n}/{total}',
        pageNumbers: 'anything',
      });
      expect([answer.status, answer.headers.get('x-ignored-fields')]).to.deep.equal([200, null]);
      await expectPdf(answer.bytes)
        .text(3, /my report.v2 0007\/3/)
        .text(1, /my report.v2 0008\/3/);
      expect(await pageText(answer.bytes, 1)).to.equal('second');
    });

    it('treats an empty list of pages as all pages', async () => {
      await expectPdf((await call('add-page-numbers', { pagesToNumber: '' })).bytes).text(3, /3$/);
    });

    it('names every invalid field at once', async () => {
      const answer = await call('add-page-numbers', { fontSize: 0.5, zeroPad: -1, startingNumber: 0, position: 'top' });
      expect([answer.status, faultyFields(answer)]).to.deep.equal([
        400,
        ['/fontSize', '/position', '/startingNumber', '/zeroPad'],
      ]);
      for (const pagesToNumber of ['n^2', '1;2', '4-9']) {
        const pages = await call('add-page-numbers', { pagesToNumber });
        expect([pages.status, faultyFields(pages)], pagesToNumber).to.deep.equal([400, ['/pagesToNumber']]);
      }
    });
  });

  describe('add-image', () => {
    it('draws an image or an SVG, identified by its content', async () => {
      const answer = await call(
        'add-image',
        { x: 10, y: 10 },
        { imageFile: { name: 'logo.png', bytes: await fixture('logo.svg') } },
      );
      expect([answer.status, answer.fileName, appended(answer)]).to.deep.equal([
        200,
        'my report.v2_overlayed.pdf',
        true,
      ]);
      await expectPdf(answer.bytes).pages(3).text(1, /Logo/);
      expect(await pageText(answer.bytes, 1)).to.equal('second');
      const every = await call(
        'add-image',
        { x: 10, y: 10, everyPage: 'yes' },
        { imageFile: { name: 'drawing', bytes: await fixture('logo.svg') } },
      );
      await expectPdf(every.bytes).text(2, /Logo/).text(3, /Logo/);
    });

    it('refuses a missing image, a program named like one, an SVG with external files, another file type', async () => {
      const missing = await call('add-image', {});
      expect([missing.status, missing.code, faultyFields(missing)]).to.deep.equal([
        400,
        'INPUT_INVALID',
        ['/imageFile'],
      ]);
      for (const name of ['program.png', 'outside-picture.svg']) {
        const answer = await call('add-image', {}, { imageFile: { name, bytes: await fixture(name) } });
        expect([answer.status, answer.code, faultyFields(answer)], name).to.deep.equal([
          400,
          'IMAGE_UNREADABLE',
          ['/imageFile'],
        ]);
      }
      const other = await call('add-image', {}, { imageFile: plain });
      expect([other.status, other.code]).to.deep.equal([415, 'INPUT_KIND']);
    });

    it('is not available as a pipeline step', async () => {
      const answer = await callOperation(url, {
        path: '/api/v1/pipeline/validate',
        params: { json: JSON.stringify({ pipeline: [{ operation: '/api/v1/misc/add-image', parameters: {} }] }) },
      });
      expect([answer.status, answer.code]).to.deep.equal([400, 'PIPELINE_INVALID']);
    });
  });

  describe('add-comments', () => {
    const comments = (list: unknown): Form => ({ comments: typeof list === 'string' ? list : JSON.stringify(list) });

    it('reports how many notes were added and skipped', async () => {
      const answer = await call(
        'add-comments',
        comments([
          { pageIndex: 0, x: 10, y: 10, width: 20, height: 20, text: 'a' },
          { pageIndex: 9, x: 10, y: 10, width: 20, height: 20, text: 'b' },
          { pageIndex: 1, text: 'c', anchorText: 'SECOND', extra: true },
        ]),
      );
      expect([answer.status, answer.fileName, appended(answer)]).to.deep.equal([
        200,
        'my report.v2_commented.pdf',
        true,
      ]);
      expect(answer.headers.get('x-tool-report'))
        .to.match(/"?added"?\W+2/)
        .and.to.match(/"?skipped"?\W+1/);
    });

    it('names the position of a fault in the list', async () => {
      for (const [list, pointers] of [
        ['nonsense', ['/comments']],
        ['{"pageIndex":0}', ['/comments']],
        ['[{"pageIndex":0}', ['/comments']],
        [
          [1, null],
          ['/comments/0', '/comments/1'],
        ],
        [[{ text: 'x' }], ['/comments/0/pageIndex']],
        [
          [{ pageIndex: 0 }, { pageIndex: '0', x: '1', text: 5 }],
          ['/comments/1/pageIndex', '/comments/1/text', '/comments/1/x'],
        ],
        [[{ pageIndex: 0.5 }], ['/comments/0/pageIndex']],
      ] as const) {
        const answer = await call('add-comments', comments(list));
        expect([answer.status, answer.code, faultyFields(answer)], JSON.stringify(list)).to.deep.equal([
          400,
          'INPUT_INVALID',
          [...pointers],
        ]);
      }
      expect(faultyFields(await call('add-comments', {}))).to.deep.equal(['/comments']);
    });
  });

  it('refuses encrypted and damaged documents with every tool', async () => {
    const locked = hostileFiles().find(({ name }) => name === 'locked.pdf')!;
    const logo = { imageFile: { name: 'logo.png', bytes: await fixture('logo.png') } };
    const calls: readonly (readonly [string, Form, typeof logo | Record<string, never>])[] = [
      ['add-stamp', { stampType: 'text' }, {}],
      ['add-page-numbers', {}, {}],
      ['add-image', {}, logo],
      ['add-comments', { comments: '[]' }, {}],
    ];
    for (const [path, params, parts] of calls) {
      const closed = await call(path, params, parts, { name: 'locked.pdf', bytes: locked.bytes });
      expect([closed.status, closed.code], path).to.deep.equal([400, 'PDF_ENCRYPTED']);
      const damaged = await call(path, params, parts, { name: 'damaged.pdf', bytes: await fixture('header-only.pdf') });
      expect([damaged.status, damaged.code], path).to.deep.equal([400, 'PDF_DAMAGED']);
    }
  });
});
