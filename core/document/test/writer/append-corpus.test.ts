import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument, PDFName, PDFNumber } from 'pdf-lib';
import { normaliseAngle, pageRotation, walkPages } from '../../pages/index.js';
import { withDocument } from '../../pdfium/index.js';
import { countPages, openLazily } from '../../reader/index.js';
import { appendBytes } from '../../writer/index.js';
import { corpusFiles, hasCorpus } from '../inspect/corpus.js';

const hasQpdf = spawnSync('qpdf', ['--version']).status === 0;

describe(hasCorpus ? 'appending to the corpus' : 'appending to the corpus (skipped: no ../shared/corpus)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'writer-corpus-'));
  after(() => rmSync(folder, { recursive: true }));
  before(function () {
    if (!hasCorpus) this.skip();
  });

  /** What qpdf ends with: 0 clean, 3 warnings, 2 errors. */
  const check = (path: string): number => (hasQpdf ? [0, 3].indexOf(spawnSync('qpdf', ['--check', path]).status ?? 2) : 0);

  it('turns the first page of a sample of good files, and every reader sees it', async function () {
    this.timeout(60_000);
    const wrong: string[] = [];
    const sample = corpusFiles().filter((file) => file.class === 'good' && !file.needsPassword && existsSync(file.path)).filter((_, i) => i % 10 === 0);
    for (const file of sample) {
      const source = readFileSync(file.path);
      const document = openLazily(source);
      const page = document.encrypted ? undefined : walkPages(document.context)[0];
      if (page === undefined) continue;
      const angle = normaliseAngle(pageRotation(document.context, page) + 90);
      page.dict.set(PDFName.of('Rotate'), PDFNumber.of(angle));
      const result = Buffer.from(appendBytes(document));
      const path = join(folder, 'result.pdf');
      writeFileSync(path, result);
      if (!result.subarray(0, source.length).equals(source)) wrong.push(`${file.file}: original changed`);
      if (countPages(openLazily(result)) !== countPages(document) || openLazily(result).recovered) wrong.push(`${file.file}: reads differently`);
      const [before, now] = [check(file.path), check(path)];
      if (before >= 0 && (now < 0 || now > before)) wrong.push(`${file.file}: qpdf complains`);
      const seen = await withDocument(result, {}, (pdfium) => pdfium.pageGeometry(0).rotation);
      if (seen !== angle) wrong.push(`${file.file}: PDFium sees ${seen}, not ${angle}`);
      const again = walkPages((await PDFDocument.load(result, { updateMetadata: false, throwOnInvalidObject: false })).context)[0];
      if (again?.dict.get(PDFName.of('Rotate'))?.toString() !== String(angle)) wrong.push(`${file.file}: pdf-lib sees ${again?.dict.get(PDFName.of('Rotate'))?.toString()}`);
    }
    expect(wrong).to.deep.equal([]);
  });
});
