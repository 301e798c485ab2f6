import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { makeZip } from '../../test/http/support/zip.js';
import { checkResults, placeAnswer, type ResultCheck } from './check.js';

const run = promisify(execFile);

async function blankPdf(pages: number): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (let n = 0; n < pages; n++) document.addPage([300, 300]);
  return Buffer.from(await document.save());
}

describe('The check of results of the peers', () => {
  let folder: string;
  const failure = (check: ResultCheck): Promise<string> =>
    checkResults(folder, check).then(
      () => 'accepted',
      (error: unknown) => String(error),
    );

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'peers-check-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('accepts a PDF with the wanted pages and rejects one with fewer', async () => {
    await placeAnswer(folder, await blankPdf(2), 'pdf');
    expect(await failure({ kind: 'pdf', files: 1, pages: 2 })).to.equal('accepted');
    expect(await failure({ kind: 'pdf', files: 1, pages: 3 })).to.contain('2 pages instead of 3');
  });

  it('unpacks an archive and counts files and pages', async () => {
    const entries = await Promise.all(
      ['a.pdf', 'b.pdf', 'c.pdf'].map(async (name) => ({ name, bytes: await blankPdf(1) })),
    );
    await placeAnswer(folder, makeZip(entries), 'pdf');
    expect(await failure({ kind: 'pdf', files: 3, pages: 3 })).to.equal('accepted');
    expect(await failure({ kind: 'pdf', files: 2, pages: 3 })).to.contain('3 files .pdf instead of 2');
  });

  it('rejects an empty answer', async () => {
    await placeAnswer(folder, Buffer.alloc(0), 'pdf');
    expect(await failure({ kind: 'pdf', files: 1, pages: 1 })).to.contain('is empty');
  });

  it('tells an encrypted file from an open one', async () => {
    await writeFile(join(folder, 'open.pdf'), await blankPdf(1));
    expect(await failure({ kind: 'pdf', files: 1, pages: 1, password: 'user' })).to.contain('is not encrypted');
    await run('qpdf', ['--encrypt', 'user', 'owner', '256', '--', '--replace-input', join(folder, 'open.pdf')]);
    expect(await failure({ kind: 'pdf', files: 1, pages: 1 })).to.contain('is encrypted');
    expect(await failure({ kind: 'pdf', files: 1, pages: 1, password: 'user' })).to.equal('accepted');
  });

  it('rejects a text without the wanted words, a file that is too large, and something that is no image', async () => {
    await writeFile(join(folder, 'a.txt'), 'page 1');
    expect(await failure({ kind: 'text', contains: 'page 2' })).to.contain('the text has no "page 2"');
    await writeFile(join(folder, 'a.pdf'), await blankPdf(1));
    expect(await failure({ kind: 'pdf', files: 1, pages: 1, mostBytes: 10 })).to.contain('instead of at most');
    await writeFile(join(folder, 'a.png'), 'text');
    expect(await failure({ kind: 'png', files: 1 })).to.contain('is not a PNG image');
  });
});
