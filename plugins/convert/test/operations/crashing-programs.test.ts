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

/** Replaces Ghostscript: crashes on documents with the mark, or on all, in its output; otherwise runs the real one. */
const crashing = (real: string, always: string): string => `#!/bin/sh
for input; do [ "$before" = -o ] && output=$input; before=$input; done
if [ -e '${always}' ] || grep -aq '${MARK}' "$input"; then echo '%PDF-1.7' > "$output"; kill -SEGV $$; fi
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

/** A page with a rectangle, and forms in forms, whose innermost draws another one. */
function nestedForms(depth: number): FormFile {
  const form = (inner: number | undefined): string => {
    const resources = inner === undefined ? '<< >>' : `<< /XObject << /F ${inner} 0 R >> >>`;
    const content = inner === undefined ? '50 50 20 20 re f' : '/F Do';
    return (
      `<< /Type /XObject /Subtype /Form /BBox [0 0 200 200] /Resources ${resources} /Length ${content.length} >>\n` +
      `stream\n${content}\nendstream`
    );
  };
  const content = '10 10 50 50 re f /F Do';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << /XObject << /F 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ...Array.from({ length: depth }, (_none, i) => form(i + 1 < depth ? i + 6 : undefined)),
  ];
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, i) => {
    const offset = file.length;
    file += `${i + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  return {
    name: 'nested.pdf',
    bytes: Buffer.from(`${file}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`),
  };
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
    server = await createTestServer({
      // Without its validator, a conversion to PDF/A needs Ghostscript.
      settings: { endpoints: { groupsToRemove: ['veraPDF'] } },
      plugins: ['@quire/plugin-convert', '@quire/plugin-misc'],
    });
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
    ['convert/pdf/pdfa', { outputFormat: 'pdfa-2b' }],
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

  it('becomes PDF/A that the program vouches for, and the report says that its pages are images', async () => {
    const answer = await call('convert/pdf/pdfa', await letter(), { outputFormat: 'pdfa-3b' });
    expect(JSON.parse(answer.headers.get('x-tool-report') ?? '{}')).to.include({
      way: 'images',
      checked: false,
      claims: 'PDF/A-3b',
    });
  });

  it('becomes PDF/A with attachments the same way', async () => {
    const answer = await callOperation(url, {
      path: 'misc/add-attachments',
      files: [await letter()],
      parts: { attachments: [{ name: 'a.txt', bytes: Buffer.from('a') }] },
      params: { convertToPdfA3b: true },
    });
    expect(answer.status, answer.code).to.equal(200);
    expect(warnings(answer)).to.match(/signal 11, SIGSEGV.*images/s);
    expect(JSON.parse(answer.headers.get('x-tool-report') ?? '{}')).to.include({ way: 'images', attached: 1 });
  });

  it('becomes PDF/A when its forms contain each other so deep that the real program crashes', async () => {
    const answer = await call('convert/pdf/pdfa', nestedForms(5000), { outputFormat: 'pdfa-2b' });
    expect(answer.status, answer.code).to.equal(200);
    expect(JSON.parse(answer.headers.get('x-tool-report') ?? '{}')).to.include({ claims: 'PDF/A-2b' });
  });

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
