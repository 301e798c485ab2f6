import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer } from '@quire/core';
import { expect } from 'chai';
import { create } from 'fontkit';
import { PDFArray, PDFDict, PDFDocument, PDFName, PDFNumber } from 'pdf-lib';
import { makePdf } from '../../kit/make-pdf.js';
import { expectProblem, field, file, formBody, formType, post, send, type Answer } from '../support/client.js';
import { sendJson } from '../support/login.js';
import type { TestServer } from '../support/server.js';

const EDITOR = '/api/v1/convert/pdf/text-editor';
const tinos = createRequire(import.meta.url).resolve('@expo-google-fonts/tinos/400Regular/Tinos_400Regular.ttf');
/** A letter that Helvetica lacks, and that is narrower in the built-in sans-serif font than in Tinos. */
const LETTER = 'Ж';

/** Advances of glyphs in the composite fonts of a document (ISO 32000-1, 9.7.4.3), as pdf-lib reads them. */
async function advancesIn(bytes: Uint8Array): Promise<number[]> {
  const { context } = await PDFDocument.load(bytes);
  return context.enumerateIndirectObjects().flatMap(([, object]) => {
    if (!(object instanceof PDFDict) || object.get(PDFName.of('Subtype')) !== PDFName.of('CIDFontType2')) return [];
    const list = context.lookup(object.lookup(PDFName.of('W'), PDFArray).get(1), PDFArray);
    return list.asArray().map((width) => context.lookup(width, PDFNumber).asNumber());
  });
}

describe('Settings of the PDF editor', function () {
  this.timeout(120_000);
  let folder: string;
  let font: string;
  let advance: number;
  const started: TestServer[] = [];

  const start = async (pdfEditor: object): Promise<TestServer> => {
    const server = await createTestServer({
      settings: { pdfEditor },
      plugins: ['@quire/plugin-convert', '@quire/plugin-general'],
    });
    await server.start();
    started.push(server);
    return server;
  };
  const build = async (server: TestServer): Promise<Uint8Array> => {
    const json = JSON.stringify({ pages: [{ textElements: [{ text: LETTER, fontSize: 12, x: 20, y: 20 }] }] });
    const answer = await post(`${server.url}/api/v1/convert/text-editor/pdf`, [file(Buffer.from(json), 'page.json')]);
    expect(answer.status, answer.body.toString().slice(0, 300)).to.equal(200);
    return answer.body;
  };
  const open = async (server: TestServer, bytes: Uint8Array): Promise<Answer> =>
    send(`${server.url}${EDITOR}/metadata`, {
      method: 'POST',
      headers: { 'content-type': formType },
      body: formBody([file(bytes)]),
    });
  const textOf = (bytes: Uint8Array): string => {
    const path = join(folder, 'answer.pdf');
    writeFileSync(path, bytes);
    execFileSync('qpdf', ['--check', path], { stdio: 'pipe' });
    return execFileSync('pdftotext', [path, '-']).toString();
  };

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'editor-settings-'));
    // Outside of the folders that confined workers may read anyway.
    font = join(folder, 'House Serif.ttf');
    copyFileSync(tinos, font);
    const face = create(readFileSync(tinos));
    if (!('layout' in face)) throw new Error('a collection');
    advance = Math.round((face.layout(LETTER).glyphs[0]!.advanceWidth * 1000) / face.unitsPerEm);
  });
  after(async () => {
    for (const server of started) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('set new text in the fallback font, in conversions, sessions and replaced text', async () => {
    const server = await start({ 'fallback-font': font });
    const built = await build(server);
    expect(await advancesIn(built)).to.include(advance);
    expect(textOf(built)).to.include(LETTER);
    const pdf = await makePdf({ pages: 1 });
    const job = String((await open(server, pdf)).headers['x-job-id']);
    const edits = { pages: [{ pageNumber: 1, textElements: [{ text: LETTER, fontSize: 12, x: 20, y: 20 }] }] };
    const partial = await sendJson(server, `${EDITOR}/partial/${encodeURIComponent(job)}`, edits);
    expect(partial.status, partial.body.toString().slice(0, 300)).to.equal(200);
    expect(await advancesIn(partial.body)).to.include(advance);
    const [word = ''] = /\w+/.exec(textOf(pdf)) ?? [];
    const replaced = await post(`${server.url}/api/v1/general/edit-text`, [
      file(pdf),
      field('edits', JSON.stringify([{ find: word, replace: LETTER }])),
    ]);
    expect(await advancesIn(replaced.body), word).to.include(advance);
  });

  it('use the built-in fonts where no font is set, or one that cannot be used', async () => {
    writeFileSync(join(folder, 'none.ttf'), '\0\x01\0\0 is how a font begins');
    const built = await build(await start({}));
    const advances = await advancesIn(built);
    expect(advances).to.have.length.greaterThan(0).and.not.include(advance);
    for (const name of [
      'classpath:/static/fonts/NotoSans-Regular.ttf',
      join(folder, 'missing.ttf'),
      join(folder, 'none.ttf'),
      'House Serif.ttf',
      '/dev/zero',
    ])
      expect(await advancesIn(await build(await start({ 'fallback-font': name }))), name).to.deep.equal(advances);
  });

  it('end the oldest session when the documents of all take more than pdfEditor.cache allows', async () => {
    const pdf = await makePdf({ pages: 1 });
    const server = await start({ cache: { 'max-bytes': Math.round(pdf.length * 2.5) } });
    const jobs: string[] = [];
    for (let i = 0; i < 3; i++) jobs.push(String((await open(server, pdf)).headers['x-job-id']));
    const page = (job = ''): Promise<Answer> => send(`${server.url}${EDITOR}/page/${encodeURIComponent(job)}/1`);
    expectProblem(await page(jobs[0]), 410, 'EDIT_SESSION_GONE');
    for (const job of jobs.slice(1)) expect((await page(job)).status).to.equal(200);
  });
});
