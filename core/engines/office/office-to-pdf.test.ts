import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import type { QuireError } from '@quire/registry/errors';
import { loadSettings } from '../../settings/index.js';
import { LibreOfficeToPdf, OfficePool, ProgramSupervisor } from '../programs/index.js';

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const settings = loadSettings({
  env: {
    SYSTEM_TEMPFILEMANAGEMENT_LIBREOFFICEDIR: mkdtempSync(join(tmpdir(), 'quire-listeners-')),
    // The fonts are unpacked once for all tests.
    BROWSER_FOLDER: join(tmpdir(), `quire-test-engines-${process.getuid?.() ?? 0}`),
  },
  cwd: tmpdir(),
});
const supervise = (searchPath?: string): ProgramSupervisor => new ProgramSupervisor(settings, quiet, searchPath);
const officeToPdf = (programs: ProgramSupervisor): LibreOfficeToPdf =>
  new LibreOfficeToPdf(programs, new OfficePool(programs, settings, quiet));
describe('office documents to PDF', () => {
  it('reports that the program is missing', async () => {
    const error = await officeToPdf(supervise('/nowhere'))
      .convert('/tmp/a.txt', '/tmp', new AbortController().signal)
      .catch((reason: unknown) => reason as QuireError);
    expect(error).to.deep.include({ code: 'PROGRAM_MISSING', data: { program: 'libreoffice' } });
  });
});

describe('office documents to PDF with LibreOffice (skipped where soffice is not on PATH)', function officeSuite() {
  this.timeout(60_000);
  let folder: string;
  const programs = supervise();
  const office = officeToPdf(programs);
  const signal = new AbortController().signal;
  before(function needsOffice() {
    if (!programs.has('libreoffice')) this.skip();
  });
  after(() => programs.stop());
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-office-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const codeOf = (input: string): Promise<string> =>
    office.convert(input, folder, signal).then(
      () => 'no error',
      (error: unknown) => (error as QuireError).code ?? String(error),
    );

  it('converts a document with an awkward name and leaves nothing else behind', async () => {
    const input = file('--help %41 #1 Übung.rtf', '{\\rtf1 Good morning\\page Good night}');
    const pdf = await office.convert(input, folder, signal);
    expect(pdf).to.equal(join(folder, '--help %41 #1 Übung.pdf'));
    expect((await PDFDocument.load(readFileSync(pdf))).getPageCount()).to.equal(2);
    expect(readdirSync(folder)).to.have.members(['--help %41 #1 Übung.rtf', '--help %41 #1 Übung.pdf']);
  });

  it('refuses files that the program cannot read, and those that it would print as garbage', async () => {
    const noise = Buffer.from(Array.from({ length: 400 }, (_, index) => (index * 197 + 31) % 256));
    expect(await codeOf(file('broken.docx', Buffer.concat([Buffer.from('PK\x03\x04'), noise])))).to.equal(
      'OFFICE_UNREADABLE',
    );
    expect(await codeOf(file('noise.odt', noise))).to.equal('OFFICE_UNREADABLE');
    expect(await codeOf(file('empty.txt', ''))).to.equal('OFFICE_UNREADABLE');
    expect(readdirSync(folder).filter((name) => name.endsWith('.pdf') || name.startsWith('.'))).to.deep.equal([]);
  });

  it('fetches nothing that a document points to', async () => {
    const asked: string[] = [];
    const server = createServer((request, answer) => {
      asked.push(request.url ?? '');
      answer.end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => {
      server.once('listening', resolve);
    });
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      await office.convert(
        file(
          'page.html',
          `<html><body><img src="${address}/a.png"><link rel="stylesheet" href="${address}/b.css"><iframe src="` +
            `${address}/c"></iframe>text</body></html>`,
        ),
        folder,
        signal,
      );
    } finally {
      server.close();
    }
    expect(asked).to.deep.equal([]);
  });

  it('runs as a single process, without a starter in between', () => {
    expect(programs.list().find(({ name }) => name === 'libreoffice')?.path).to.match(/soffice(\.bin)?$/);
  });

  it('reports its version', async () => {
    expect(await programs.version('libreoffice')).to.match(/LibreOffice/);
    expect(execFileSync('soffice', ['--version']).toString()).to.include(
      (await programs.version('libreoffice'))?.trim(),
    );
  });
});
