import { execFileSync } from 'node:child_process';
import { readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer, type QuireServer } from '@quire/core';
import { callOperation, expectPdf, type OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';

interface Font {
  id: string;
  uid: string;
  program?: string;
  webProgram?: string;
  cosDictionary?: unknown;
  embedded: boolean;
  standard14Name?: string;
}
interface Json {
  metadata: Record<string, unknown>;
  lazyImages?: boolean;
  fonts: Font[];
  pages: {
    textElements: { text: string; fontId: string }[];
    imageElements: { imageData?: string }[];
    resources?: unknown;
    contentStreams?: unknown;
    rotation?: number;
  }[];
  formFields?: { name: string }[];
}

const fixture = (name: string): { name: string; bytes: Uint8Array } => ({
  name,
  bytes: new Uint8Array(readFileSync(new URL(`../../fixtures/${name}`, import.meta.url))),
});

describe("The text editor's conversions over HTTP", function textEditor() {
  this.timeout(60_000);
  let server: QuireServer;
  let url: string;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-text-editor-'));
    server = await createTestServer({ plugins: ['@quire/plugin-convert'] });
    url = await server.start();
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const call = (
    path: string,
    file: { name: string; bytes: Uint8Array },
    params: Record<string, unknown> = {},
  ): Promise<OperationAnswer> => callOperation(url, { path: `convert/${path}`, files: [file], params });
  const told = async (params: Record<string, unknown> = {}): Promise<Json> =>
    (await call('pdf/text-editor', fixture('editor-sample.pdf'), params)).json<Json>();
  const build = (name: string, json: unknown): Promise<OperationAnswer> =>
    call('text-editor/pdf', { name, bytes: Buffer.from(typeof json === 'string' ? json : JSON.stringify(json)) });
  const faults = (answer: OperationAnswer): string[] =>
    (answer.json<{ errors?: { pointer: string }[] }>().errors ?? []).map(({ pointer }) => pointer);

  it('writes a document as a JSON file of its name, images and programs inside', async () => {
    const answer = await call('pdf/text-editor', fixture('editor-sample.pdf'));
    expect([answer.status, answer.headers.get('content-type'), answer.fileName]).to.deep.equal([
      200,
      'application/json',
      'editor-sample.json',
    ]);
    const json = answer.json<Json>();
    expect([json.metadata['title'], json.metadata['numberOfPages'], json.lazyImages, json.pages.length]).to.deep.equal([
      'Editor sample',
      2,
      undefined,
      2,
    ]);
    expect(
      json.pages.flatMap(({ imageElements }) => imageElements).every(({ imageData }) => imageData !== undefined),
    ).to.equal(true);
    expect(json.formFields?.map(({ name }) => name)).to.deep.equal(['person.name', 'agreed']);
    expect([json.pages[0]!.rotation, json.pages[1]!.rotation]).to.deep.equal([undefined, 90]);
    expect(JSON.stringify(json)).to.not.match(/:null|:\[\](?!,"ref")/);
  });

  it('gives each text a font of the list, and each embedded font a form that browsers load', async () => {
    const json = await told();
    const ids = new Set(json.fonts.map(({ id }) => id));
    for (const { textElements } of json.pages)
      for (const { fontId } of textElements) expect(ids.has(fontId)).to.equal(true);
    const embedded = json.fonts.find(({ embedded: one }) => one)!;
    const { create } = await import('fontkit');
    const font = create(Buffer.from(embedded.webProgram!, 'base64')) as import('fontkit').Font;
    // The letters that the document has glyphs for, and none besides.
    expect([
      font.hasGlyphForCodePoint(0x41),
      font.glyphForCodePoint(0x41).path.commands.length > 5,
      font.hasGlyphForCodePoint(0x5a),
    ]).to.deep.equal([true, true, false]);
    expect(json.fonts.find(({ standard14Name }) => standard14Name !== undefined)?.standard14Name).to.equal('Helvetica');
  });

  it('gives a smaller answer when asked, by field or query', async () => {
    const json = await told({ lightweight: true });
    expect([json.lazyImages, json.formFields, json.pages[0]!.resources, json.pages[0]!.contentStreams]).to.deep.equal([
      true,
      undefined,
      undefined,
      undefined,
    ]);
    expect(
      json.fonts.some(
        ({ program, webProgram, cosDictionary }) =>
          program !== undefined || webProgram !== undefined || cosDictionary !== undefined,
      ),
    ).to.equal(false);
    expect(json.pages[0]!.imageElements.every(({ imageData }) => imageData === undefined)).to.equal(true);
    const form = new FormData();
    form.set('fileInput', new Blob([fixture('editor-sample.pdf').bytes as Uint8Array<ArrayBuffer>]), 'x.pdf');
    const answer = await fetch(`${url}/api/v1/convert/pdf/text-editor?lightweight=true`, {
      method: 'POST',
      body: form,
    });
    expect(((await answer.json()) as Json).lazyImages).to.equal(true);
  });

  it('brings a document there and back', async () => {
    const json = (await call('pdf/text-editor', fixture('editor-sample.pdf'))).bytes;
    const answer = await call('text-editor/pdf', { name: 'editor-sample.json', bytes: json });
    expect([answer.status, answer.headers.get('content-type'), answer.fileName]).to.deep.equal([
      200,
      'application/pdf',
      'editor-sample.pdf',
    ]);
    await expectPdf(answer.bytes).pages(2);
  });

  it('names the result after the file, and keeps a .pdf that the name has already', async () => {
    expect((await build('letter.json', {})).fileName).to.equal('letter.pdf');
    expect((await build('letter.pdf.json', {})).fileName).to.equal('letter.pdf');
  });

  it('draws a page from its elements, in the requested font or others that have the letters', async () => {
    const answer = await call('text-editor/pdf', fixture('editor-page.json'));
    const path = join(folder, 'page.pdf');
    writeFileSync(path, answer.bytes);
    const text = execFileSync('pdftotext', [path, '-']).toString();
    for (const word of ['In bold', 'Κείμενο и текст', 'Turned']) expect(text).to.contain(word);
    const fonts = execFileSync('pdffonts', [path]).toString();
    expect(fonts).to.contain('Helvetica-Bold').and.contain('QuireNoto');
    expect(execFileSync('pdfinfo', [path]).toString())
      .to.match(/Title:\s+By hand/)
      .and.match(/300 x 200 pts/);
    expect(execFileSync('pdfimages', ['-list', path]).toString().split('\n').length).to.be.greaterThan(3);
  });

  it('refuses a body that is not JSON, and names members of a wrong type by their place', async () => {
    for (const text of ['{', '[]', 'null', '"a"', '{"pages":', '{"pages":{}}', '{} {}']) {
      const answer = await build('x.json', text);
      expect([answer.status, answer.json<{ code: string }>().code], text).to.deep.equal([400, 'INPUT_INVALID']);
    }
    expect(
      faults(
        await build('x.json', { pages: [{ width: 'wide', textElements: [{ text: 5, fontSize: '12' }, { x: null }] }] }),
      ),
    ).to.deep.equal(['/pages/0/width', '/pages/0/textElements/0/text', '/pages/0/textElements/0/fontSize']);
    expect(faults(await build('x.json', { fonts: [{ program: '*' }] }))).to.deep.equal(['/fonts/0/program']);
    expect(
      faults(
        await build('x.json', { pages: [{ imageElements: [{ x: 1, y: 1, width: 9, height: 9, imageData: 'AAAA' }] }] }),
      ),
    ).to.deep.equal(['/pages/0/imageElements/0/imageData']);
    expect(
      (await call('text-editor/pdf', { name: 'x.pdf', bytes: fixture('editor-sample.pdf').bytes })).status,
    ).to.equal(415);
    expect((await call('pdf/text-editor', fixture('editor-damaged.pdf'))).status).to.equal(400);
  });
});
