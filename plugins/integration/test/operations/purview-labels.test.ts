import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument, type PDFName } from 'pdf-lib';
import { createTestServer } from '@quire/core';
import { field, file, json, post, type Answer } from '../../../../test/http/support/client.js';
import { sendJson } from '../../../../test/http/support/login.js';
import { makePdf } from '../../../../test/kit/make-pdf.js';
import { pdfOfObjects } from '../../../../test/kit/pdf-of-objects.js';

const OWN = '77777777-7777-4777-8777-777777777777';
const OTHER = '88888888-8888-4888-8888-888888888888';
const OLD = 'aaaaaaaa-0000-4000-8000-000000000007';
const NEW = 'DEFA4170-0D19-0005-0004-BC88714345D2';
const pdf = readFileSync(new URL('../../fixtures/labelled.pdf', import.meta.url));

describe('labels of sensitivity', function () {
  this.timeout(60_000);
  let server: Awaited<ReturnType<typeof createTestServer>>;
  let own: number;
  let other: number;
  before(async () => {
    server = await createTestServer({ plugins: ['@quire/plugin-integration'], settings: { limits: { workers: 1 } } });
    await server.start();
    const connect = async (tenantId: string): Promise<number> =>
      json<{ id: number }>(
        await sendJson(server, '/api/v1/integrations', { integrationType: 'PURVIEW', name: 'x', config: { tenantId } }),
      ).id;
    [own, other] = [await connect(OWN.toUpperCase()), await connect(OTHER)];
  });
  after(() => server?.stop());

  const tool = (
    name: string,
    params: Readonly<Record<string, string | number>>,
    document: Uint8Array = pdf,
  ): Promise<Answer> =>
    post(`${server.url}/api/v1/integration/${name}`, [
      file(document, 'paper.pdf'),
      ...Object.entries(params).map(([key, value]) => field(key, String(value))),
    ]);
  const apply = (params: Readonly<Record<string, string | number>> = {}, document?: Uint8Array): Promise<Answer> =>
    tool('purview-apply-label', { connectionId: own, labelId: NEW, ...params }, document);
  const read = async (document: Uint8Array, connectionId = own): Promise<Record<string, unknown>> => {
    const answer = await tool('purview-read-label', { connectionId }, document);
    expect(
      [answer.status, answer.body.equals(Buffer.from(document))],
      answer.body.toString('latin1').slice(0, 200),
    ).to.deep.equal([200, true]);
    return JSON.parse(String(answer.headers['x-tool-report'])) as Record<string, unknown>;
  };
  const properties = async (document: Uint8Array): Promise<Record<string, string>> => {
    const { context } = await PDFDocument.load(document, { updateMetadata: false });
    const info = context.lookup(context.trailerInfo.Info) as unknown as {
      entries(): [PDFName, { decodeText?(): string }][];
    };
    return Object.fromEntries(info.entries().map(([key, value]) => [key.decodeText(), value.decodeText?.() ?? '']));
  };

  it('are reported, those of this tenant and those of others, and the file stays as it is', async () => {
    expect(await read(pdf)).to.deep.equal({
      labelled: true,
      labelId: OLD,
      labelName: 'Internal',
      method: 'Standard',
      setDate: '2024-03-01T00:00:00Z',
      contentBits: 9,
      protected: true,
      otherTenantLabels: [],
    });
    expect(await read(pdf, other)).to.deep.equal({
      labelled: false,
      otherTenantLabels: [{ labelId: OLD, siteId: OWN }],
    });
    expect(await read(await makePdf({ pages: 1 }))).to.deep.equal({ labelled: false, otherTenantLabels: [] });
  });

  it(
    'are written as properties, in place of another label of the tenant, beside those of others, and nothing ' +
      'else changes',
    async () => {
      const answer = await apply({ labelName: 'Vertraulich – streng', method: 'privileged', contentBits: 6 });
      expect([answer.status, answer.headers['content-disposition']]).to.deep.equal([
        200,
        'attachment; filename="paper.pdf"; filename*=UTF-8\'\'paper.pdf',
      ]);
      expect(answer.body.subarray(0, pdf.length).equals(pdf), 'an update behind the input').to.equal(true);
      const found = await properties(answer.body);
      const id = NEW.toLowerCase();
      expect(
        Object.keys(found)
          .filter((key) => key.startsWith('MSIP'))
          .sort(),
      ).to.deep.equal(
        ['ActionId', 'ContentBits', 'Enabled', 'Method', 'Name', 'SetDate', 'SiteId'].map(
          (name) => `MSIP_Label_${id}_${name}`,
        ),
      );
      expect(found).to.deep.include({
        [`MSIP_Label_${id}_Enabled`]: 'true',
        [`MSIP_Label_${id}_Method`]: 'Privileged',
        [`MSIP_Label_${id}_Name`]: 'Vertraulich – streng',
        [`MSIP_Label_${id}_SiteId`]: OWN,
        [`MSIP_Label_${id}_ContentBits`]: '6',
        Author: 'Ada Lovelace',
      });
      expect(found[`MSIP_Label_${id}_SetDate`]).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(await read(answer.body)).to.deep.include({
        labelled: true,
        labelId: id,
        labelName: 'Vertraulich – streng',
        contentBits: 6,
        protected: false,
      });
      const both = (await apply({ connectionId: other }, pdf)).body;
      expect(Object.keys(await properties(both)).filter((key) => key.endsWith('_Enabled'))).to.have.length(2);
      expect(await read(both, other)).to.deep.include({
        labelled: true,
        labelId: id,
        otherTenantLabels: [{ labelId: OLD, siteId: OWN }],
      });
      const folder = mkdtempSync(join(tmpdir(), 'quire-label-'));
      try {
        writeFileSync(join(folder, 'x.pdf'), both);
        expect(execFileSync('qpdf', ['--check', join(folder, 'x.pdf')]).toString()).to.contain(
          'No syntax or stream encoding errors',
        );
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  it('are written into a rewritten document where a strict reader would refuse the appended one', async () => {
    const damaged = pdfOfObjects([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</XObject<</F 5 0 R>>>>>>',
      '<</Length 5>>\nstream\n/F Do\nendstream',
      '<</Type/XObject/Subtype/Form/BBox[0 0 9 9]>>\nstream\n0 0 9 9 re f\nendstream',
    ]);
    const answer = await apply({}, damaged);
    expect(answer.status, answer.body.toString('latin1', 0, 300)).to.equal(200);
    expect(answer.headers['x-warnings']).to.equal('1 stream has a wrong length.');
    expect(answer.body.toString('latin1')).to.contain('/Subtype/Form/BBox[0 0 9 9]/Length 12>>');
  });

  it('are written behind a document whose header is damaged, which readers open all the same', async () => {
    const damaged = Buffer.from(pdf);
    damaged.write('#G-BAD', 0, 'latin1');
    const answer = await apply({}, damaged);
    expect(
      [answer.status, answer.body.subarray(0, damaged.length).equals(damaged)],
      answer.body.toString('latin1').slice(0, 300),
    ).to.deep.equal([200, true]);
    expect(await read(answer.body)).to.deep.include({ labelled: true, labelId: NEW.toLowerCase() });
  });

  it('are written into documents that say nothing of themselves', async () => {
    const bare = await PDFDocument.create({ updateMetadata: false });
    bare.addPage([100, 100]);
    expect(await read((await apply({}, await bare.save())).body)).to.deep.include({
      labelled: true,
      labelName: null,
      method: 'Standard',
      contentBits: 0,
    });
  });

  for (const [title, params, code] of [
    ['a label that is not a GUID', { labelId: 'Secret' }, 'INPUT_INVALID'],
    ['a label in braces', { labelId: `{${NEW}}` }, 'INPUT_INVALID'],
    ['no label', { labelId: '' }, 'INPUT_INVALID'],
    ['a method that is none', { method: 'AUTO' }, 'INPUT_INVALID'],
    ['content bits that are none', { contentBits: 16 }, 'INPUT_INVALID'],
    ['a name of two lines', { labelName: 'a\nb' }, 'INPUT_INVALID'],
    ['an unknown connection', { connectionId: 99 }, 'CONNECTION_UNUSABLE'],
  ] as const) {
    it(`are refused with ${title}`, async () => {
      const answer = await apply(params);
      expect([answer.status, json<{ code: string }>(answer).code]).to.deep.equal([400, code]);
    });
  }

  it('are neither read from nor written into a file that is not a readable PDF', async () => {
    for (const name of ['purview-apply-label', 'purview-read-label']) {
      expect(
        json<{ code: string }>(await tool(name, { connectionId: own, labelId: NEW }, Buffer.from('%PDF-1.7 broken')))
          .code,
      ).to.equal('PDF_DAMAGED');
    }
  });
});
