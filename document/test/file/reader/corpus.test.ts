import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { DocumentError } from '../../../errors.js';
import { countPages, openLazily } from '../../../file/reader/index.js';
import { type CorpusFile, corpusFiles, hasCorpus } from '../inspection/corpus.js';
import { compareWithQpdf, hasQpdf } from './compare-qpdf.js';

/** Their /Count is higher than the number of pages in their tree; the manifest has the count. */
const LYING_COUNTS = new Set(['pdfium/named_dests_old_style.pdf', 'pdfium/unsupported_feature.pdf']);
/**
 * Damaged inside: an object in an object stream that runs into the next, and one that the cross-reference places
 * wrongly.
 */
const READ_OTHERWISE = new Set(['qpdf/no-space-compressed-object.pdf', 'pyHanko/broken-objstream4.pdf']);

const files = (): CorpusFile[] => corpusFiles().filter(({ path }) => existsSync(path));
/** `QUIRE_FULL=1` runs all of them. */
const sample = <T>(all: readonly T[]): T[] => all.filter((_, i) => process.env['QUIRE_FULL'] === '1' || i % 40 === 0);

describe(hasCorpus ? 'reading the corpus lazily' : 'reading the corpus lazily (skipped: no ../shared/corpus)', () => {
  before(function () {
    if (!hasCorpus) this.skip();
  });

  it('counts the pages of every good file, without any recovery', () => {
    const wrong = files()
      .filter((file) => file.class === 'good' && !file.needsPassword && !LYING_COUNTS.has(file.file))
      .flatMap((file) => {
        const document = openLazily(readFileSync(file.path));
        if (document.encrypted) return [];
        const pages = countPages(document);
        return pages === file.pages && !document.recovered
          ? []
          : [`${file.file}: ${pages}, not ${file.pages}${document.recovered ? ', recovered' : ''}`];
      });
    expect(wrong).to.deep.equal([]);
  });

  it(
    hasQpdf
      ? 'reads every object and stream of a sample of good files as qpdf does'
      : 'reads every object as qpdf does (skipped: no qpdf)',
    function () {
      this.timeout(process.env['QUIRE_FULL'] === '1' ? 3_600_000 : 60_000);
      if (!hasQpdf) this.skip();
      const wrong = sample(
        files().filter((file) => file.class === 'good' && !file.needsPassword && !READ_OTHERWISE.has(file.file)),
      ).flatMap((file) => {
        const { differences } = compareWithQpdf(openLazily(readFileSync(file.path)), file.path);
        return differences.map(({ object, what }) => `${file.file} ${object}: ${what}`);
      });
      expect(wrong).to.deep.equal([]);
    },
  );

  it('ends in time with a result or an error code on every damaged file', function () {
    this.timeout(60_000);
    const wrong = files()
      .filter((file) => file.class !== 'good')
      .flatMap((file) => {
        try {
          const document = openLazily(readFileSync(file.path));
          countPages(document);
          for (const ref of document.references()) document.lookup(ref);
        } catch (error) {
          if (!(error instanceof DocumentError)) return [`${file.file}: ${String(error)}`];
        }
        return [];
      });
    expect(wrong).to.deep.equal([]);
  });
});
