import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { DocumentError } from '../../../errors.js';
import { runQpdf, runQpdfRaw, runQpdfSeries } from '../../../engines/qpdf/index.js';

async function blank(pages: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  for (let i = 0; i < pages; i++) pdf.addPage([100, 100]);
  return pdf.save();
}

async function refusal(work: Promise<unknown>): Promise<DocumentError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof DocumentError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

describe('qpdf', () => {
  it('returns results as bytes and the text of standard output', async () => {
    const inputs = [{ name: 'in.pdf', bytes: await blank(3) }];
    const { files } = await runQpdf(['--linearize', 'in.pdf', 'out.pdf'], { inputs, outputs: ['out.pdf'] });
    expect((await PDFDocument.load(files['out.pdf'] ?? '')).getPageCount()).to.equal(3);
    expect((await runQpdf(['--show-npages', 'in.pdf'], { inputs, outputs: [] })).stdout.trim()).to.equal('3');
  });

  it('reads and writes files in place', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-qpdf-'));
    try {
      await writeFile(join(folder, 'a.pdf'), await blank(2));
      await runQpdf(['in', '--pages', '.', '1-z', '.', '1-z', '--', 'out'], {
        inputs: [{ name: 'in', path: join(folder, 'a.pdf') }],
        outputs: [{ name: 'out', path: join(folder, 'b.pdf') }],
      });
      expect((await PDFDocument.load(await readFile(join(folder, 'b.pdf')))).getPageCount()).to.equal(4);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('rejects a damaged file without revealing its path, and leaves the process alone', async () => {
    const files = { inputs: [{ name: 'in.pdf', bytes: new TextEncoder().encode('%PDF-1.4\nnothing') }], outputs: [] };
    const before = process.exitCode;
    const error = await refusal(runQpdf(['--check', 'in.pdf'], files));
    expect(error.code).to.equal('PDF_DAMAGED');
    expect(String(error.data['detail'])).not.to.match(/files|in0/);
    expect((await runQpdfRaw(['--check', 'in.pdf'], files)).code).to.equal(2);
    expect(process.exitCode).to.equal(before);
  });

  it('recognises a wrong password', async () => {
    const { files } = await runQpdf(['--encrypt', 'a', 'b', '256', '--', 'in.pdf', 'out.pdf'], {
      inputs: [{ name: 'in.pdf', bytes: await blank(1) }],
      outputs: ['out.pdf'],
    });
    const inputs = [{ name: 'in.pdf', bytes: files['out.pdf'] ?? new Uint8Array() }];
    expect(
      (await refusal(runQpdf(['--decrypt', '--password=x', 'in.pdf', 'out.pdf'], { inputs, outputs: ['out.pdf'] })))
        .code,
    ).to.equal('PDF_ENCRYPTED');
  });

  it('judges each file of a long series as it would judge it alone', async () => {
    const good = await blank(2);
    const bad = new TextEncoder().encode('%PDF-1.4\nnothing');
    const cut = good.subarray(0, good.length - 60);
    const files = Array.from({ length: 500 }, (_, i) => (i % 97 === 3 ? bad : i % 101 === 50 ? cut : good));
    const jobs = files.map((bytes) => ({
      args: ['--decode-level=none', 'in.pdf', 'out.pdf'],
      files: { inputs: [{ name: 'in.pdf', bytes }], outputs: ['out.pdf'] },
    }));
    let judged = 0;
    for await (const { code, stderr, files: written } of runQpdfSeries(jobs, 20_000)) {
      const [bytes, job] = [files[judged], jobs[judged]!];
      const which = `file ${judged++}`;
      if (bytes === good) {
        expect([code, stderr], which).to.deep.equal([0, '']);
        expect(written['out.pdf']?.length, which).to.be.greaterThan(300);
        continue;
      }
      const alone = await runQpdfRaw(job.args, job.files);
      expect(alone.code, which).not.to.equal(0);
      expect([code, stderr], which).to.deep.equal([alone.code, alone.stderr]);
    }
    expect(judged).to.equal(500);
  });
});
