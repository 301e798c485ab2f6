import { readFile } from 'node:fs/promises';
import { readOutline, withPages } from '@quire/document/layout';
import {
  callOperation,
  createTestServer,
  expectPdf,
  fakeContext,
  fakeFile,
  type OperationAnswer,
  readZip,
} from '@quire/plugin-kit';
import { OperationalError, tokens } from '@quire/registry';
import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { PDFDocument } from 'pdf-lib';
import { type ModelServer, fails, refuses, says, startModelServer } from '../../../../test/fixtures/model-server.js';
import { type Line, linesPdf } from '../../fixtures/make-invoice.js';
import { extractFieldsJson } from '../../src/operations/extract-fields-json.op.js';

type File = { readonly name: string; readonly bytes: Uint8Array };
const fixture = async (name: string): Promise<File> => ({
  name,
  bytes: new Uint8Array(await readFile(new URL(`../../fixtures/${name}`, import.meta.url))),
});
const fields = (...names: readonly (string | object)[]): { fields: string } => ({
  fields: JSON.stringify(names.map((name) => (typeof name === 'string' ? { name } : name))),
});
interface Found {
  readonly fields: {
    name: string;
    value: unknown;
    source?: string;
    page?: number;
    quotation?: string;
    found: boolean;
  }[];
  readonly missing: string[];
  readonly model: boolean;
  readonly modelFault?: string;
}

/** The invoice with a picture of its second page in place of it. */
async function halfScanned(): Promise<File> {
  const { bytes } = await fixture('invoice.pdf');
  const picture = execFileSync('pdftoppm', ['-r', '150', '-f', '2', '-l', '2', '-gray', '-png', '-'], {
    input: bytes,
    maxBuffer: 1 << 26,
  });
  const document = await PDFDocument.load(bytes);
  document.removePage(1);
  document.addPage([595, 842]).drawImage(await document.embedPng(picture), { x: 0, y: 0, width: 595, height: 842 });
  return { name: 'invoice.pdf', bytes: await document.save() };
}

