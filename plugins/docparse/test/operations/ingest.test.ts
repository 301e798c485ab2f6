import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createTestServer, type QuireServer } from '@quire/core';
import { callOperation, makePdf, type OperationAnswer, readZip } from '@quire/plugin-kit';
import { expect } from 'chai';
import { json, send } from '../../../../test/http/support/client.js';
import { addUser, sendJson, sessionOf } from '../../../../test/http/support/login.js';

type Form = Record<string, unknown>;
type Headers = Readonly<Record<string, string>>;
interface Hits {
  readonly hits: readonly {
    documentId: string;
    documentName: string;
    text: string;
    pageStart: number;
    headingPath: string[];
    score: number;
  }[];
}

const fixture = (name: string): Promise<Uint8Array> => readFile(new URL(`../../fixtures/${name}`, import.meta.url));
const faultyField = (answer: OperationAnswer): string | undefined =>
  answer.json<{ errors?: { pointer: string }[] }>().errors?.[0]?.pointer;
const report = (answer: OperationAnswer): Record<string, unknown> =>
  JSON.parse(answer.headers.get('x-tool-report') ?? '{}') as Record<string, unknown>;
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('docparse/ingest', function suite() {
  this.timeout(60_000);
  let server: QuireServer;
  let off: QuireServer;
  let ann: Headers;
  let bob: Headers;
  before(async () => {
    server = await createTestServer({
      plugins: ['@quire/plugin-docparse'],
      settings: {
        security: { enableLogin: true, initialLogin: { username: 'boss', password: 'the-password-of-the-boss' } },
        aiEngine: { limits: { maxPages: 3 } },
      },
    });
    await server.start();
    off = await createTestServer({ plugins: ['@quire/plugin-docparse'], settings: { docparse: { enabled: false } } });
    await off.start();
    const boss = await sessionOf(server, 'boss', 'the-password-of-the-boss');
    for (const name of ['ann1', 'bob1']) await addUser(server, boss, name);
    [ann, bob] = [
      await sessionOf(server, 'ann1', 'password of ann1'),
      await sessionOf(server, 'bob1', 'password of bob1'),
    ];
  });
  after(() => Promise.all([server?.stop(), off?.stop()]));

  const call = (
    params: Form = {},
    headers: Headers = ann,
    bytes?: Uint8Array,
    path = 'docparse/ingest',
  ): Promise<OperationAnswer> =>
    fixture('report.pdf').then((pdf) =>
      callOperation(server.url, {
        path,
        files: [{ name: 'Report of 2026.pdf', bytes: bytes ?? pdf }],
        params,
        headers,
      }),
    );
  const good = async (...args: Parameters<typeof call>): Promise<OperationAnswer> => {
    const answer = await call(...args);
    expect(answer.status, text(answer.bytes.subarray(0, answer.status === 200 ? 0 : 600))).to.equal(200);
    return answer;
  };
  const search = async (query: string, headers: Headers, more: object = {}): Promise<Hits['hits']> => {
    const answer = await sendJson(server, '/api/v1/docparse/search', { query, ...more }, headers);
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json<Hits>(answer).hits;
  };

  it('answers a zip of the document, its Markdown and its chunks, and reports what it did', async () => {
    const pdf = await fixture('report.pdf');
    const answer = await good({
      documentId: 'r1',
      exportMarkdown: true,
      exportChunksJsonl: true,
      chunkSize: 300,
      overlap: 30,
    });
    expect(answer.fileName).to.equal('Report of 2026-ingested.zip');
    const zip = readZip(answer.bytes);
    expect(zip.map(({ name }) => name)).to.deep.equal([
      'Report of 2026.pdf',
      'Report of 2026.md',
      'Report of 2026.chunks.jsonl',
    ]);
    expect(Buffer.compare(zip[0]!.bytes, pdf), 'the document as it came').to.equal(0);
    expect(text(zip[1]!.bytes).startsWith('# Harbour Report\n\nThis report')).to.equal(true);
    const lines = text(zip[2]!.bytes).split('\n');
    expect(lines.pop()).to.equal('');
    const chunks = lines.map(
      (line) =>
        JSON.parse(line) as {
          documentId: string;
          index: number;
          text: string;
          pageStart: number;
          pageEnd: number;
          headingPath: string[];
        },
    );
    expect(Object.keys(chunks[0]!)).to.deep.equal([
      'documentId',
      'index',
      'text',
      'pageStart',
      'pageEnd',
      'headingPath',
    ]);
    expect(
      chunks.every(
        ({ documentId, index, text: words }, i) => documentId === 'r1' && index === i && words.length <= 300,
      ),
    ).to.equal(true);
    // The setting lets three of four pages in.
    expect(report(answer)).to.deep.include({
      documentId: 'r1',
      chunksIndexed: chunks.length,
      pages: 3,
      sourcePages: 4,
      truncated: true,
      indexed: true,
    });
    expect(chunks.at(-1)!.pageEnd).to.equal(3);
    expect(text(zip[1]!.bytes)).to.not.include('The counts end here');
  });

  it('keeps the chunks for who sent them, and for nobody else', async () => {
    const [hit] = await search('second crane council', ann);
    expect(hit).to.deep.include({ documentId: 'r1', documentName: 'Report of 2026.pdf', pageStart: 1 });
    expect(hit!.headingPath).to.deep.equal(['Harbour Report', 'Traffic']);
    expect(await search('crane', bob)).to.deep.equal([]);
    expect(await search('起重机', ann)).to.have.length.of.at.least(1);
    expect((await sendJson(server, '/api/v1/docparse/search', { query: 'crane' })).status).to.equal(401);
    const forget = (id: string, headers: Headers): Promise<number> =>
      send(`${server.url}/api/v1/docparse/documents/${id}`, { method: 'DELETE', headers }).then(({ status }) => status);
    expect([await forget('r1', bob), await forget('r1', ann), await forget('r1', ann)]).to.deep.equal([404, 204, 404]);
    expect(await search('crane', ann)).to.deep.equal([]);
  });

  it('puts a document in place of the one of the same id, by default that of its bytes', async () => {
    const pdf = await fixture('report.pdf');
    const first = report(await good());
    expect(first['documentId']).to.equal(createHash('sha256').update(pdf).digest('hex'));
    await good();
    expect((await search('harbour', ann, { topK: 100 })).length).to.be.at.most(Number(first['chunksIndexed']));
    await good({ documentId: 'x' }, ann, await makePdf({ pages: 1, text: 'Only ships are told of here.' }));
    await good({ documentId: 'x' }, ann, await makePdf({ pages: 1, text: 'Only horses are told of here.' }));
    expect((await search('ships horses', ann, { documentId: 'x' })).map(({ text: words }) => words)).to.deep.equal([
      'Only horses are told of here.',
    ]);
  });

  it('exports without keeping anything', async () => {
    const answer = await good({ includeOriginal: false, index: false, exportMarkdown: true }, bob);
    expect(readZip(answer.bytes).map(({ name }) => name)).to.deep.equal(['Report of 2026.md']);
    expect(report(answer)).to.deep.include({ chunksIndexed: 0, indexed: false });
    expect(await search('crane', bob)).to.deep.equal([]);
  });

  it('answers the document itself at its older address, and a zip with exports', async () => {
    const pdf = await fixture('report.pdf');
    const answer = await good({ mode: 'basic', documentId: 'old' }, bob, undefined, 'docparse/rag-ingest');
    expect([answer.fileName, Buffer.compare(answer.bytes, pdf), report(answer)['mode']]).to.deep.equal([
      'Report of 2026.pdf',
      0,
      'basic',
    ]);
    expect(readZip((await good({ exportMarkdown: true }, bob, undefined, 'docparse/rag-ingest')).bytes)).to.have.length(
      2,
    );
  });

  it('refuses what has no text, and what would do nothing', async () => {
    const scan = await call({}, ann, await fixture('scan.pdf'));
    expect([scan.status, scan.code]).to.deep.equal([422, 'TEXT_MISSING']);
    const read = await good({ withOcr: true, documentId: 'scan' }, ann, await fixture('scan.pdf'));
    expect(report(read)).to.deep.include({ ocrPages: 1, indexed: true });
    expect((await search('timber Monday', ann, { documentId: 'scan' })).length).to.be.greaterThan(0);
    const faults: readonly (readonly [Form, string])[] = [
      [{ includeOriginal: false }, '/includeOriginal'],
      [{ index: false }, '/index'],
      [{ chunkSize: 128, overlap: 128 }, '/overlap'],
      [{ documentId: 'x'.repeat(201) }, '/documentId'],
      [{ documentId: 'a\u0007b' }, '/documentId'],
      [{ chunkSize: 'x' }, '/chunkSize'],
      [{ index: 'maybe' }, '/index'],
    ];
    for (const [params, field] of faults) {
      const answer = await call(params);
      expect([answer.status, faultyField(answer)], JSON.stringify(params)).to.deep.equal([400, field]);
    }
    for (const body of [
      {},
      { query: '' },
      { query: 'x', topK: 0 },
      { query: 'x', topK: 101 },
      { query: ['x'] },
      { query: 'x'.repeat(2001) },
    ])
      expect(
        (await sendJson(server, '/api/v1/docparse/search', body, ann)).status,
        JSON.stringify(body).slice(0, 40),
      ).to.equal(400);
  });

  it('is a job and a step of pipelines', async () => {
    const form = new FormData();
    form.append('fileInput', new Blob([new Uint8Array(await fixture('report.pdf'))]), 'a.pdf');
    form.append(
      'json',
      JSON.stringify({
        name: 'x',
        pipeline: [
          {
            operation: '/api/v1/docparse/ingest',
            parameters: { exportMarkdown: true, includeOriginal: false, index: false },
          },
        ],
      }),
    );
    const response = await fetch(`${server.url}/api/v1/pipeline/handleData`, {
      method: 'POST',
      body: form,
      headers: ann,
    });
    expect([response.status, /a\.md/.test(response.headers.get('content-disposition') ?? '')]).to.deep.equal([
      200,
      true,
    ]);
    const job = await call({ async: true, exportMarkdown: true, index: false });
    const { jobId } = job.json<{ jobId: string }>();
    for (let i = 0; i < 100; i++) {
      const { status } = json<{ status: string }>(
        await send(`${server.url}/api/v1/general/job/${jobId}`, { headers: ann }),
      );
      if (status === 'succeeded') return;
      expect(['queued', 'running']).to.include(status);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect.fail('the job did not end');
  });

  it('is not set up where parsing is switched off, and so are its fellows', async () => {
    const pdf = await fixture('report.pdf');
    for (const path of ['ingest', 'rag-ingest', 'parse-document', 'extract-tables', 'chunk-document']) {
      const answer = await callOperation(off.url, { path: `docparse/${path}`, files: [{ name: 'a.pdf', bytes: pdf }] });
      expect([answer.status, answer.code], path).to.deep.equal([503, 'SERVICE_NOT_SET_UP']);
    }
    expect((await sendJson(off, '/api/v1/docparse/search', { query: 'x' })).status).to.equal(503);
    for (const [path, params] of [
      ['extract-fields', { fields: '[{"name":"a"}]' }],
      ['extract-fields/json', { fields: '[{"name":"a"}]' }],
      ['suggest-schema', {}],
      ['smart-split', { rule: 'every page' }],
    ] as const) {
      expect(
        (
          await callOperation(off.url, { path: `docparse/${path}`, files: [{ name: 'a.pdf', bytes: pdf }], params })
        ).json(),
        path,
      ).to.deep.include({ status: 503, code: 'SERVICE_NOT_SET_UP' });
    }
    expect(
      (
        await callOperation(off.url, {
          path: 'docparse/fill-template',
          files: [{ name: 'a.pptx', bytes: await fixture('slides-template.pptx') }],
          params: { data: '{"title":"x","points":[]}' },
        })
      ).json(),
    ).to.deep.include({ status: 503, code: 'SERVICE_NOT_SET_UP' });
    expect(json(await send(`${off.url}/api/v1/docparse/capabilities`))).to.deep.include({
      enabled: false,
      indexing: false,
    });
  });
});
