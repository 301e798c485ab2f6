import { expect } from 'chai';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { DocumentError } from '../../../errors.js';
import { isInterrupted, withinTime } from '../../../interrupt.js';
import { withDocument } from '../../../engines/pdfium/index.js';
import { runQpdf, runQpdfRaw } from '../../../engines/qpdf/index.js';
import { openLazily } from '../../../file/reader/index.js';
import { repairPdf, type RepairProgram, fileProgram } from '../../../file/repair/index.js';
import { isNightly } from '../../../../test/suites/nightly.js';
import { corpusFiles, hasCorpus } from '../inspection/corpus.js';

async function twoPages(objectStreams = false): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const text of ['First', 'Second']) pdf.addPage([300, 300]).drawText(text, { x: 40, y: 200, size: 24, font });
  return pdf.save({ useObjectStreams: objectStreams });
}

const edit = (bytes: Uint8Array, change: (text: string) => string): Uint8Array =>
  Buffer.from(change(Buffer.from(bytes).toString('latin1')), 'latin1');
const texts = (bytes: Uint8Array): Promise<string[]> =>
  withDocument(bytes, {}, (document) => Array.from({ length: document.pageCount }, (_, i) => document.pageText(i)));
const refusal = (work: Promise<unknown>): Promise<{ code: unknown; detail: string }> =>
  work.then(
    () => ({ code: 'repaired', detail: '' }),
    (error: unknown) =>
      error instanceof DocumentError
        ? { code: error.code, detail: String(error.data['detail'] ?? '') }
        : { code: error, detail: '' },
  );
const check = async (bytes: Uint8Array): Promise<number> =>
  (await runQpdfRaw(['--check', 'in.pdf'], { inputs: [{ name: 'in.pdf', bytes }], outputs: [] })).code;

/** No engine in this process can read it. */
const hopeless = Buffer.from('%PDF-1.7\n1 0 obj\n<</Type/Nothing>>\nendobj\n');

