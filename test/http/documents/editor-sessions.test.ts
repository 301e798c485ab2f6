import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer } from '@quire/core';
import { expectProblem, field, file, formBody, formType, json, send, type Answer } from '../support/client.js';
import { addUser, bossName, bossPassword, sendJson, sessionOf } from '../support/login.js';
import { until, type TestServer } from '../support/server.js';

const BASE = '/api/v1/convert/pdf/text-editor';
const sample = readFileSync(new URL('../../../plugins/convert/fixtures/editor-sample.pdf', import.meta.url));
type Headers = Readonly<Record<string, string>>;
interface Element {
  text?: string;
  x: number;
  id?: string;
  imageData?: string;
  fontId: string;
}
interface Page {
  pageNumber: number;
  width: number;
  height: number;
  rotation?: number;
  textElements: Element[];
  imageElements: Element[];
  annotations?: unknown[];
  resources?: unknown;
  contentStreams?: unknown;
}

describe('Editing sessions over HTTP', function editingSessions() {
  this.timeout(60_000);
  let base: string;
  let server: TestServer;

  const start = async (login: boolean): Promise<TestServer> => {
    const made = await createTestServer({
      basePath: join(base, 'data'),
      plugins: ['@quire/plugin-convert'],
      ...(login
        ? {
            settings: { security: { enableLogin: true, initialLogin: { username: bossName, password: bossPassword } } },
          }
        : {}),
    });
    await made.start();
    return made;
  };
  const open = (headers: Headers = {}, bytes: Uint8Array = sample): Promise<Answer> =>
    send(`${server.url}${BASE}/metadata`, {
      method: 'POST',
      headers: { 'content-type': formType, ...headers },
      body: formBody([file(bytes)]),
    });
  const opened = async (headers: Headers = {}): Promise<string> => {
    const answer = await open(headers);
    expect(answer.status, answer.body.toString()).to.equal(200);
    return String(answer.headers['x-job-id']);
  };
  const page = (job: string, number: number | string, headers: Headers = {}): Promise<Answer> =>
    send(`${server.url}${BASE}/page/${encodeURIComponent(job)}/${number}`, { headers });
  const partial = (job: string, body: unknown, headers: Headers = {}, query = ''): Promise<Answer> =>
    sendJson(server, `${BASE}/partial/${encodeURIComponent(job)}${query}`, body, headers);
  const clear = (job: string, headers: Headers = {}): Promise<Answer> =>
    send(`${server.url}${BASE}/clear-cache/${encodeURIComponent(job)}`, { method: 'POST', headers });
  const textOf = (pdf: Uint8Array): string => {
    const path = join(base, 'answer.pdf');
    writeFileSync(path, pdf);
    return execFileSync('pdftotext', ['-layout', path, '-']).toString();
  };
  const gone = (answer: Answer): void => {
    expectProblem(answer, 410, 'EDIT_SESSION_GONE');
    const body = json<{ error: string; action: string; message: string }>(answer);
    expect([body.error, body.action, typeof body.message]).to.deep.equal(['cache_unavailable', 'reupload', 'string']);
  };
  /** A refusal without the ids, to compare two refusals. */
  const plain = (answer: Answer): unknown => {
    const {
      requestId: _id,
      timestamp: _time,
      instance: _instance,
      path: _path,
      ...rest
    } = json<Record<string, unknown>>(answer);
    return [answer.status, rest];
  };

  before(() => {
    base = mkdtempSync(join(tmpdir(), 'quire-editor-'));
  });
  after(() => rmSync(base, { recursive: true, force: true }));

  describe('without login', () => {
    before(async () => {
      server = await start(false);
    });
    after(() => server.stop());

    it('begins with a description of the document, under a UUID and without Content-Disposition', async () => {
      const answer = await open();
      expect([answer.status, answer.headers['content-type'], answer.headers['content-disposition']]).to.deep.equal([
        200,
        'application/json',
        undefined,
      ]);
      expect(answer.headers['x-job-id']).to.match(/^[0-9a-f-]{36}$/);
      const body = json<{
        metadata: { title: string; numberOfPages: number };
        lazyImages: boolean;
        fonts: { uid: string; program?: string; cosDictionary?: unknown }[];
        pageDimensions: unknown[];
        formFields?: unknown;
      }>(answer);
      expect([body.metadata.title, body.metadata.numberOfPages, body.lazyImages, body.formFields]).to.deep.equal([
        'Editor sample',
        2,
        true,
        undefined,
      ]);
      expect(body.pageDimensions).to.deep.equal([
        { pageNumber: 1, width: 400, height: 300 },
        { pageNumber: 2, width: 560, height: 720, rotation: 90 },
      ]);
      expect(body.fonts.map(({ uid }) => uid)).to.deep.equal(body.fonts.map(({ uid }) => uid).sort());
      expect(
        body.fonts.some(({ program, cosDictionary }) => program !== undefined || cosDictionary !== undefined),
      ).to.equal(false);
    });

    it('returns pages one by one, with embedded images and their fonts with font programs', async () => {
      const job = await opened();
      const answer = await page(job, 1);
      expect([answer.status, answer.headers['content-disposition']]).to.deep.equal([
        200,
        'attachment; filename="page_1.json"; filename*=UTF-8\'\'page_1.json',
      ]);
      const pageJson = json<Page & Record<string, unknown>>(answer);
      expect(pageJson.textElements.map(({ text }) => text)).to.deep.equal([
        'Heading of the page',
        'A line in an embedded face',
        'Another line below it',
      ]);
      expect([
        pageJson.imageElements.every(({ imageData }) => imageData !== undefined),
        pageJson.resources,
        pageJson.contentStreams,
      ]).to.deep.equal([true, undefined, undefined]);
      const fonts = await send(`${server.url}${BASE}/fonts/${job}/1`);
      expect(fonts.headers['content-disposition']).to.contain('page_fonts_1.json');
      const list = JSON.parse(fonts.body.toString()) as {
        id: string;
        uid: string;
        embedded: boolean;
        program?: string;
        programFormat?: string;
      }[];
      expect(list.map(({ id }) => id).sort()).to.deep.equal(
        [...new Set(pageJson.textElements.map(({ fontId }) => fontId))].sort(),
      );
      expect(
        list
          .filter(({ embedded }) => embedded)
          .every(({ program, programFormat }) => program !== undefined && programFormat === 'ttf'),
      ).to.equal(true);
    });

    it('refuses pages that do not exist with 400', async () => {
      const job = await opened();
      for (const number of ['0', '3', '-1', 'one', '1.5']) expectProblem(await page(job, number), 400, 'INPUT_INVALID');
      expectProblem(await send(`${server.url}${BASE}/fonts/${job}/9`), 400, 'INPUT_INVALID');
    });

    it('accumulates edits, names the result as requested, and continues with the result', async () => {
      const job = await opened();
      const pageJson = json<Page & Record<string, unknown>>(await page(job, 1));
      pageJson.textElements[0]!.text = 'First edit';
      const first = await partial(job, { pages: [pageJson] }, {}, '?filename=..%2Fetc%2Fmy%20file.pdf');
      expect([first.status, first.headers['content-type'], first.headers['content-disposition']]).to.deep.equal([
        200,
        'application/pdf',
        'attachment; filename="my file.pdf"; filename*=UTF-8\'\'my%20file.pdf',
      ]);
      expect(textOf(first.body)).to.contain('First edit').and.not.contain('Heading');
      const second = json<Page & Record<string, unknown>>(await page(job, 2));
      second.textElements.find(({ text }) => text === 'Third line')!.text = 'Second edit';
      const after = await partial(job, { pages: [second] });
      expect(after.headers['content-disposition']).to.contain('Editor sample.pdf');
      expect(textOf(after.body)).to.contain('First edit').and.contain('Second edit').and.contain('Within a form');
      expect(json<Page & Record<string, unknown>>(await page(job, 1)).textElements[0]!.text).to.equal('First edit');
    });

    it('returns the unchanged document for no pages, and skips pages that do not exist', async () => {
      const job = await opened();
      for (const body of [
        {},
        { pages: [] },
        { pages: null },
        { pages: [{ textElements: [] }] },
        { pages: [{ pageNumber: 9, textElements: [] }] },
      ]) {
        const answer = await partial(job, body);
        expect([answer.status, answer.body.equals(sample)], JSON.stringify(body)).to.deep.equal([200, true]);
      }
    });

    it('applies edits on one session one after another', async () => {
      const job = await opened();
      const [one, two] = [
        json<Page & Record<string, unknown>>(await page(job, 1)),
        json<Page & Record<string, unknown>>(await page(job, 2)),
      ];
      one.textElements[1]!.text = 'A line on the one hand';
      two.textElements[0]!.text = 'Kerned on the other';
      const answers = await Promise.all([partial(job, { pages: [one] }), partial(job, { pages: [two] }), page(job, 1)]);
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
      expect(textOf((await partial(job, {})).body))
        .to.contain('on the one hand')
        .and.contain('on the other');
    });

    it('refuses invalid bodies and members of a wrong type with a pointer, and keeps the document', async () => {
      const job = await opened();
      const raw = (body: string, type = 'application/json'): Promise<Answer> =>
        send(`${server.url}${BASE}/partial/${job}`, { method: 'POST', headers: { 'content-type': type }, body });
      for (const body of ['', '{', '{"pages":[}', 'null', '[]', '"text"']) {
        const problem = expectProblem(await raw(body), 400, 'INPUT_MALFORMED');
        expect(problem.type, body).to.equal('/errors/malformed-request');
      }
      expectProblem(await raw('pages=1', 'text/plain'), 415, 'INPUT_MEDIA_TYPE');
      const problem = expectProblem(
        await partial(job, { pages: [{ pageNumber: 1, textElements: [{ text: 'x', x: 'left' }] }] }),
        400,
        'INPUT_INVALID',
      );
      expect(problem.errors?.map(({ pointer }) => pointer)).to.deep.equal(['/pages/0/textElements/0/x']);
      expectProblem(
        await partial(job, {
          pages: [{ pageNumber: 1, imageElements: [{ imageData: 'bm9uZQ==', x: 1, y: 1, width: 5, height: 5 }] }],
        }),
        400,
        'IMAGE_UNREADABLE',
      );
      expect((await partial(job, {})).body.equals(sample)).to.equal(true);
    });

    it('answers 410 for sessions that are gone, and 200 for clearing a missing one', async () => {
      const job = await opened();
      const cleared = await clear(job);
      expect([cleared.status, cleared.body.length]).to.deep.equal([200, 0]);
      for (const answer of [
        await page(job, 1),
        await send(`${server.url}${BASE}/fonts/${job}/1`),
        await partial(job, {}),
        await page('nobody', 1),
      ])
        gone(answer);
      expect((await clear(job)).status).to.equal(200);
      expect((await clear('..%2F..')).status).to.equal(200);
      expect(readdirSync(join(base, 'data', 'tmp', 'text-editor'))).to.not.include(job);
    });

    it('refuses files that are not PDFs, and stores nothing of them', async () => {
      const before = readdirSync(join(base, 'data', 'tmp', 'text-editor')).length;
      expectProblem(await open({}, Buffer.from('%PDF-1.7\nno document')), 400, 'PDF_DAMAGED');
      expect(
        (
          await send(`${server.url}${BASE}/metadata`, {
            method: 'POST',
            headers: { 'content-type': formType },
            body: formBody([]),
          })
        ).status,
      ).to.equal(400);
      expect((await open({}, Buffer.from('plain text'))).status).to.be.oneOf([400, 415]);
      expect(readdirSync(join(base, 'data', 'tmp', 'text-editor')).length).to.equal(before);
    });

    it('continues after a restart', async () => {
      const job = await opened();
      const pageJson = json<Page & Record<string, unknown>>(await page(job, 1));
      pageJson.textElements[0]!.text = 'Before the restart';
      expect((await partial(job, { pages: [pageJson] })).status).to.equal(200);
      await server.stop();
      server = await start(false);
      expect(json<Page & Record<string, unknown>>(await page(job, 1)).textElements[0]!.text).to.equal(
        'Before the restart',
      );
    });
  });

  describe('with login', () => {
    let ann: Headers;
    let bob: Headers;
    before(async () => {
      server = await start(true);
      const boss = await sessionOf(server);
      const user = async (name: string): Promise<Headers> => {
        await addUser(server, boss, name);
        return sessionOf(server, name, `password of ${name}`);
      };
      [ann, bob] = [await user('ann'), await user('bob')];
    });
    after(() => server.stop());

    it('accepts a file of an earlier job of the caller, and of nobody else', async () => {
      const job = json<{ jobId: string }>(
        await send(`${server.url}/api/v1/convert/text-editor/pdf?async=true`, {
          method: 'POST',
          headers: { 'content-type': formType, ...ann },
          body: formBody([file(Buffer.from('{}'), 'made.json')]),
        }),
      ).jobId;
      const record = async () =>
        json<{ complete: boolean; allResultFiles?: { fileId: string }[] }>(
          await send(`${server.url}/api/v1/general/job/${encodeURIComponent(job)}`, { headers: ann }),
        );
      await until('the job is complete', async () => (await record()).complete, 50);
      const fileId = (await record()).allResultFiles?.[0]?.fileId ?? '';
      const begin = (headers: Headers, parts: ReturnType<typeof field>[]): Promise<Answer> =>
        send(`${server.url}${BASE}/metadata`, {
          method: 'POST',
          headers: { 'content-type': formType, ...headers },
          body: formBody(parts),
        });
      const answer = await begin(ann, [field('fileId', fileId)]);
      expect([answer.status, json<{ pageDimensions: unknown }>(answer).pageDimensions]).to.deep.equal([
        200,
        [{ pageNumber: 1, width: 612, height: 792 }],
      ]);
      expectProblem(await begin(bob, [field('fileId', fileId)]), 400, 'INPUT_FILE_UNKNOWN');
      expectProblem(await begin(ann, [field('fileInput', 'a text')]), 400, 'INPUT_FILE_MISSING');
    });

    it("is for its owner only: another user's session and a missing one answer the same", async () => {
      const job = await opened(ann);
      expect(job).to.match(/^[^:]+:[0-9a-f-]{36}$/);
      expect((await page(job, 1, ann)).status).to.equal(200);
      const none = plain(await page(job.replace(/[0-9a-f]{12}$/, '000000000000'), 1, bob));
      expect(plain(await page(job, 1, bob))).to.deep.equal(none);
      expect(plain(await partial(job, {}, bob))).to.deep.equal(none);
      const uuid = job.split(':')[1] ?? '';
      gone(await page(uuid, 1, ann));
      gone(await page(uuid, 1, bob));
      expect((await clear(job, bob)).status).to.equal(200);
      expect((await page(job, 1, ann)).status).to.equal(200);
      expect((await page(job, 1)).status).to.equal(401);
    });
  });
});
