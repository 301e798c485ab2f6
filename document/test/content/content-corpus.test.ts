import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ContentLexer, ContentReader, pageContent, rewriteContent, splice } from '../../content/index.js';
import { withPdf } from '../../file/open/index.js';
import { corpus, hasProgram } from '../support.js';

/** Every so many of the good files without annotations, whose texts pdftotext would give as well. */
const EVERY = 41;

function sample(): string[] {
  const rows = readFileSync(join(corpus ?? '', 'manifest.csv'), 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
  const plain = rows.filter(
    ([file = '', , kind]) =>
      kind === 'good' && file.endsWith('.pdf') && !/pyHanko|dss|qpdf|pdfcpu|form|annot/i.test(file),
  );
  return plain.map(([file = '']) => file).filter((_file, i) => i % EVERY === 0);
}

/** Characters by how often they come: the order is a matter of taste. */
function counts(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const character of text.normalize('NFKC').replaceAll(/[\s\u00ad\u200b-\u200f\u202a-\u202e\ufeff\0-\u001f]/g, ''))
    found.set(character, (found.get(character) ?? 0) + 1);
  return found;
}

(corpus === undefined ? describe.skip : describe)(
  `Content of real files${corpus === undefined ? ' (skipped: no ../shared/corpus)' : ''}`,
  () => {
    it('comes out of the lexer and the writer byte for byte, and operator for operator', async function () {
      this.timeout(60_000);
      let pages = 0;
      for (const file of sample()) {
        await withPdf({ path: join(corpus ?? '', file) }, {}, ({ document, pages: all }) => {
          for (const page of all.slice(0, 2)) {
            const { bytes } = pageContent(document.context, page);
            expect(
              rewriteContent(bytes, () => undefined),
              file,
            ).to.equal(bytes);
            const operators = [...new ContentLexer(bytes)];
            const same = splice(
              bytes,
              operators.map(({ start, end }) => ({ start, end, with: bytes.subarray(start, end) })),
            );
            expect(Buffer.compare(same, bytes), file).to.equal(0);
            pages++;
          }
        }).catch((error: { code?: string }) => expect(error.code, file).to.match(/^PDF_ENCRYPTED|^PDF_DAMAGED/));
      }
      expect(pages).to.be.above(15);
    });

    (hasProgram('pdftotext') ? it : it.skip)('has the text that another reader finds', async function () {
      this.timeout(60_000);
      const wrong: string[] = [];
      let pages = 0;
      for (const file of sample()) {
        const path = join(corpus ?? '', file);
        await withPdf({ path }, {}, ({ document, pages: all }) => {
          if (all[0] === undefined) return;
          let text = '';
          new ContentReader(document.context).page(all[0], {
            text: ({ glyphs }) => {
              text += glyphs.map((glyph) => glyph.text).join('');
            },
          });
          const theirs = execFileSync('pdftotext', ['-q', '-l', '1', '-enc', 'UTF-8', path, '-'], {
            encoding: 'utf8',
            stdio: ['ignore', 'pipe', 'ignore'],
          });
          const [a, b] = [counts(text), counts(theirs)];
          let difference = 0;
          for (const character of new Set([...a.keys(), ...b.keys()]))
            difference += Math.abs((a.get(character) ?? 0) - (b.get(character) ?? 0));
          pages++;
          if (difference > Math.max(2, theirs.length * 0.03)) wrong.push(`${file}: ${difference}`);
        }).catch(() => undefined);
      }
      expect(pages).to.be.above(10);
      // Layers that are off, text that other readers clip, and fonts that tell nothing are read differently.
      expect(wrong.length, wrong.join('\n')).to.be.at.most(Math.ceil(pages / 8));
    });
  },
);
