import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer, type QuireServer } from '@quire/core';
import { readZip } from '@quire/plugin-kit';
import { expect } from 'chai';
import { readDocument, type ApiDocument } from './api-document.js';
import { judge, makeCall } from './make-call.js';
import { plannedCalls, type PlannedCall } from './planned-calls.js';
import { walkThrough } from './walk-through.js';

describe('a client that knows only the API documentation', function () {
  this.timeout(60_000);
  let server: QuireServer;
  let url: string;
  let calls: PlannedCall[];

  const step = (path: string, parameters: object = {}): object => ({ operation: `/api/v1/${path}`, parameters });
  const pipeline = (what: 'handleData' | 'validate', json: string | Blob, file?: Blob): Promise<Response> => {
    const form = new FormData();
    if (typeof json === 'string') form.append('json', json);
    else form.append('json', json, 'pipeline.json');
    if (file !== undefined) form.append('fileInput', file, 'two.pdf');
    return fetch(`${url}/api/v1/pipeline/${what}`, { method: 'POST', body: form });
  };

  before(async () => {
    // The document omits features that are switched off.
    server = await createTestServer({ settings: { system: { enableUrlToPDF: true, enableMobileScanner: true } } });
    url = await server.start();
    calls = plannedCalls(await readDocument(url));
  });
  after(() => server.stop());

  it('finds an example with its files for every operation', () => {
    for (const path of server.catalog.operations.keys()) {
      const made = calls.filter(({ name }) => name === `/api/v1/${path}`);
      expect(made, path).to.not.have.length(0);
      for (const { example, lacks } of made) expect(lacks, `${path} "${example}"`).to.equal(undefined);
    }
  });

  // npm run walk makes all calls, test/http/api/openapi.test.ts runs the examples of all operations; these cover every
  // kind of form.
  for (const name of [
    'general/overlay-pdfs',
    'misc/update-metadata',
    'filter/filter-page-count',
    'pipeline/validate',
    'info/status',
    'config/endpoint-enabled',
  ]) {
    it(`gets the documented answer of ${name}`, async () => {
      const made = calls.filter((call) => call.name === `/api/v1/${name}`);
      expect(made).to.not.have.length(0);
      for (const call of made) expect(await makeCall(url, call)).to.deep.include({ verdict: 'well', note: '' });
    });
  }

  it('follows links from what it created to all related calls, and deletes it last', async () => {
    const order: string[] = [];
    const wanted = ({ name }: PlannedCall): boolean =>
      /mobile-scanner|pipeline\/handleData|general\/(?:job|files)\/|text-editor\/(?:metadata|page|partial|clear)/.test(
        name,
      );
    const rows = await walkThrough(await readDocument(url), wanted, (call) => {
      order.push(`${call.method} ${call.described.operationId ?? ''}`);
      return makeCall(url, call);
    });
    expect(
      rows
        .filter(({ verdict }) => verdict !== 'well')
        .map(({ method, name, code, note }) => `${method} ${name} ${code} ${note}`),
    ).to.deep.equal([]);
    expect(order).to.include.members([
      'GET getJobResult',
      'GET getFileMetadata',
      'GET downloadScan',
      'POST applyEditorPages',
    ]);
    for (const [before, after] of [
      ['createScanSession', 'uploadScans'],
      ['uploadScans', 'deleteScanSession'],
      ['getJobResult', 'cancelJob'],
      ['applyEditorPages', 'endEditorSession'],
    ]) {
      expect(
        order.findIndex((one) => one.endsWith(` ${before}`)),
        before,
      ).to.be.lessThan(order.findIndex((one) => one.endsWith(` ${after}`)));
    }
  });

  it('learns why a call cannot be made', async () => {
    const rows = await walkThrough(
      await readDocument(url),
      ({ name }) => name.startsWith('/api/v1/invite/'),
      (call) => makeCall(url, call),
    );
    expect(rows.find(({ name }) => name === '/api/v1/invite/validate/{token}')).to.deep.include({
      verdict: 'lacking',
      note: 'a value of token, which POST /api/v1/invite/generate would return: LOGIN_REQUIRED',
    });
    const shares = await walkThrough(
      await readDocument(url),
      ({ name }) => /storage\/(?:files|share-links)/.test(name),
      (call) => makeCall(url, call),
    );
    expect(shares.find(({ name }) => name === '/api/v1/storage/share-links/{token}')?.note).to.equal(
      'a value of token, which POST /api/v1/storage/files/{fileId}/shares/links would return, but that ' +
        'call cannot be made either',
    );
  });

  it('writes a pipeline of ten steps, validates it, and runs it from a file', async () => {
    const steps = [
      step('filter/filter-page-count', { pageCount: 0, comparator: 'Greater' }),
      step('general/rotate-pdf', { angle: 90 }),
      step('misc/add-page-numbers', { position: 8 }),
      step('security/add-watermark', { watermarkType: 'text', watermarkText: 'DRAFT' }),
      step('security/sanitize-pdf'),
      step('general/scale-pages', { pageSize: 'A5' }),
      step('misc/compress-pdf', { optimizeLevel: 3 }),
      step('misc/update-metadata', { title: 'Ten steps' }),
      step('filter/filter-page-size', { standardPageSize: 'A5', comparator: 'Equal' }),
      step('convert/pdf/img', { imageFormat: 'png', singleOrMultiple: 'multiple', dpi: 40 }),
    ];
    const checked = await pipeline('validate', JSON.stringify({ pipeline: steps }));
    expect(checked.status, await checked.text()).to.equal(200);
    const two = await (await fetch(`${url}/swagger-assets/examples/quire-plugin-general/two-pages.pdf`)).blob();
    const answer = await pipeline('handleData', new Blob([JSON.stringify({ pipeline: steps })]), two);
    expect(answer.status).to.equal(200);
    const images = await readZip(new Uint8Array(await answer.arrayBuffer()));
    expect(images.map(({ name }) => name.split('.').at(-1))).to.deep.equal(['png', 'png']);
  });

  it('follows a job of ten steps until it has finished, and opens the results', async function () {
    if (
      ![
        ['qpdf', '--version'],
        ['pdftotext', '-v'],
      ].every(([program = '', version = '']) => spawnSync(program, [version]).status === 0)
    )
      return this.skip();
    const steps = [
      step('filter/filter-page-count', { pageCount: 1, comparator: 'Greater' }),
      step('general/rotate-pdf', { angle: 180 }),
      step('general/rotate-pdf', { angle: 180 }),
      step('misc/add-page-numbers', { customText: 'leaf {n} of {total}', position: 8 }),
      step('security/sanitize-pdf'),
      step('general/scale-pages', { pageSize: 'A5' }),
      step('misc/compress-pdf', { optimizeLevel: 3 }),
      step('misc/update-metadata', { title: 'Ten steps' }),
      step('filter/filter-page-size', { standardPageSize: 'A5', comparator: 'Equal' }),
      step('general/remove-pages', { pageNumbers: '1' }),
    ];
    const form = new FormData();
    form.append('json', JSON.stringify({ pipeline: steps }));
    form.append(
      'fileInput',
      await (await fetch(`${url}/swagger-assets/examples/quire-plugin-general/two-pages.pdf`)).blob(),
      'two.pdf',
    );
    const started = (await (
      await fetch(`${url}/api/v1/pipeline/handleData?async=true`, { method: 'POST', body: form })
    ).json()) as { async: boolean; jobId: string };
    expect(started.async).to.equal(true);
    const job = `${url}/api/v1/general/job/${started.jobId}`;
    // The stream ends when the job does.
    const events = (await (await fetch(`${job}/events`)).text())
      .split('\n')
      .filter((line) => line.startsWith('data:'))
      .map((line) => JSON.parse(line.slice(5)) as { status: string; complete: boolean });
    expect(events.at(-1)).to.deep.include({ status: 'succeeded', complete: true });
    const answer = await fetch(`${job}/result`);
    expect([
      answer.status,
      /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1]?.endsWith('.pdf'),
    ]).to.deep.equal([200, true]);
    const folder = await mkdtemp(join(tmpdir(), 'quire-ten-'));
    try {
      const path = join(folder, 'ten.pdf');
      await writeFile(path, new Uint8Array(await answer.arrayBuffer()));
      const checked = spawnSync('qpdf', ['--check', path], { encoding: 'utf8' });
      expect(checked.status, checked.stdout + checked.stderr).to.equal(0);
      expect(spawnSync('qpdf', ['--show-npages', path], { encoding: 'utf8' }).stdout.trim()).to.equal('1');
      expect(spawnSync('pdftotext', [path, '-'], { encoding: 'utf8' }).stdout).to.contain('leaf 2 of 2');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('gets all ten faults of a pipeline of ten steps', async () => {
    const steps = [
      step('general/rotate-pdff', { angle: 90 }),
      step('filter/filter-page-count', { comparator: 'More' }),
      step('general/rotate-pdf', { angle: 45 }),
      step('security/add-watermark', { watermarkType: 'image' }),
      { operation: 'rotate' },
      step('misc/compress-pdf', { optimizeLevel: 99 }),
      step('general/merge-pdfs', { removeCertSign: 'maybe' }),
      { parameters: {} },
      step('convert/pdf/img', { dpi: 'many' }),
      { ...step('security/auto-redact'), parameters: [] },
    ];
    const answer = await pipeline('validate', JSON.stringify({ pipeline: steps }));
    const { errors } = (await answer.json()) as { errors: { pointer: string }[] };
    expect(answer.status).to.equal(400);
    expect(errors.map(({ pointer }) => pointer)).to.deep.equal([
      '/pipeline/0/operation',
      '/pipeline/1/parameters/comparator',
      '/pipeline/2/parameters/angle',
      '/pipeline/3/parameters/watermarkImage',
      '/pipeline/4/operation',
      '/pipeline/5/parameters/optimizeLevel',
      '/pipeline/6/parameters/removeCertSign',
      '/pipeline/7/operation',
      '/pipeline/8/parameters/dpi',
      '/pipeline/9/parameters',
    ]);
  });

  it('can fetch only the files of examples', async () => {
    for (const path of [
      'quire-plugin-general/../package.json',
      'quire-plugin-general/%2e%2e/package.json',
      'quire-plugin-general/nothing.pdf',
      'nobody/two-pages.pdf',
    ])
      expect((await fetch(`${url}/swagger-assets/examples/${path}`)).status, path).to.equal(404);
    const answer = await fetch(`${url}/swagger-assets/examples/quire-plugin-general/two-pages.pdf`);
    expect([
      answer.status,
      answer.headers.get('content-type'),
      answer.headers.get('content-disposition')?.split(';')[0],
    ]).to.deep.equal([200, 'application/octet-stream', 'attachment']);
  });

  it('sees no invented values: optional fields of a form have no example, required ones have one', () => {
    const form = (document: ApiDocument, name: string) =>
      document.paths[`/api/v1/${name}`]?.['post']?.requestBody?.content['multipart/form-data']?.schema?.properties ??
      {};
    return readDocument(url).then((document) => {
      expect(form(document, 'misc/update-metadata')['author'])
        .to.deep.include({ example: '' })
        .and.property('description')
        .that.contains('Example: `Ada Lovelace`');
      expect(form(document, 'pipeline/validate')['json']?.example).to.contain('rotate-pdf');
      expect(JSON.stringify(document.components.parameters)).to.not.contain('"example"');
    });
  });

  it('would detect a fault', () => {
    const call: PlannedCall = {
      method: 'POST',
      name: '/a',
      path: '/a',
      inPath: {},
      example: '',
      described: {
        responses: { 200: { description: 'well' }, 503: { description: '`PROGRAM_MISSING`: Program missing' } },
      },
      fields: {},
    };
    expect(judge(call, { status: 400, code: 'INPUT_INVALID', length: 9 }).verdict).to.equal('fault');
    expect(judge(call, { status: 200, length: 0 }).verdict).to.equal('fault');
    expect(judge(call, { status: 503, code: 'SERVICE_NOT_SET_UP', length: 9 }).verdict).to.equal('fault');
    expect(judge(call, { status: 503, code: 'PROGRAM_MISSING', detail: 'gs', length: 9 })).to.deep.equal({
      verdict: 'refused',
      note: 'gs',
    });
  });
});

describe('an administrator who knows only the API documentation', function () {
  this.timeout(60_000);
  it('creates users, teams, files, folders, links and invites, uses and deletes them', async () => {
    const server = await createTestServer({
      settings: {
        'security.enableLogin': true,
        'security.initialLogin.username': 'admin',
        'security.initialLogin.password': 'the password',
        'mail.enableInvites': true,
        'system.frontendUrl': 'http://localhost:8080',
        'storage.enabled': true,
        'storage.sharing.enabled': true,
        'storage.sharing.linkEnabled': true,
      },
    });
    try {
      const url = await server.start();
      const answer = await fetch(`${url}/api/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'admin', password: 'the password' }),
      });
      const { session } = (await answer.json()) as { session: { access_token: string } };
      const wanted = ({ name }: PlannedCall): boolean =>
        /\/(?:storage|team|invite|user\/admin|proprietary\/signatures|general\/signatures)\//.test(`${name}/`);
      const rows = await walkThrough(await readDocument(url), wanted, (call) =>
        makeCall(url, call, { authorization: `Bearer ${session.access_token}` }),
      );
      const others = rows
        .filter(({ verdict }) => verdict !== 'well')
        .map(({ method, name, code, note }) => `${method} ${name} ${code === '' ? note : code}`);
      // Mail is not set up; a shared file can only be left by the user it was shared with; a new user has no session
      // and no passkey.
      expect(others).to.deep.equal([
        'POST /api/v1/user/admin/inviteUsers SERVICE_NOT_SET_UP',
        'DELETE /api/v1/storage/files/{fileId}/shares/self a value of fileId, which no answer to this ' +
          'caller returns: Remove a shared file from your list',
        'DELETE /api/v1/user/admin/passkeys/{username}/{id} a value of username, id',
        'DELETE /api/v1/user/admin/sessions/{username}/{id} a value of username, id',
      ]);
      expect(rows.length).to.be.greaterThan(40);
    } finally {
      await server.stop();
    }
  });
});
