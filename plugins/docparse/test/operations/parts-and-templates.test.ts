import { readOutline, withPages } from '@quire/document/layout';
import { expectPdf, readZip } from '@quire/plugin-kit';
import { expect } from 'chai';
import { refuses, says } from '../../../../test/fixtures/model-server.js';
import { hostilePages } from '../../../../test/http/support/hostile-pages.js';
import { type Line, linesPdf } from '../../fixtures/make-invoice.js';
import { docparseServers, fixture } from './docparse-servers.js';

describe('Parts and templates over HTTP', function () {
  this.timeout(60_000);
  const host = docparseServers();
  const { call, parts, servers } = host;

  describe('smart-split', () => {
    it('splits by what code understands, into a zip of PDFs', async () => {
      const file = await fixture('bundle.pdf');
      const rules: readonly (readonly [string, readonly string[]])[] = [
        ['pages 1-2, 4-', ['bundle_1.pdf 2', 'bundle_2.pdf 2']],
        ['alle 2 Seiten', ['bundle_1.pdf 2', 'bundle_2.pdf 2', 'bundle_3.pdf 1']],
        ['into 2 parts', ['bundle_1.pdf 2', 'bundle_2.pdf 3']],
        ['par numéro de facture', ['bundle_1_A-1.pdf 2', 'bundle_2_A-2.pdf 3']],
        ['at "Invoice"', ['bundle_1.pdf 2', 'bundle_2.pdf 3']],
        ['after pages with /goes\\s+on/', ['bundle_1.pdf 2', 'bundle_2.pdf 3']],
        ['bei leeren Seiten', ['bundle_1.pdf 3', 'bundle_2.pdf 1']],
        ['at each chapter', ['bundle_1_One.pdf 1', 'bundle_2_Two.pdf 1', 'bundle_3_Three.pdf 3']],
      ];
      for (const [rule, expected] of rules) {
        const answer = await call('smart-split', file, { rule });
        expect([answer.status, answer.status === 200 ? await parts(answer) : answer.json()], rule).to.deep.equal([
          200,
          expected,
        ]);
      }
    });

    it('splits at headings where there are no bookmarks', async () => {
      const bytes = await linesPdf(
        [['# Alpha', 'text'], ['more text'], ['# Beta', 'text']].map((lines) =>
          lines.flatMap((text, i): Line[] => [
            [50, 780 - 40 * i, text],
            ...Array.from({ length: 12 }, (_unused, k): Line => [
              50,
              600 - 20 * k,
              'This is a line of the body text of the document that goes on.',
            ]),
          ]),
        ),
      );
      expect(
        await parts(await call('smart-split', { name: 'h.pdf', bytes }, { rule: 'at each heading' })),
      ).to.deep.equal(['h_1_# Alpha.pdf 2', 'h_2_# Beta.pdf 1']);
    });

    it('keeps bookmarks of the pages of each part', async () => {
      const entries = await readZip(
        (await call('smart-split', await fixture('bundle.pdf'), { rule: 'pages 1-2, 3-5' })).bytes,
      );
      await expectPdf(entries[0]!.bytes).pages(2);
      expect(
        await Promise.all(
          entries.map(({ bytes }) =>
            withPages({ bytes }, ({ document }) => readOutline(document).map(({ title, page }) => `${title} ${page}`)),
          ),
        ),
      ).to.deep.equal([['One 1', 'Two 2'], ['Three 1']]);
    });

    it('answers 422 where there is nothing to split at, or more parts than wanted', async () => {
      const file = await fixture('invoice.pdf');
      for (const params of [
        { rule: 'at blank pages' },
        { rule: 'at "nowhere"' },
        { rule: 'by bookmarks' },
        { rule: 'every page', maxParts: 1 },
      ])
        expect((await call('smart-split', file, params)).json()).to.deep.include({
          status: 422,
          code: 'SPLIT_NO_PARTS',
        });
    });

    it('refuses a document that counts more pages than it has', async () => {
      const { bytes } = hostilePages().find(({ title }) => title.includes('contain each other'))!;
      const answer = await call(
        'smart-split',
        { name: 'loop.pdf', bytes: Buffer.from(bytes) },
        { rule: 'every 2 pages' },
      );
      expect(answer.json()).to.deep.include({ status: 400, code: 'PDF_DAMAGED' });
    });

    it('refuses a missing rule, pages that are not there and a pattern that is none', async () => {
      const file = await fixture('bundle.pdf');
      for (const params of [
        {},
        { rule: '' },
        { rule: '1-9' },
        { rule: '3-2' },
        { rule: 'at /(/' },
        { rule: 'every page', maxParts: 501 },
      ])
        expect((await call('smart-split', file, params)).json()).to.deep.include({
          status: 400,
          code: 'INPUT_INVALID',
        });
    });

    it(
      'asks nobody where one question cannot hold the document: no page is lost, and none is placed that was not ' +
        'shown',
      async () => {
        const rule = 'keep what belongs to the same friend together';
        const { askForParts } = await import('../../src/functions/split/ask-for-parts.js');
        let asked = 0;
        const asking = (limits: { pages: number; characters: number }, document: { texts: string[]; pages: number }) =>
          askForParts(rule, document, 10, {
            limits,
            ask: async () => {
              asked++;
              return { parts: [] };
            },
          }).catch((error: unknown) => (error as { code?: string }).code);
        const texts = ['one '.repeat(50), 'two '.repeat(50), 'three'];
        expect(await asking({ pages: 10, characters: 900 }, { texts, pages: 3 })).to.deep.equal([]);
        expect(await asking({ pages: 10, characters: 600 }, { texts, pages: 3 })).to.equal('INPUT_TEXT_TOO_LONG');
        expect(await asking({ pages: 2, characters: 900 }, { texts, pages: 3 })).to.equal('INPUT_TOO_MANY_PAGES');
        expect(await asking({ pages: 1000, characters: 900 }, { texts, pages: 501 })).to.equal('INPUT_TOO_MANY_PAGES');
        expect(asked).to.equal(1);
      },
    );

    it('looks for the value on every page of a long document', async () => {
      const page = (number: string): Line[] => [
        [50, 780, `Invoice number: ${number}`],
        [50, 740, 'Thank you.'],
      ];
      const bytes = await linesPdf(Array.from({ length: 520 }, (_unused, i) => page(i < 510 ? 'A-100' : 'A-200')));
      expect(
        await parts(await call('smart-split', { name: 'long.pdf', bytes }, { rule: 'per invoice number' })),
      ).to.deep.equal(['long_1_A-100.pdf 510', 'long_2_A-200.pdf 10']);
    });

    it('asks the model for other rules and checks its ranges; 503 without one, 502 when it fails', async () => {
      const file = await fixture('bundle.pdf');
      const rule = 'keep what belongs to the same friend together';
      expect((await call('smart-split', file, { rule })).json()).to.deep.include({
        status: 503,
        code: 'SERVICE_NOT_SET_UP',
      });
      host.model.script(
        says({
          parts: [
            { title: 'Bills', firstPage: 1, lastPage: 3 },
            { title: 'Overlap', firstPage: 2, lastPage: 4 },
            { title: 'Beyond', firstPage: 5, lastPage: 9 },
            { title: 'Letter', firstPage: 5, lastPage: 5 },
          ],
        }),
      );
      expect(await parts(await call('smart-split', file, { rule }, 'clever'))).to.deep.equal([
        'bundle_1_Bills.pdf 3',
        'bundle_2_Letter.pdf 1',
      ]);
      expect(
        host.model.requests[0]?.messages.some(({ role, content }) => role === 'system' && content.includes('A-1')),
      ).to.equal(false);
      host.model.script(refuses());
      expect((await call('smart-split', file, { rule }, 'clever')).status).to.equal(502);
      host.model.script(says({ parts: [] }));
      expect((await call('smart-split', file, { rule }, 'clever')).status).to.equal(422);
    });
  });

  describe('fill-template', () => {
    const send = async (name: string, data: string | Blob, field = 'templateFile'): Promise<Response> => {
      const form = new FormData();
      const { bytes } = await fixture(name);
      form.append(field, new Blob([new Uint8Array(bytes)]), name);
      form.append('data', data);
      return fetch(`${servers['plain']!.url}/api/v1/docparse/fill-template`, { method: 'POST', body: form });
    };
    const data = JSON.stringify({
      number: 'R-7',
      customer: { name: 'Ada' },
      items: [{ title: 'Book', price: 3 }],
      paid: true,
    });

    it('takes the template as templateFile and answers the filled document', async () => {
      const answer = await send('invoice-template.docx', data);
      const entries = await readZip(new Uint8Array(await answer.arrayBuffer()));
      expect([
        answer.status,
        answer.headers.get('content-disposition')?.includes('invoice-template_filled.docx'),
        answer.headers.get('content-type'),
      ]).to.deep.equal([200, true, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document']);
      expect(Buffer.from(entries.find(({ name }) => name === 'word/document.xml')!.bytes).toString('utf8')).to.contain(
        'Paid with thanks.',
      );
    });

    it('takes the data as a part of its own media type', async () => {
      const answer = await send(
        'slides-template.pptx',
        new Blob([JSON.stringify({ title: 'Plan', points: ['Łódź'] })], { type: 'application/json' }),
        'fileInput',
      );
      const entries = await readZip(new Uint8Array(await answer.arrayBuffer()));
      expect([
        answer.status,
        Buffer.from(entries.find(({ name }) => name === 'ppt/slides/slide1.xml')!.bytes)
          .toString('utf8')
          .replace(/<[^>]*>|\s/g, ''),
      ]).to.deep.equal([200, 'PlanPoint1:Łódź']);
    });

    it('refuses data that is not an object, and a template of another file type', async () => {
      for (const bad of ['[]', '{', '"x"', ''])
        expect((await send('invoice-template.docx', bad)).status, bad).to.equal(400);
      expect((await send('bundle.pdf', data)).status).to.equal(415);
    });
  });
});
