import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PDFDocument } from 'pdf-lib';
import type { OfficeFormat } from '@quire/registry';
import type { QuireError } from '@quire/registry/errors';
import { loadSettings } from '../../settings/index.js';
import { findProgram } from '../../isolation/index.js';
import { LibreOfficeExport, LibreOfficeToPdf, OfficePool, ProgramSupervisor, sweepOffice } from '../programs/index.js';
import { socketPaths } from './ipc.js';

/** The fonts are unpacked once for all tests. */
const engines = join(tmpdir(), `quire-test-engines-${process.getuid?.() ?? 0}`);

let said: string[] = [];
const note = (_facts: unknown, text?: string): void => {
  said.push(text ?? '');
};
const quiet = { debug: note, info: note, warn: note, error: note };
/** Empty for a file that the running LibreOffice has removed since it was listed. */
const contentOf = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return '';
  }
};

describe('running LibreOffices (skipped where soffice is not on PATH)', function officeSuite() {
  this.timeout(60_000);
  let folder: string;
  const made: ProgramSupervisor[] = [];
  const listeners = (): string => join(folder, 'listeners');
  const office = (env: Record<string, string> = {}) => {
    const settings = loadSettings({
      env: { SYSTEM_TEMPFILEMANAGEMENT_LIBREOFFICEDIR: listeners(), BROWSER_FOLDER: engines, ...env },
      cwd: folder,
    });
    const programs = new ProgramSupervisor(settings, quiet);
    made.push(programs);
    const pool = new OfficePool(programs, settings, quiet);
    return { programs, toPdf: new LibreOfficeToPdf(programs, pool), exporting: new LibreOfficeExport(programs, pool) };
  };
  /** Ids of the running LibreOffices of the listeners in this test's folder, without the programs that confine them. */
  const pids = (): number[] =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => {
        try {
          const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
          return (
            /^[^\0]*soffice/.test(line) &&
            line.includes(listeners()) &&
            !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
          );
        } catch {
          return false;
        }
      });
  const profiles = (): string[] =>
    (existsSync(listeners()) ? readdirSync(listeners()) : []).map((name) => join(listeners(), name, 'profile'));
  const sockets = (of: readonly string[]): string[] =>
    of.flatMap((profile) => socketPaths(profile, join(profile, '..', '.tmp'))).filter((path) => existsSync(path));
  const until = async (condition: () => boolean, atMostMs = 25_000): Promise<void> => {
    for (let tries = 0; tries < atMostMs / 20 && !condition(); tries++) await pause(20);
  };
  const file = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const signal = new AbortController().signal;
  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'no error',
      (error: unknown) => (error as QuireError).code ?? String(error),
    );
  const long = (name: string): string => file(name, 'word '.repeat(3_000_000));

  before(function needsOffice() {
    if (!new ProgramSupervisor(loadSettings({ env: {}, cwd: tmpdir() }), quiet).has('libreoffice')) this.skip();
  });
  beforeEach(() => {
    said = [];
    folder = mkdtempSync(join(tmpdir(), 'quire-waiting-'));
  });
  afterEach(async () => {
    const were = profiles();
    await Promise.all(made.splice(0).map((programs) => programs.stop()));
    expect([pids(), profiles(), sockets(were)], 'left behind').to.deep.equal([[], [], []]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('convert one document after another in separate folders, keep nothing, and end when idle', async () => {
    const { toPdf, programs } = office({ LIMITS_OFFICEIDLESECONDS: '2' });
    const letter = file('a.txt', 'TOPSECRETPHRASE');
    await toPdf.convert(letter, folder, signal);
    const [pid] = pids();
    for (const name of ['b.rtf', 'c.html'])
      expect(
        (
          await PDFDocument.load(
            readFileSync(await toPdf.convert(file(name, name === 'b.rtf' ? '{\\rtf1 x}' : '<p>x</p>'), folder, signal)),
          )
        ).getPageCount(),
      ).to.equal(1);
    expect(pids()).to.deep.equal([pid]);
    expect(programs.list().find(({ name }) => name === 'libreoffice')).to.deep.include({ running: 0, waiting: 0 });
    const kept = (at: string): string[] =>
      readdirSync(at, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .filter((path) => /TOPSECRETPHRASE|document\.txt/.test(contentOf(path)));
    expect(kept(listeners())).to.deep.equal([]);
    await until(() => pids().length === 0);
    expect(pids(), 'idle').to.deep.equal([]);
    expect(readdirSync(folder).sort()).to.deep.equal([
      'a.pdf',
      'a.txt',
      'b.pdf',
      'b.rtf',
      'c.html',
      'c.pdf',
      'data',
      'listeners',
    ]);
  });

  it('are replaced after the configured number of documents, before the next one arrives', async () => {
    const { toPdf } = office({ LIMITS_OFFICEJOBSBEFORERECYCLE: '2' });
    const letter = file('a.txt', 'x');
    await toPdf.convert(letter, folder, signal);
    const [first] = pids();
    await toPdf.convert(letter, folder, signal);
    await until(() => pids().length === 1 && pids()[0] !== first && sockets(profiles()).length === 1);
    expect(pids()).to.have.length(1).and.not.to.include(first);
  });

  it('are replaced when their memory exceeds the configured limit', async () => {
    const { toPdf } = office({ LIMITS_OFFICEMEMORYMB: '16' });
    const work = toPdf.convert(file('a.txt', 'x'), folder, signal);
    await until(() => sockets(profiles()).length > 0);
    const [first] = pids();
    await work;
    await until(() => pids().every((pid) => pid !== first));
    expect(pids()).not.to.include(first);
  });

  it('print the same as a LibreOffice that is started for each document', async function printsAlike() {
    const { programs, toPdf } = office();
    const sample = file(
      'sample.fodt',
      readFileSync(new URL('../../../plugins/convert/fixtures/sample.fodt', import.meta.url)),
    );
    const words = (pdf: string): string =>
      execFileSync('pdftotext', ['-bbox', pdf, '-'], { encoding: 'utf8' }).replace(/<meta name="CreationDate".*/, '');
    if (findProgram('pdftotext', process.env['PATH'] ?? '') === undefined) return this.skip();
    await toPdf.convert(file('a.rtf', '{\\rtf1\\landscape\\paperw5000 other}'), folder, signal);
    const warm = words(await toPdf.convert(sample, folder, signal));
    await programs.stop();
    const cold = words(await office({ PROCESSEXECUTOR_AUTOUNOSERVER: 'false' }).toPdf.convert(sample, folder, signal));
    expect(warm).to.contain('columns').and.to.equal(cold);
    expect([pids(), profiles()]).to.deep.equal([[], []]);
  });

  it('fail only the document on which they crash: the next ones are converted', async () => {
    const { toPdf } = office();
    const letter = file('a.txt', 'x');
    await toPdf.convert(letter, folder, signal);
    const [pid] = pids();
    process.kill(pid!, 'SIGKILL');
    await until(() => !pids().includes(pid!));
    await toPdf.convert(letter, folder, signal);
    const doomed = codeOf(toPdf.convert(long('long.txt'), folder, signal));
    // The document is tried again, in a process that had no document before it.
    for (const start of [2, 3]) {
      await until(() => said.filter((text) => text === 'the office program is ready').length >= start);
      await pause(200);
      for (const victim of pids()) process.kill(victim, 'SIGKILL');
    }
    expect(await doomed).to.equal('DOCUMENT_UNPROCESSABLE');
    await toPdf.convert(letter, folder, signal);
  });

  it('count as crashed when they are idle during a conversion, and are killed when the work is cancelled', async () => {
    const { toPdf } = office();
    const letter = file('a.txt', 'x');
    await toPdf.convert(letter, folder, signal);
    const [first] = pids();
    process.kill(first!, 'SIGSTOP');
    await toPdf.convert(letter, folder, signal);
    const [second] = pids();
    expect(pids()).to.have.length(1).and.not.to.include(first);
    process.kill(second!, 'SIGSTOP');
    const controller = new AbortController();
    const work = codeOf(toPdf.convert(letter, folder, controller.signal));
    await pause(300);
    controller.abort();
    expect(await work).to.equal('CANCELLED');
    expect(pids()).not.to.include(second);
  });

  it('run in parallel up to the configured number, and report how many run', async () => {
    const { toPdf, programs } = office({ PROCESSEXECUTOR_SESSIONLIMIT_LIBREOFFICESESSIONLIMIT: '2' });
    const controller = new AbortController();
    const works = ['a.txt', 'b.txt', 'c.txt'].map((name) =>
      codeOf(toPdf.convert(long(name), folder, controller.signal)),
    );
    await until(() => sockets(profiles()).length === 2);
    expect(programs.list().find(({ name }) => name === 'libreoffice')).to.deep.include({ running: 2, waiting: 1 });
    expect(pids()).to.have.length(2);
    controller.abort();
    expect(await Promise.all(works)).to.deep.equal(['CANCELLED', 'CANCELLED', 'CANCELLED']);
  });

  it('write the other formats by name, and open a PDF as text or as slides', async () => {
    const { exporting } = office();
    const text = file('in.rtf', '{\\rtf1 Good morning}');
    const slides = join(folder, 'slides.pptx');
    const page = join(folder, 'page.pdf');
    const to = async (format: OfficeFormat, input: string): Promise<string> => {
      const target = join(folder, `out.${format}`);
      await exporting.convert(format, input, target, signal);
      return readFileSync(target, 'latin1').slice(0, 300);
    };
    await exporting.convert('pdf', text, page, signal);
    await exporting.convert('pptx', page, slides, signal);
    const ole = /^\xd0\xcf\x11\xe0/;
    expect(await to('doc', text)).to.match(ole);
    expect(await to('docx', page)).to.match(/^PK/);
    expect(await to('odt', text)).to.contain('application/vnd.oasis.opendocument.text');
    expect(await to('rtf', page)).to.match(/^\{\\rtf1/);
    expect(await to('ppt', slides)).to.match(ole);
    expect(await to('odp', slides)).to.contain('application/vnd.oasis.opendocument.presentation');
    expect(await to('xml', page)).to.match(/^<\?xml/);
    expect(readFileSync(join(folder, 'out.xml'), 'utf8'))
      .to.contain('Good')
      .and.to.contain('office:mimetype="application/vnd.oasis.opendocument.text"');
    expect(await codeOf(to('ppt', text)), 'text is not a presentation').to.equal('OFFICE_UNREADABLE');
  });

  it('leave no files to the next server when theirs was killed', async () => {
    const left = join(folder, 'left', 'listener-abc', 'profile');
    const [socket] = socketPaths(left);
    const other = file('other', 'x');
    mkdirSync(left, { recursive: true });
    writeFileSync(socket!, '');
    await sweepOffice(join(folder, 'left'));
    expect([existsSync(left), existsSync(socket!), existsSync(other)]).to.deep.equal([false, false, true]);
  });
});
