import { readFile } from 'node:fs/promises';
import { callOperation, makePdf, type OperationAnswer, serverForTests } from '@quire/plugin-kit';
import { expect } from 'chai';
import Joi from 'joi';
import plugin from '../../src/index.js';

const names = [
  'page-count',
  'basic-info',
  'document-properties',
  'page-dimensions',
  'form-fields',
  'annotation-info',
  'font-info',
  'security-info',
] as const;
const fixture = (name: string): Promise<Buffer> => readFile(new URL(`../../fixtures/${name}`, import.meta.url));

describe('analysis', function () {
  this.timeout(60_000);
  const server = serverForTests({ plugins: ['@quire/plugin-analysis'] });

  const call = (
    name: (typeof names)[number],
    bytes: Uint8Array,
    { query = '', file = 'in.pdf' } = {},
  ): Promise<OperationAnswer> =>
    callOperation(server.url, { path: `/api/v1/analysis/${name}${query}`, files: [{ name: file, bytes }] });
  const ask = async <T = unknown>(name: (typeof names)[number], file: string | Uint8Array): Promise<T> => {
    const answer = await call(name, typeof file === 'string' ? await fixture(file) : file);
    expect(
      [answer.status, answer.headers.get('content-type')?.split(';')[0], answer.headers.get('content-disposition')],
      name,
    ).to.deep.equal([200, 'application/json', null]);
    // Every member is declared with its type, and no other comes.
    const { returns } = plugin.operations.find(({ path }) => path === `analysis/${name}`)!;
    if ('json' in returns) Joi.assert(answer.json(), returns.json(Joi), { convert: false, presence: 'optional' });
    return answer.json<T>();
  };

  it('counts pages', async () => {
    expect(await ask('page-count', 'sizes.pdf')).to.deep.equal({ pageCount: 3 });
  });

  it('reports the version as a number, the higher of header and catalog, and the bytes sent', async () => {
    const bytes = await fixture('properties.pdf');
    expect(await ask('basic-info', bytes)).to.deep.equal({ pageCount: 1, pdfVersion: 2, fileSize: bytes.length });
    const older = Buffer.from(bytes.toString('latin1').replace('/Version /2.0', '/Version /1.2'), 'latin1');
    expect(await ask('basic-info', older)).to.deep.include({ pdfVersion: 1.7 });
    // Behind other bytes the document is the same, and the upload longer.
    expect(await ask('basic-info', Buffer.concat([Buffer.from('junk\n'), older]))).to.deep.equal({
      pageCount: 1,
      pdfVersion: 1.7,
      fileSize: bytes.length + 5,
    });
  });

  it('reports eight properties, missing ones as null, dates as ISO 8601 in their zone', async () => {
    expect(await ask('document-properties', 'properties.pdf')).to.deep.equal({
      title: 'Größe und 大きさ',
      author: null,
      subject: null,
      keywords: '',
      creator: null,
      producer: 'Maker',
      creationDate: '2024-02-29T12:00:00+01:00',
      modificationDate: null,
    });
    const none = await ask<Record<string, unknown>>('document-properties', 'sizes.pdf');
    expect([Object.keys(none).length, new Set(Object.values(none))]).to.deep.equal([8, new Set([null])]);
  });

  it('reports the crop box within the media box in single precision, neither turned nor scaled', async () => {
    const bytes = await fixture('sizes.pdf');
    expect(await ask('page-dimensions', bytes)).to.deep.equal([
      { width: 595.276, height: 841.89 },
      { width: 200, height: 100.5 },
      { width: 300, height: 400 },
    ]);
    // As text, so that no reader's rounding hides digits that nobody wrote.
    expect(Buffer.from((await call('page-dimensions', bytes)).bytes).toString('utf8')).to.contain(
      '{"width":595.276,"height":841.89}',
    );
  });

  it('counts fields of the top level and reports XFA and what the form says of signatures', async () => {
    const form = (await fixture('form.pdf')).toString('latin1');
    expect(await ask('form-fields', 'form.pdf')).to.deep.equal({
      fieldCount: 2,
      hasXFA: true,
      isSignaturesExist: true,
    });
    // Bit 2, append only, is another matter; a signature field does not mean that there is a signature.
    expect(await ask('form-fields', Buffer.from(form.replace('/SigFlags 3', '/SigFlags 2'), 'latin1'))).to.deep.include(
      { isSignaturesExist: false },
    );
    expect(await ask('form-fields', Buffer.from(form.replace('/XFA [', '/XXX ['), 'latin1'))).to.deep.include({
      hasXFA: false,
    });
    expect(await ask('form-fields', 'sizes.pdf')).to.deep.equal({
      fieldCount: 0,
      hasXFA: false,
      isSignaturesExist: false,
    });
  });

  it('counts annotations of all pages by kind, windows and those of no kind too', async () => {
    expect(await ask('annotation-info', 'annotated.pdf')).to.deep.equal({
      totalCount: 6,
      typeBreakdown: { Link: 3, Text: 1, Popup: 1, Unknown: 1 },
    });
    expect(await ask('annotation-info', 'sizes.pdf')).to.deep.equal({ totalCount: 0, typeBreakdown: {} });
  });

  it('takes a kind for a name, whatever it is called', async () => {
    const odd = Buffer.from(
      (await fixture('annotated.pdf'))
        .toString('latin1')
        .replace('/Subtype /Popup', '/Subtype /__proto__')
        .replace('/Subtype /Text', '/Subtype /A#20B'),
      'latin1',
    );
    const { typeBreakdown } = await ask<{ typeBreakdown: object }>('annotation-info', odd);
    expect(Object.entries(typeBreakdown)).to.deep.equal([
      ['Link', 3],
      ['A B', 1],
      ['__proto__', 1],
      ['Unknown', 1],
    ]);
  });

  it('lists font resources of pages once, inherited ones too, but none of forms', async () => {
    expect(await ask('font-info', 'annotated.pdf')).to.deep.equal({ fontCount: 2, fonts: ['F1', 'TT0'] });
    expect(await ask('font-info', 'sizes.pdf')).to.deep.equal({ fontCount: 0, fonts: [] });
  });

  it('reports the key length and what is forbidden of encrypted documents, and nothing more of others', async () => {
    expect(await ask('security-info', 'restricted.pdf')).to.deep.equal({
      isEncrypted: true,
      keyLength: 128,
      permissions: {
        preventPrinting: true,
        preventModify: false,
        preventExtractContent: true,
        preventModifyAnnotations: false,
      },
    });
    expect(await ask('security-info', 'sizes.pdf')).to.deep.equal({ isEncrypted: false });
  });

  it('reads what is encrypted for nobody as if it were not', async () => {
    expect(await ask('page-dimensions', 'restricted.pdf')).to.deep.equal([{ width: 200, height: 200 }]);
  });

  it('refuses locked and damaged documents by code, and other kinds', async () => {
    const [locked, damaged, text] = [
      await fixture('locked.pdf'),
      await fixture('damaged.pdf'),
      Buffer.from('no document'),
    ];
    for (const name of names) {
      const answers = [await call(name, locked), await call(name, damaged), await call(name, text, { file: 'in.txt' })];
      expect(
        answers.map(({ status, code }) => [status, code]),
        name,
      ).to.deep.equal([
        [400, 'PDF_ENCRYPTED'],
        [400, 'PDF_DAMAGED'],
        [415, 'INPUT_KIND'],
      ]);
    }
    const without = await callOperation(server.url, { path: 'analysis/page-count' });
    expect([without.status, without.code]).to.deep.equal([400, 'INPUT_FILE_MISSING']);
  });

  it('answers by a job too, with the same JSON as its result', async () => {
    const { jobId } = (await call('page-dimensions', await makePdf({ pages: 2 }), { query: '?async=true' })).json<{
      jobId: string;
    }>();
    const job = `${server.url}/api/v1/general/job/${jobId}`;
    let status = '';
    for (const end = Date.now() + 25_000; status !== 'succeeded' && Date.now() < end;)
      status = ((await (await fetch(job)).json()) as { status: string }).status;
    expect(await (await fetch(`${job}/result`)).json()).to.deep.equal(Array(2).fill({ width: 595.28, height: 841.89 }));
  });

  it('is not a step of pipelines', async () => {
    const json = JSON.stringify({
      name: 'count',
      pipeline: names.map((name) => ({ operation: `/api/v1/analysis/${name}`, parameters: {} })),
    });
    const report = (await callOperation(server.url, { path: 'pipeline/validate', params: { json } })).json<{
      errors: { pointer: string }[];
    }>();
    expect(report.errors.map(({ pointer }) => pointer)).to.include.members(
      names.map((_name, i) => `/pipeline/${i}/operation`),
    );
  });
});