describe('Fields, templates and parts over HTTP', function () {
  this.timeout(60_000);
  let model: ModelServer;
  const servers: Record<string, { url: string; stop(): Promise<void> }> = {};
  before(async () => {
    model = await startModelServer();
    for (const [name, settings] of [
      ['plain', {}],
      ['clever', { ...model.settings, 'aiEngine.rag.embeddingModel': 'near' }],
    ] as const) {
      const server = await createTestServer({
        plugins: ['@quire/plugin-docparse', '@quire/plugin-ai-tools'],
        settings,
      });
      servers[name] = { url: await server.start(), stop: () => server.stop() };
    }
  });
  after(async () => {
    for (const server of Object.values(servers)) await server.stop();
    await model.stop();
  });
  const call = (
    path: string,
    file: File,
    params: Record<string, unknown>,
    server = 'plain',
  ): Promise<OperationAnswer> =>
    callOperation(servers[server]!.url, { path: `docparse/${path}`, files: [file], params });
  const parts = async (answer: OperationAnswer): Promise<string[]> =>
    Promise.all((await readZip(answer.bytes)).map(async ({ name, bytes }) => `${name} ${await pagesOf(bytes)}`));
  const pagesOf = (bytes: Uint8Array): Promise<number> => withPages({ bytes }, ({ pageCount }) => pageCount);

  describe('search', () => {
    it('finds what is meant where an embedding model is set up, and what is written where it fails', async () => {
      const near = (text: string): number[] => [
        /invoice|R-2024|bill/i.test(text) ? 1 : 0,
        /letter|friend/i.test(text) ? 1 : 0,
        0.1,
      ];
      const ask = async (query: string): Promise<string[]> => {
        const answer = await fetch(`${servers['clever']!.url}/api/v1/docparse/search`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query, topK: 1 }),
        });
        return ((await answer.json()) as { hits: { text: string; pageStart: number }[] }).hits.map(
          ({ text, pageStart }) => `${pageStart} ${text.trim()}`,
        );
      };
      model.embeds(near);
      expect(
        (await call('ingest', await fixture('bundle.pdf'), { chunkSize: 64, overlap: 0 }, 'clever')).status,
      ).to.equal(200);
      expect(model.embedded.flatMap(({ input }) => input).join(' ')).to.contain('Letter to a friend');
      expect((await ask('who is my bill for')).join()).to.match(/^1 First page[^]*Other invoice$/);
      expect(await ask('a message to my friend')).to.deep.equal(['5 Letter to a friend']);
      model.embeds(near, (response) => void response.writeHead(500, { 'x-should-retry': 'false' }).end('{}'));
      expect([await ask('bill'), await ask('friend')]).to.deep.equal([[], ['5 Letter to a friend']]);
      const capabilities = async (name: string): Promise<unknown> =>
        ((await (await fetch(`${servers[name]!.url}/api/v1/docparse/capabilities`)).json()) as { embeddings: unknown })
          .embeddings;
      expect([await capabilities('plain'), await capabilities('clever')]).to.deep.equal([false, true]);
    });
  });

  describe('extract-fields', () => {
    it('hands the PDF on byte for byte and tells values and evidence in X-Tool-Report', async () => {
      const file = await fixture('invoice.pdf');
      const answer = await call(
        'extract-fields',
        file,
        fields(
          'invoiceNumber',
          { name: 'total', type: 'currency', required: true },
          { name: 'contract', required: true },
        ),
      );
      const report = JSON.parse(answer.headers.get('x-tool-report') ?? '{}') as {
        values: object;
        evidence: Record<string, { page: number }>;
        missing: string[];
      };
      expect([answer.status, Buffer.compare(answer.bytes, file.bytes)]).to.deep.equal([200, 0]);
      expect(report).to.deep.include({
        values: { invoiceNumber: 'R-2024-17', total: { amount: 1428, currency: 'EUR' } },
        missing: ['contract'],
        model: false,
      });
      expect(report.evidence['total']?.page).to.equal(2);
    });

    it('keeps the header whole when there is much to tell', async () => {
      const lines: Line[] = Array.from({ length: 40 }, (_unused, i) => [
        30,
        820 - i * 18,
        `Remark number ${i}: ${'long text '.repeat(8)}`,
      ]);
      const answer = await call(
        'extract-fields',
        { name: 'long.pdf', bytes: await linesPdf([lines]) },
        fields(
          ...Array.from({ length: 40 }, (_unused, i) => `remark number ${i}`),
          ...Array.from({ length: 40 }, (_unused, i) => `Remark-number-${i}`),
        ),
      );
      expect([answer.status, JSON.parse(answer.headers.get('x-tool-report') ?? '')])
        .to.deep.include(200)
        .and.to.have.nested.property('[1].cut', true);
    });

    it('answers all of it as JSON', async () => {
      const answer = (
        await call('extract-fields/json', await fixture('invoice.pdf'), fields({ name: 'dueDate', type: 'date' }))
      ).json<Found>();
      expect(answer.fields[0]).to.deep.include({
        value: '2024-03-26',
        page: 1,
        quotation: '26/03/2024',
        source: 'label',
      });
    });

    it('refuses a value that is not a list of fields, naming the place', async () => {
      for (const [sent, pointer] of [
        ['{}', '/fields'],
        ['[{"type":"string"}]', '/fields/0/name'],
        ['[{"name":"a","type":"money"}]', '/fields/0/type'],
        ['[{"name":"a"},{"name":"a"}]', '/fields/1'],
        ['[{"name":"a","pattern":"(?<"}]', '/fields/0/pattern'],
        ['[]', '/fields'],
      ] as const) {
        const answer = await call('extract-fields/json', await fixture('invoice.pdf'), { fields: sent });
        expect(
          [answer.status, answer.json<{ errors: { pointer: string }[] }>().errors[0]?.pointer],
          sent,
        ).to.deep.equal([400, pointer]);
      }
    });

    it('accepts values of the model that are on the page, and no others', async () => {
      model.script(
        says({
          fields: [
            { name: 'seller', value: 'Quill Ltd', page: 1, quotation: 'Quill Ltd, 1 Main Street' },
            { name: 'buyer', value: 'Ada Lovelace', page: 1, quotation: 'Ada Lovelace, London' },
            { name: 'discount', value: '17', page: 2, quotation: 'VAT 19 %' },
            { name: 'elsewhere', value: 'Quill Ltd', page: 2, quotation: 'Quill Ltd, 1 Main Street' },
            { name: 'invoice date', value: '1999-01-01', page: 1, quotation: 'Invoice date: 12 March 2024' },
          ],
        }),
      );
      const answer = (
        await call(
          'extract-fields/json',
          await fixture('invoice.pdf'),
          fields('seller', 'buyer', { name: 'discount', type: 'number' }, 'elsewhere', {
            name: 'invoice date',
            type: 'date',
          }),
          'clever',
        )
      ).json<Found>();
      expect(answer.fields.map(({ name, value, source }) => [name, value, source])).to.deep.equal([
        ['seller', 'Quill Ltd', 'model'],
        ['buyer', null, undefined],
        ['discount', null, undefined],
        ['elsewhere', null, undefined],
        ['invoice date', '2024-03-12', 'label'],
      ]);
    });

    it('recognises the text of pages that have none, says so, and leaves it when told to', async () => {
      const file = await halfScanned();
      const wanted = fields('invoiceNumber', { name: 'total', type: 'currency' });
      const read = (await call('extract-fields/json', file, wanted)).json<
        Found & { ocrPages: number; ocrEngine: string; ocrLanguages: string }
      >();
      expect(read.fields.map(({ value, page }) => [value, page])).to.deep.equal([
        ['R-2024-17', 1],
        [{ amount: 1428, currency: 'EUR' }, 2],
      ]);
      expect(read).to.include({ ocrPages: 1, ocrLanguages: 'eng' });
      const left = (await call('extract-fields/json', file, { ...wanted, withOcr: 'false' })).json<Found>();
      expect(left.fields.map(({ found }) => found)).to.deep.equal([true, false]);
      expect(left).not.to.have.property('ocrPages');
      const report = JSON.parse((await call('extract-fields', file, wanted)).headers.get('x-tool-report') ?? '{}') as {
        values: object;
        ocrPages: number;
      };
      expect([report.ocrPages, report.values]).to.deep.equal([
        1,
        { invoiceNumber: 'R-2024-17', total: { amount: 1428, currency: 'EUR' } },
      ]);
      const unknown = await call('extract-fields/json', file, { ...wanted, languages: 'xxx' });
      expect([unknown.status, unknown.json<{ code: string }>().code]).to.deep.equal([400, 'OCR_LANGUAGES_UNKNOWN']);
    });

    it('works on when recognition fails, and says why', async () => {
      const context = await fakeContext({
        services: [
          [
            tokens.recognizeText,
            {
              offer: async () => ({ engine: 'x', languages: ['eng'], atOnce: 1 }),
              words: () => Promise.reject(new OperationalError('PROGRAM_MISSING', { program: 'tesseract' })),
            },
          ],
        ],
      });
      try {
        const { name, bytes } = await halfScanned();
        const answer = (await extractFieldsJson.run(
          fakeFile(name, bytes),
          { ...fields('invoiceNumber', 'total'), useModel: false, withOcr: true, languages: [] },
          context,
        )) as { json: Found & { ocrFault: string } };
        expect([answer.json.fields.map(({ found }) => found), answer.json.ocrFault]).to.deep.equal([
          [true, false],
          'PROGRAM_MISSING',
        ]);
      } finally {
        await context.cleanup();
      }
    });

    it('works on when the model refuses or fails, and says so; asks none when told not to', async () => {
      model.script(refuses());
      const refused = (
        await call(
          'extract-fields/json',
          await fixture('invoice.pdf'),
          fields('invoiceNumber', 'unknown thing'),
          'clever',
        )
      ).json<Found>();
      expect([refused.fields[0]?.value, refused.model, refused.modelFault]).to.deep.equal([
        'R-2024-17',
        true,
        'REMOTE_ANSWER',
      ]);
      model.script(fails(500));
      const untold = (
        await call(
          'extract-fields/json',
          await fixture('invoice.pdf'),
          { ...fields('unknown thing'), useModel: 'false' },
          'clever',
        )
      ).json<Found>();
      expect([untold.model, model.requests.length]).to.deep.equal([false, 0]);
    });
  });

  describe('suggest-schema', () => {
    it('names fields, at most as many as are wanted, and lets the model describe those that are there', async () => {
      const plain = (await call('suggest-schema', await fixture('invoice.pdf'), { maxFields: 3 })).json<{
        fields: object[];
      }>();
      expect(plain.fields).to.have.length(3);
      model.script(
        says({
          fields: [
            { name: 'seller name', type: 'string', description: 'Who sells', label: 'Quill Ltd' },
            { name: 'ghost', type: 'string', description: 'Not there', label: 'Ghost label' },
          ],
        }),
      );
      const clever = (await call('suggest-schema', await fixture('invoice.pdf'), { maxFields: 4 }, 'clever')).json<{
        fields: { name: string; description?: string }[];
      }>();
      expect([
        clever.fields.length,
        clever.fields[0]?.name,
        clever.fields[0]?.description,
        clever.fields.some(({ name }) => name === 'ghost'),
      ]).to.deep.equal([4, 'sellerName', 'Who sells', false]);
    });

    it('refuses numbers out of range', async () => {
      for (const maxFields of ['0', '21', 'x'])
        expect((await call('suggest-schema', await fixture('invoice.pdf'), { maxFields })).status).to.equal(400);
    });
  });

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
      model.script(
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
        model.requests[0]?.messages.some(({ role, content }) => role === 'system' && content.includes('A-1')),
      ).to.equal(false);
      model.script(refuses());
      expect((await call('smart-split', file, { rule }, 'clever')).status).to.equal(502);
      model.script(says({ parts: [] }));
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
