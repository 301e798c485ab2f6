import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDict, PDFName, PDFNumber, PDFString } from 'pdf-lib';
import { normaliseAngle, pageRotation, walkPages } from '../../../structure/pages/index.js';
import { withDocument } from '../../../engines/pdfium/index.js';
import { countPages, openLazily } from '../../../file/reader/index.js';
import { appendBytes } from '../../../file/writer/index.js';
import { type CorpusFile, corpusFiles, hasCorpus } from '../inspection/corpus.js';
import { difference } from './same-document.js';

const hasQpdf = spawnSync('qpdf', ['--version']).status === 0;
/** The whole corpus: `QUIRE_FULL=1 npx mocha document/test/file/writer/append-corpus.test.ts`. */
const full = process.env['QUIRE_FULL'] === '1';
/** Its owner password is the empty one, which PDFium does not try. */
const LOCKED_FOR_PDFIUM = 'pypdf/r6-user-password.pdf';
const NOTE = PDFName.of('QuireNote');

describe(hasCorpus ? 'appending to the corpus' : 'appending to the corpus (skipped: no ../shared/corpus)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'append-corpus-'));
  after(() => rmSync(folder, { recursive: true }));
  before(function () {
    if (!hasCorpus) this.skip();
  });

  const sample = (): CorpusFile[] =>
    corpusFiles()
      .filter((file) => file.class === 'good' && (!file.needsPassword || file.password !== '') && existsSync(file.path))
      .filter(
        (file, i) =>
          full || ((i % 60 === 3 || (file.encrypted && i % 8 === 0)) && statSync(file.path).size < 5_000_000),
      );

  /** qpdf's result: 0 clean, 1 warnings, -1 errors. */
  const check = (path: string, password: string): number =>
    hasQpdf ? [0, 3].indexOf(spawnSync('qpdf', [`--password=${password}`, '--check', path]).status ?? 2) : 0;

  it('rotates the first page and adds an object; every reader sees it, and the rest is unchanged', async function () {
    this.timeout(full ? 3_600_000 : 60_000);
    const wrong: string[] = [];
    for (const file of sample()) {
      try {
        const source = readFileSync(file.path);
        const document = openLazily(source, { password: file.password });
        const page = walkPages(document.context)[0];
        if (page === undefined) continue;
        const angle = normaliseAngle(pageRotation(document.context, page) + 90);
        page.dict.set(PDFName.of('Rotate'), PDFNumber.of(angle));
        const note = PDFDict.withContext(document.context);
        note.set(NOTE, PDFString.of('told by (us)'));
        page.dict.set(NOTE, document.context.register(note));
        const result = Buffer.from(appendBytes(document));
        const path = join(folder, 'result.pdf');
        writeFileSync(path, result);
        if (!result.subarray(0, source.length).equals(source)) wrong.push(`${file.file}: original changed`);
        const again = openLazily(result, { password: file.password });
        if (countPages(again) !== countPages(document) || again.recovered)
          wrong.push(`${file.file}: reads differently`);
        // Numbers stay, so that the two differ in a single place only.
        const parted = difference(document.context, again.context);
        if (parted !== undefined) wrong.push(`${file.file}: ${parted}`);
        const [before, now] = [check(file.path, file.password), check(path, file.password)];
        if (before >= 0 && (now < 0 || now > before)) wrong.push(`${file.file}: qpdf complains`);
        if (file.file === LOCKED_FOR_PDFIUM) continue;
        const seen = await withDocument(
          result,
          { password: file.password },
          (pdfium) => pdfium.pageGeometry(0).rotation,
        );
        if (seen !== angle) wrong.push(`${file.file}: PDFium sees ${seen}, not ${angle}`);
      } catch (error) {
        wrong.push(`${file.file}: ${String((error as Error).stack).slice(0, 300)}`);
      }
    }
    expect(wrong, wrong.join('\n')).to.have.length(0);
  });
});
