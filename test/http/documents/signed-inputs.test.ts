import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createTestServer, type TestServerOptions } from '@quire/core';
import { expectPdf } from '../../kit/expect-pdf.js';
import { makePdf } from '../../kit/make-pdf.js';
import { pdfOfObjects } from '../../kit/pdf-of-objects.js';
import { expectProblem, field, file, json, post, send, type Answer } from '../support/client.js';
import type { TestServer } from '../support/server.js';

const API = '/api/v1';
const writingPlugin = fileURLToPath(new URL('../../fixtures/writing-plugin', import.meta.url));
const plugins = [
  '@quire/plugin-general',
  '@quire/plugin-signing',
  '@quire/plugin-filter',
  '@quire/plugin-convert',
  writingPlugin,
];

/** A page with a certification signature of this level (DocMDP). */
function certified(level: number): Uint8Array {
  const bodies = [
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]/SigFlags 3>>/Perms<</DocMDP 5 0 R>>>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>',
    '<</FT/Sig/T(s)/V 5 0 R>>',
    '<</Type/Sig/Filter/Adobe.PPKLite/ByteRange[0 10 20 30]/Contents<00>' +
      `/Reference[<</TransformMethod/DocMDP/TransformParams<</P ${level}>>>>]>>`,
  ];
  return pdfOfObjects(bodies);
}

const CHANGED = 'The document is signed; validators report that it was changed after signing.';

