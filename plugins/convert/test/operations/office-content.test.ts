import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer, type QuireServer } from '@quire/core';
import { callOperation, type OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';
import { flatText, textDocument } from '../office-samples.js';
import { onPath } from '../on-path.js';

describe('content of office files in PDF (skipped where soffice or poppler is not on PATH)', function suite() {
  this.timeout(120_000);
  let server: QuireServer;
  let url: string;
  let folder: string;
  before(async function needsPrograms() {
    if (!onPath('soffice', 'pdftotext', 'pdfimages', 'qpdf')) return this.skip();
    folder = mkdtempSync(join(tmpdir(), 'quire-office-'));
    server = await createTestServer({ plugins: ['@quire/plugin-convert'] });
    url = await server.start();
  });
  after(async () => {
    await server?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  const call = (name: string, bytes: Uint8Array | string): Promise<OperationAnswer> =>
    callOperation(url, {
      path: 'convert/file/pdf',
      files: [{ name, bytes: typeof bytes === 'string' ? new TextEncoder().encode(bytes) : new Uint8Array(bytes) }],
      params: {},
    });
  const print = async (name: string, bytes: Uint8Array | string): Promise<string> => {
    const answer = await call(name, bytes);
    expect(answer.status, `${name}: ${answer.status === 200 ? '' : new TextDecoder().decode(answer.bytes)}`).to.equal(
      200,
    );
    const pdf = join(folder, 'out.pdf');
    writeFileSync(pdf, answer.bytes);
    return pdf;
  };
  const ask = (program: string, ...args: string[]): string => execFileSync(program, args, { encoding: 'utf8' });
  const textOf = (pdf: string): string => ask('pdftotext', '-layout', pdf, '-');

  it('print every cell of a table in text as it is written', async () => {
    const cells = ['007', '12345678901234567890', '1/2/2026', '5%', '0.10', '1E5', '3-4', 'MAR1', '=1+1', '01067'];
    const head = cells.map((_, index) => `h${index}`);
    const rows = (separator: string): string => `${head.join(separator)}\r\n${cells.join(separator)}\r\n`;
    const quoted = `${head.join(',')}\n${cells.map((cell) => `"${cell}"`).join(',')}\n`;
    for (const [name, content] of [
      ['comma.csv', rows(',')],
      ['semicolon.csv', Buffer.from(rows(';'), 'utf16le')],
      ['tab.tsv', `\uFEFF${rows('\t')}`],
      ['quoted.csv', quoted],
      // So many cells are not laid out, but read by LibreOffice itself.
      ['many.csv', `${quoted}${'x,,,,,,,,,\n'.repeat(20_001)}`],
    ] as const)
      expect(ask('pdftotext', '-l', '1', await print(name, content), '-').split(/\s+/), name).to.include.members(cells);
  });

  it('print a wide table in text on one lying page, and wrap what is long', async () => {
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
    const wide = Array.from({ length: 14 }, (_, index) => `column ${index}`).join(',');
    const pdf = await print('wide.csv', `${wide}\n"${words}","two\nlines",=1+1\n`);
    expect(ask('pdfinfo', pdf))
      .to.match(/Pages: +1\n/)
      .and.match(/Page size: +841\.\d+ x 595/);
    expect(textOf(pdf).split(/\s+/)).to.include.members(['word0', 'word59', 'two', 'lines', '=1+1']);
  });

  const warningsOf = async (name: string, bytes: Uint8Array | string): Promise<string> => {
    const answer = await call(name, bytes);
    expect(answer.status, name).to.equal(200);
    return decodeURIComponent(answer.headers.get('x-warnings') ?? '');
  };

  it('show every script with the built-in fonts, and name the one for which no font is there', async () => {
    // A Chinese, a Japanese and a Korean line, Thai, Devanagari, Arabic, Hebrew, Tamil and an emoji.
    const lines = ['中文简体', '日本語テキスト', '한국어', 'ภาษาไทย', 'हिन्दी', 'العربية', 'עברית', 'தமிழ்', '😀'];
    const body = lines.map((line) => `<text:p>${line}</text:p>`).join('');
    expect(await warningsOf('scripts.fodt', flatText(body))).to.equal('');
    // Cuneiform numbers are in no font that a server has by chance.
    expect(await warningsOf('rare.fodt', flatText('<text:p>Number \u{12400}</text:p>')))
      .to.contain('printed as empty boxes')
      .and.contain('U+12400')
      .and.contain('--with-fonts');
  });

  it('warn that tracked changes are printed', async () => {
    const run = (tag: string, text: string): string => `<w:r><w:${tag} xml:space="preserve">${text}</w:${tag}></w:r>`;
    const mark = 'w:id="1" w:author="A" w:date="2026-01-01T00:00:00Z"';
    const changed = `<w:p>${run('t', 'kept ')}<w:del ${mark}>${run('delText', 'gone')}</w:del></w:p>`;
    expect(await warningsOf('changed.docx', await textDocument({ body: changed }))).to.contain('has tracked changes');
    expect(await warningsOf('same.docx', await textDocument({ body: `<w:p>${run('t', 'kept')}</w:p>` }))).to.equal('');
    expect(await warningsOf('changed.rtf', '{\\rtf1 kept {\\deleted gone}}')).to.contain('has tracked changes');
  });
});
