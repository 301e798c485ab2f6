import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createTestServer, type QuireServer } from '@quire/core';
import { callOperation, type FormFile, type OperationAnswer, readZip } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';

/** Found in the page content of documents on which the program below crashes. */
const MARK = '% crash here';

/** Replaces Ghostscript: crashes on documents with the mark, or on all, otherwise runs the real one. */
const crashing = (real: string, always: string): string => `#!/bin/sh
for input; do :; done
if [ -e '${always}' ] || grep -aq '${MARK}' "$input"; then kill -SEGV $$; fi
exec '${real}' "$@"
`;

/** Replaces Tesseract: crashes on every page. */
const crashingOcr = (real: string): string => `#!/bin/sh
case "$1" in --*) exec '${real}' "$@";; esac
kill -SEGV $$
`;

/** A page with text, and with the mark in its uncompressed content unless it is harmless. */
async function letter(harmless = false): Promise<FormFile> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const page = pdf.addPage([200, 100]);
  page.drawText('words of a letter', { x: 20, y: 40, size: 20 });
  if (!harmless) page.node.addContentStream(pdf.context.register(pdf.context.stream(MARK)));
  return { name: 'letter.pdf', bytes: await pdf.save({ useObjectStreams: false }) };
}

const whereIs = (command: string): string =>
  spawnSync('sh', ['-c', `command -v ${command}`], { encoding: 'utf8' }).stdout.trim();

describe('A document on which an external program crashes', function () {
  this.timeout(120_000);
  let server: QuireServer | undefined;
  let url: string;
  let folder: string;
  const path = process.env['PATH'];
  before(async function () {
    const [gs, tesseract] = [whereIs('gs'), whereIs('tesseract')];
    if (gs === '' || tesseract === '') return this.skip();
    folder = await mkdtemp(join(tmpdir(), 'quire-crash-'));
    await writeFile(join(folder, 'gs'), crashing(gs, join(folder, 'always')));
    await writeFile(join(folder, 'tesseract'), crashingOcr(tesseract));
    for (const name of ['gs', 'tesseract']) await chmod(join(folder, name), 0o755);
    process.env['PATH'] = [folder, path].join(delimiter);
    server = await createTestServer({ plugins: ['@quire/plugin-convert', '@quire/plugin-misc'] });
    url = await server.start();
  });
  after(async () => {
    process.env['PATH'] = path;
    await server?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  afterEach(() => rm(join(folder, 'always'), { force: true }));

  const call = (operation: string, file: FormFile, params: Record<string, unknown>): Promise<OperationAnswer> =>
    callOperation(url, { path: operation, files: [file], params });
  const warnings = ({ headers }: OperationAnswer): string => decodeURIComponent(headers.get('x-warnings') ?? '');

  for (const [operation, params] of [
    ['convert/pdf/vector', { outputFormat: 'ps' }],
    ['convert/pdf/vector', { outputFormat: 'eps' }],
    ['convert/pdf/pdfa', { outputFormat: 'pdfx' }],
    ['misc/replace-invert-pdf', { replaceAndInvertOption: 'COLOR_SPACE_CONVERSION' }],
  ] as const) {
    const name = `${operation} (${Object.values(params).join(', ')})`;
    it(`is converted by ${name} with its pages as images, which the answer announces`, async () => {
      const answer = await call(operation, await letter(), params);
      expect(answer.status, answer.code).to.equal(200);
      expect(answer.bytes.length).to.be.greaterThan(5000);
      expect(warnings(answer)).to.match(/signal 11, SIGSEGV.*images/s);
      const whole = await call(operation, await letter(true), params);
      expect([whole.status, warnings(whole)]).to.deep.equal([200, '']);
    });

    it(`gets a 422 from ${name} that names the program and the signal when its images fail too`, async () => {
      await writeFile(join(folder, 'always'), '');
      const answer = await call(operation, await letter(), params);
      expect([answer.status, answer.code]).to.deep.equal([422, 'DOCUMENT_UNPROCESSABLE']);
      expect(answer.json<{ detail: string }>().detail).to.equal(
        'ghostscript could not process the file in "fileInput": it crashed (signal 11, SIGSEGV).',
      );
    });
  }

  it('gets a 422 when it is PostScript', async () => {
    const bytes = Buffer.from(`%!PS\n${MARK}\nshowpage\n`);
    const answer = await call('convert/vector/pdf', { name: 'a.ps', bytes }, {});
    expect([answer.status, answer.code]).to.deep.equal([422, 'DOCUMENT_UNPROCESSABLE']);
    expect(answer.json<{ detail: string }>().detail).to.contain('ghostscript').and.to.contain('SIGSEGV');
  });

  it('is read by tesseract.js when Tesseract crashes on its pages', async () => {
    const image = await sharp({
      text: { text: '<span foreground="black">harbour</span>', dpi: 300, rgba: true },
    })
      .flatten({ background: 'white' })
      .extend({ top: 60, bottom: 60, left: 60, right: 60, background: 'white' })
      .png()
      .toBuffer({ resolveWithObject: true });
    const pdf = await PDFDocument.create({ updateMetadata: false });
    const [width, height] = [(image.info.width * 72) / 300, (image.info.height * 72) / 300];
    pdf.addPage([width, height]).drawImage(await pdf.embedPng(image.data), { x: 0, y: 0, width, height });
    const answer = await call(
      'misc/ocr-pdf',
      { name: 'scan.pdf', bytes: await pdf.save() },
      { languages: ['eng'], sidecar: true },
    );
    expect(answer.status, answer.code).to.equal(200);
    const texts = (await readZip(answer.bytes)).map(({ bytes }) => Buffer.from(bytes).toString('utf8'));
    expect(texts.some((text) => text.trim() === 'harbour')).to.equal(true);
  });
});