describe('Repair with several engines', () => {
  it('reports no fault for a sound file, and uses the first engine', async () => {
    const { engine, warnings, passedOver } = await repairPdf(await twoPages());
    expect({ engine, warnings, passedOver }).to.deep.equal({ engine: 'quire', warnings: [], passedOver: [] });
  });

  it('reports what was wrong', async () => {
    const cut = await repairPdf(edit(await twoPages(), (text) => text.slice(0, text.lastIndexOf('\nxref'))));
    expect(cut.warnings).to.deep.equal([
      'its cross-reference was missing or unreadable: the file was searched for objects',
    ]);
    const counted = await repairPdf(edit(await twoPages(), (text) => text.replace('/Count 2', '/Count 7')));
    expect(counted.warnings).to.deep.equal(['it claimed 7 pages and has 2']);
    const beheaded = await repairPdf(edit(await twoPages(), (text) => text.slice(text.indexOf('\n\n') + 2)));
    expect(beheaded.warnings).to.include('its header was missing');
  });

  for (const objectStreams of [false, true]) {
    it(`collects pages when the catalog is lost${objectStreams ? ', out of object streams too' : ''}`, async () => {
      const whole = await twoPages(objectStreams);
      const lost = objectStreams
        ? // The trailer leads nowhere, and so does the catalog's reference to the page tree.
          edit(
            (
              await runQpdf(['--object-streams=generate', '--stream-data=uncompress', 'in.pdf', 'out.pdf'], {
                inputs: [{ name: 'in.pdf', bytes: whole }],
                outputs: ['out.pdf'],
              })
            ).files['out.pdf'] ?? whole,
            (text) =>
              text.replace(/\/Pages (\d+) 0 R/, (all) => all.replace(/\d+/, (number) => '9'.repeat(number.length))),
          )
        : edit(whole, (text) =>
            text
              .replace('/Type /Catalog', '/Type /Cat_log')
              .slice(0, text.lastIndexOf('\nxref'))
              .replace('/Type /Pages', '/Type /Pag_s'),
          );
      const { bytes, engine, warnings } = await repairPdf(lost);
      expect(engine).to.equal('quire');
      expect(warnings).to.deep.equal(['its catalog or page tree was lost: the remaining pages were collected']);
      expect((await texts(bytes)).sort()).to.deep.equal(['First', 'Second']);
      expect(await check(bytes)).to.equal(0);
    });
  }

  it('keeps the pages of a file that was truncated in the middle of one', async () => {
    const whole = Buffer.from(await twoPages());
    const { bytes } = await repairPdf(whole.subarray(0, whole.lastIndexOf('endobj') - 20));
    expect((await texts(bytes)).length).to.equal(2);
    // A content stream may have lost its end, which only shows when it is decoded; nothing else is wrong.
    expect(await check(bytes)).to.be.oneOf([0, 3]);
    expect(openLazily(bytes).recovered).to.equal(false);
  });

  it('keeps an encryption without a user password', async () => {
    for (const scheme of [['128', '--use-aes=y'], ['256']]) {
      const { files } = await runQpdf(
        ['--encrypt', '', 'owner', ...scheme, '--print=none', '--', 'in.pdf', 'out.pdf'],
        { inputs: [{ name: 'in.pdf', bytes: await twoPages() }], outputs: ['out.pdf'] },
      );
      const damaged = edit(files['out.pdf'] ?? new Uint8Array(), (text) =>
        text.replace(/startxref\n\d+/, 'startxref\n7'),
      );
      const { bytes, engine } = await repairPdf(damaged);
      expect(engine).to.equal('quire');
      expect(await texts(bytes)).to.deep.equal(['First', 'Second']);
      const { stdout, code } = await runQpdfRaw(['--password=owner', '--show-encryption', 'in.pdf'], {
        inputs: [{ name: 'in.pdf', bytes }],
        outputs: [],
      });
      expect([code, stdout]).to.satisfy(
        ([ended, text]: [number, string]) =>
          ended === 0 &&
          text.includes('Supplied password is owner password') &&
          text.includes('print low resolution: not allowed'),
      );
    }
  });

  it('rejects a bomb before any engine inflates it, and runs no program', async () => {
    const bomb = deflateSync(Buffer.alloc(300 * 1024 * 1024));
    const head = Buffer.from(
      `%PDF-1.5\n1 0 obj\n<</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length ${bomb.length}>>stream\n`,
    );
    const asked: string[] = [];
    const program: RepairProgram = { name: 'program', rebuild: async (bytes) => (asked.push('asked'), bytes) };
    const { code } = await refusal(
      repairPdf(Buffer.concat([head, bomb, Buffer.from('\nendstream\nendobj\ntrailer\n<</Root 1 0 R>>\n')]), {
        programs: [program],
      }),
    );
    expect(code).to.be.oneOf(['PDF_OBJECT_TOO_LARGE', 'PDF_RATIO', 'INPUT_TOO_COMPLEX']);
    expect(asked).to.deep.equal([]);
  });
});

