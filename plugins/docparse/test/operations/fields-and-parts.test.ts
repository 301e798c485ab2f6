import { fakeContext, fakeFile } from '@quire/plugin-kit';
import { OperationalError, tokens } from '@quire/registry';
import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { PDFDocument } from 'pdf-lib';
import { fails, refuses, says } from '../../../../test/fixtures/model-server.js';
import { type Line, linesPdf } from '../../fixtures/make-invoice.js';
import { extractFieldsJson } from '../../src/operations/extract-fields-json.op.js';
import { docparseServers, fields, type File, fixture } from './docparse-servers.js';

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

describe('Fields over HTTP', function () {
  this.timeout(60_000);
  const host = docparseServers();
  const { call, servers } = host;

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
      host.model.embeds(near);
      expect(
        (await call('ingest', await fixture('bundle.pdf'), { chunkSize: 64, overlap: 0 }, 'clever')).status,
      ).to.equal(200);
      expect(host.model.embedded.flatMap(({ input }) => input).join(' ')).to.contain('Letter to a friend');
      expect((await ask('who is my bill for')).join()).to.match(/^1 Invoice No\.: A-1\s+First page/);
      const letter = '3 Invoice No.: A-2\n\nOther invoice\n\nLetter to a friend';
      expect(await ask('a message to my friend')).to.deep.equal([letter]);
      host.model.embeds(near, (response) => void response.writeHead(500, { 'x-should-retry': 'false' }).end('{}'));
      expect([await ask('bill'), await ask('friend')]).to.deep.equal([[], [letter]]);
      const capabilities = async (name: string): Promise<unknown> =>
        ((await (await fetch(`${servers[name]!.url}/api/v1/docparse/capabilities`)).json()) as { embeddings: unknown })
          .embeddings;
      expect([await capabilities('plain'), await capabilities('clever')]).to.deep.equal([false, true]);
    });
  });

  describe('extract-fields', () => {
    it('returns the PDF byte for byte, and values and evidence in X-Tool-Report', async () => {
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

    it('keeps the header whole when there is much to report', async () => {
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
      host.model.script(
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
      host.model.script(refuses());
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
      host.model.script(fails(500));
      const untold = (
        await call(
          'extract-fields/json',
          await fixture('invoice.pdf'),
          { ...fields('unknown thing'), useModel: 'false' },
          'clever',
        )
      ).json<Found>();
      expect([untold.model, host.model.requests.length]).to.deep.equal([false, 0]);
    });
  });

  describe('suggest-schema', () => {
    it('names fields, at most as many as are wanted, and lets the model describe those that are there', async () => {
      const plain = (await call('suggest-schema', await fixture('invoice.pdf'), { maxFields: 3 })).json<{
        fields: object[];
      }>();
      expect(plain.fields).to.have.length(3);
      host.model.script(
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
});