describe('Signed PDFs', () => {
  let signed: Uint8Array;
  let plain: Uint8Array;
  let server: TestServer;
  const start = async (settings: TestServerOptions['settings'] = {}): Promise<TestServer> => {
    const started = await createTestServer({ settings, plugins });
    await started.start();
    return started;
  };
  const call = (
    path: string,
    files: readonly Uint8Array[],
    on = server,
    ...fields: readonly [string, string][]
  ): Promise<Answer> =>
    post(`${on.url}${API}/${path}`, [
      ...files.map((bytes) => file(bytes)),
      ...fields.map(([name, value]) => field(name, value)),
    ]);

  before(async () => {
    signed = new Uint8Array(await readFile(new URL('../../../plugins/signing/fixtures/signed.pdf', import.meta.url)));
    plain = await makePdf({ pages: 1 });
    server = await start();
  });
  after(() => server.stop());

  it('are refused by operations that rewrite or take them apart, with the reason and what to do', async () => {
    const problem = expectProblem(await call('general/split-pages', [signed]), 409, 'PDF_SIGNED');
    expect(problem.detail).to.equal(
      'The PDF in "fileInput" has a digital signature that /api/v1/general/split-pages would invalidate: it ' +
        'creates a new document from the pages.',
    );
    expect(JSON.stringify(problem)).to.include('security/remove-cert-sign').and.include('policy.signedInput');
    expect(
      expectProblem(await call('general/remove-pages', [signed], server, ['pageNumbers', '1']), 409, 'PDF_SIGNED')
        .detail,
    ).to.include('writes every byte again');
  });

  it('are refused in any position among several inputs', async () => {
    for (const files of [
      [signed, plain],
      [plain, signed],
    ])
      expectProblem(await call('general/merge-pdfs', files), 409, 'PDF_SIGNED');
    expectProblem(await call('misc/writing-lie', [plain, signed]), 500, 'CONTRACT_BROKEN');
  });

  it("are refused before an operation runs in the server's own process, even with raw input", async () => {
    expectProblem(await call('misc/writing-host', [signed]), 409, 'PDF_SIGNED');
    expectProblem(await call('misc/writing-raw-host', [signed]), 409, 'PDF_SIGNED');
    expect((await call('misc/writing-raw-host', [plain])).status).to.equal(200);
  });

  it('are appended to: every byte stays in front, with a warning that validators report a change', async () => {
    const answer = await call('misc/writing-note', [signed]);
    expect([
      answer.status,
      answer.headers['x-effects'],
      answer.headers['x-warnings'],
      answer.headers['x-tool-report'],
    ]).to.deep.equal([200, undefined, CHANGED, '{"writing":"append"}']);
    expect(answer.body.subarray(0, signed.length).equals(signed)).to.equal(true);
    expect(answer.body.length).to.be.greaterThan(signed.length);
  });

  it('are rotated without changing a byte of the signed revision', async () => {
    const answer = await call('general/rotate-pdf', [signed], server, ['angle', '90']);
    expect([answer.status, answer.headers['x-effects'], answer.headers['x-warnings']]).to.deep.equal([
      200,
      undefined,
      CHANGED,
    ]);
    expect(answer.body.subarray(0, signed.length).equals(signed)).to.equal(true);
    expect(answer.body.length).to.be.greaterThan(signed.length);
    await expectPdf(new Uint8Array(answer.body)).rotation(1, 90);
  });

  it('are never changed by an operation that does not declare it', async () => {
    expectProblem(await call('misc/writing-lie', [signed]), 500, 'CONTRACT_BROKEN');
    expectProblem(await call('misc/writing-silent', [signed]), 500, 'CONTRACT_BROKEN');
    expect((await call('misc/writing-lie', [plain])).status).to.equal(200);
  });

  it('are not appended to where their certification forbids it', async () => {
    for (const level of [1, 2, 3]) {
      expect(expectProblem(await call('misc/writing-note', [certified(level)]), 409, 'PDF_SIGNED').detail).to.include(
        `DocMDP, level ${level}`,
      );
    }
  });

  it('are refused where they are damaged, so that only a rewrite would help', async () => {
    const damaged = Buffer.from(
      Buffer.from(signed)
        .toString('latin1')
        .replace(/startxref\s+\d+/g, 'startxref\n7'),
      'latin1',
    );
    for (const path of ['general/rotate-pdf', 'misc/writing-lie', 'misc/writing-host-lie'])
      expect(expectProblem(await call(path, [damaged]), 409, 'PDF_SIGNED').detail, path).to.include('damaged');
    expectProblem(await call('misc/writing-host-lie', [signed]), 500, 'CONTRACT_BROKEN');
  });

  it('are accepted by operations made for them, which report the state of the signature', async () => {
    for (const path of ['security/remove-cert-sign', 'misc/writing-repair']) {
      const answer = await call(path, [signed]);
      expect([answer.status, answer.headers['x-effects']], path).to.deep.equal([200, 'breaksSignature']);
    }
  });

  it('are accepted by operations that only read, pass on or render', async () => {
    const kept = await call(
      'filter/filter-page-count',
      [signed],
      server,
      ['pageCount', '0'],
      ['comparator', 'Greater'],
    );
    expect([kept.status, kept.body.equals(signed)]).to.deep.equal([200, true]);
    expect((await call('convert/pdf/img', [signed], server, ['dpi', '20'])).status).to.equal(200);
  });

  it('stop a pipeline at the step that would break them, and pass once the signature is removed', async () => {
    const run = (...paths: readonly string[]): Promise<Answer> =>
      post(`${server.url}${API}/pipeline/handleData`, [
        file(signed),
        field(
          'json',
          JSON.stringify({ pipeline: paths.map((path) => ({ operation: `${API}/${path}`, parameters: {} })) }),
        ),
      ]);
    const problem = expectProblem(await run('misc/writing-note', 'misc/writing-host'), 409, 'PDF_SIGNED');
    expect(problem.step?.index).to.equal(1);
    expect((await run('security/remove-cert-sign', 'misc/writing-host')).status).to.equal(200);
  });

  it('can be broken where the operator allows it, silently or with a warning', async () => {
    for (const [policy, warning] of [
      ['allow', undefined],
      ['warn', 'The document was signed; the signatures of the result are no longer valid.'],
    ] as const) {
      const other = await start({ policy: { signedInput: policy } });
      try {
        for (const [path, bytes] of [
          ['misc/writing-host', signed],
          ['misc/writing-note', certified(1)],
        ] as const) {
          const answer = await call(path, [bytes], other);
          expect([answer.status, answer.headers['x-effects'], answer.headers['x-warnings']], path).to.deep.equal([
            200,
            'breaksSignature',
            warning,
          ]);
        }
        const appended = await call('misc/writing-note', [signed], other);
        expect([appended.headers['x-effects'], appended.headers['x-warnings']]).to.deep.equal([
          undefined,
          policy === 'allow' ? undefined : CHANGED,
        ]);
      } finally {
        await other.stop();
      }
    }
  });

  it('are refused by appending operations too where everything must be rewritten', async () => {
    const other = await start({ document: { write: 'rewrite' } });
    try {
      expect(expectProblem(await call('misc/writing-note', [signed], other), 409, 'PDF_SIGNED').detail).to.include(
        'document.write',
      );
      const answer = await call('misc/writing-note', [plain], other);
      expect([
        answer.status,
        answer.headers['x-tool-report'],
        answer.body.subarray(0, plain.length).equals(plain),
      ]).to.deep.equal([200, '{"writing":"rewrite"}', false]);
    } finally {
      await other.stop();
    }
  });

  it('are described in the list of capabilities and the API document', async () => {
    const { operations } = json<{ operations: { path: string; effects: string[]; writes?: string }[] }>(
      await send(`${server.url}${API}/capabilities`),
    );
    const of = (path: string): unknown => {
      const found = operations.find((operation) => operation.path === `${API}/${path}`);
      return [found?.writes, found?.effects];
    };
    expect(of('general/merge-pdfs')).to.deep.equal(['assemble', ['breaksSignature']]);
    expect(of('misc/writing-note')).to.deep.equal(['append', []]);
    expect(of('filter/filter-page-count')).to.deep.equal([undefined, []]);
    const { paths } = json<{ paths: Record<string, { post: { description: string } }> }>(
      await send(`${server.url}/v1/api-docs`),
    );
    expect(paths[`${API}/general/merge-pdfs`]?.post.description)
      .to.include('Write mode: assemble')
      .and.include('PDF_SIGNED');
    expect(paths[`${API}/misc/writing-note`]?.post.description)
      .to.include('Write mode: append')
      .and.not.include('PDF_SIGNED');
  });
});
