import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { qpdfComplaint } from '../../checks/check-pair.js';
import { checkImposed } from '../../checks/check-imposed.js';
import { richFiles } from '../../checks/choose.js';
import { corpus, hasProgram } from '../../support.js';
import { halves, pairs } from './layouts.js';

/** Files with many features that depend on pages; QUIRE_IMPOSE_FILES=2000 tests all good files. */
/**
 * Two elements that claim the same content; fields whose widget several pages list: it stays on the first page and is
 * painted on the others.
 */
const ODD = new Map([
  ['dss/pades-signed-annot-added.pdf', /content/],
  ['pdfium/bug_1296920.pdf', /content/],
  ['pdfium/annotiter.pdf', /fields|annotations/],
  ['qpdf/rotated-shared-annotations-1.pdf', /fields|annotations/],
  ['qpdf/rotated-shared-annotations-2.pdf', /fields|annotations/],
]);
const FILES = Number(process.env['QUIRE_IMPOSE_FILES'] ?? 60);

describe(corpus === undefined ? 'sheets of real files (skipped: no ../shared/corpus)' : 'sheets of real files', () => {
  before(function () {
    if (corpus === undefined) this.skip();
  });

  it('keep bookmarks, links, fields, comments, tags, layers, attachments and scripts with pages', async function () {
    this.timeout(600_000);
    const faults: string[] = [];
    let features = 0;
    for (const [i, { file, path, features: own }] of richFiles(corpus ?? '', FILES).entries()) {
      features += own.length;
      for (const layout of [pairs, halves]) {
        const { bytes, faults: found } = await checkImposed(readFileSync(path), layout);
        const complaint = i % 8 === 0 && hasProgram('qpdf') ? qpdfComplaint(bytes) : undefined;
        const own = found.filter((fault) => !(ODD.get(file)?.test(fault) ?? false));
        faults.push(
          ...[...own, ...(complaint === undefined ? [] : [`qpdf: ${complaint}`])].map(
            (fault) => `${file}, ${layout.name}: ${fault}`,
          ),
        );
      }
    }
    expect(faults, faults.join('\n')).to.deep.equal([]);
    expect(features).to.be.greaterThan(100);
  });
});