describe('Programs, the last engines of repair', () => {
  const program = (name: string, rebuild: RepairProgram['rebuild']): RepairProgram => ({ name, rebuild });

  it('are used in order when no engine in this process succeeds', async () => {
    const good = await twoPages();
    const asked: string[] = [];
    const { bytes, engine, passedOver } = await repairPdf(hopeless, {
      programs: [
        program('one', async () => {
          asked.push('one');
          throw new Error('secret words of a program');
        }),
        program('two', async () => (asked.push('two'), new TextEncoder().encode('no document'))),
        program('three', async () => (asked.push('three'), good)),
        program('four', async () => (asked.push('four'), good)),
      ],
    });
    expect([engine, asked, bytes]).to.deep.equal(['three', ['one', 'two', 'three'], good]);
    expect(passedOver.map((line) => line.split(':')[0])).to.deep.equal(['quire', 'pdfium', 'libpdf', 'one', 'two']);
    expect(passedOver.join()).to.contain('one: it cannot read it').and.not.contain('secret');
  });

  it('are not run when an engine in this process succeeds', async () => {
    const never = program('never', async () => {
      throw new Error('asked');
    });
    for (const damaged of [
      await twoPages(),
      edit(await twoPages(), (text) => text.slice(0, text.lastIndexOf('\nxref'))),
    ]) {
      expect((await repairPdf(damaged, { programs: [never] })).passedOver).to.deep.equal([]);
    }
  });

  it('are rejected when they return a blank page', async () => {
    const blank = await PDFDocument.create({ updateMetadata: false });
    blank.addPage();
    const bytes = await blank.save();
    const { code, detail } = await refusal(repairPdf(hopeless, { programs: [program('inventor', async () => bytes)] }));
    expect(code).to.equal('REPAIR_FAILED');
    expect(detail)
      .to.contain('quire: ')
      .and.to.contain('pdfium: ')
      .and.to.contain('libpdf: ')
      .and.to.contain('inventor: its output is blank');
  });

  it('are aborted at the deadline, and on cancellation', async () => {
    const waiting = program(
      'sleeper',
      (_bytes, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(Object.assign(new Error('ended'), { code: 'CANCELLED' })), {
            once: true,
          });
        }),
    );
    const { code, detail } = await refusal(repairPdf(hopeless, { programs: [waiting], engineMs: 300 }));
    expect([code, detail.endsWith('sleeper: it did not finish in time')]).to.deep.equal(['REPAIR_FAILED', true]);
    const abort = new AbortController();
    const running = refusal(repairPdf(hopeless, { programs: [waiting], signal: abort.signal }));
    await pause(200);
    const reason = new Error('gone');
    abort.abort(reason);
    expect((await running).code).to.equal(reason);
  });

  it('work on files that are deleted afterwards', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quire-through-'));
    try {
      const good = await twoPages();
      const seen: Uint8Array[] = [];
      const copier = fileProgram('copy', folder, async (input, output) => {
        seen.push(new Uint8Array(readFileSync(input)));
        const { writeFile } = await import('node:fs/promises');
        await writeFile(output, good);
      });
      expect((await repairPdf(hopeless, { programs: [copier] })).engine).to.equal('copy');
      expect(seen).to.deep.equal([new Uint8Array(hopeless)]);
      expect(readdirSync(folder)).to.deep.equal([]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('A deadline', () => {
  it('ends loops in JavaScript and WebAssembly that no timer could', async () => {
    expect(() =>
      withinTime(50, () => {
        for (;;) Math.sqrt(2);
      }),
    )
      .to.throw()
      .that.satisfies(isInterrupted);
    const bytes = await twoPages();
    const ended = await withDocument(bytes, { timeMs: 50 }, (document) => {
      for (;;) document.pageText(0);
    }).catch((error: unknown) => (error as DocumentError).code);
    expect(ended).to.equal('PDF_DAMAGED');
    expect(await texts(bytes), 'a fresh engine serves afterwards').to.deep.equal(['First', 'Second']);
  });

  it('returns results and errors that arrive in time', () => {
    expect(withinTime(1000, () => 7)).to.equal(7);
    expect(() =>
      withinTime(1000, () => {
        throw new DocumentError('PDF_NO_PAGES');
      }),
    ).to.throw(DocumentError);
  });
});

describe('Repair of real damaged files (skipped without the corpus)', function corpusSuite() {
  this.timeout(60_000);
  before(function needsCorpus() {
    if (!hasCorpus) this.skip();
  });

  it('returns a document that strict readers open, or a code; it never hangs', async () => {
    const damaged = corpusFiles()
      .filter(({ class: kind }) => kind === 'bad')
      .filter((_file, i) => process.env['QUIRE_FULL'] === '1' || i % (isNightly ? 16 : 48) === 0);
    for (const { file, path } of damaged) {
      const bytes = new Uint8Array(readFileSync(path));
      const result = await repairPdf(bytes).then(
        (repaired) => repaired.bytes,
        (error: unknown) => error,
      );
      if (result instanceof Uint8Array) expect((await texts(result)).length, file).to.be.above(0);
      else expect(result, file).to.be.instanceOf(DocumentError);
    }
  });
});
