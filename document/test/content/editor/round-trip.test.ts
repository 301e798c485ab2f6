import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { buildDocument, exportDocument, readJsonDocument } from '../../../content/editor/index.js';
import { withPdf, writeContext } from '../../../file/open/index.js';
import { isNightly } from '../../../../test/suites/nightly.js';
import { corpusFiles, hasCorpus } from '../../file/inspection/corpus.js';

const run = promisify(execFile);
const full = process.env['QUIRE_FULL'] === '1';

describe(
  hasCorpus ? 'A real document as JSON and back' : 'A real document as JSON and back (skipped: no ../shared/corpus)',
  () => {
    let folder: string;
    before(async function setUp() {
      if (!hasCorpus) this.skip();
      folder = await mkdtemp(join(tmpdir(), 'quire-editor-corpus-'));
    });
    after(async () => {
      if (folder !== undefined) await rm(folder, { recursive: true });
    });

    it('looks the same and reads the same', async function compare() {
      this.timeout(600_000);
      const files = corpusFiles()
        .filter(
          ({ path, class: kind, encrypted, pages }) =>
            kind === 'good' &&
            !encrypted &&
            pages > 0 &&
            pages < 20 &&
            existsSync(path) &&
            statSync(path).size < (full ? 3_000_000 : 60_000),
        )
        .filter((_, i) => full || i % (isNightly ? 29 : 58) === 3);
      const different: string[] = [];
      const look = async (path: string): Promise<string> => {
        const [{ stdout: text }, { stdout: pixels }] = await Promise.all([
          run('pdftotext', ['-l', '3', path, '-'], { maxBuffer: 1e8 }),
          run('pdftoppm', ['-r', '24', '-l', '3', path], { maxBuffer: 1e9, encoding: 'latin1' }),
        ]);
        return `${text}${pixels}`;
      };
      for (const [i, { file, path }] of files.entries()) {
        const [json, pdf] = [join(folder, `${i}.json`), join(folder, `${i}.pdf`)];
        await withPdf({ path }, {}, (opened) => exportDocument(opened, json));
        writeContext((await buildDocument(readJsonDocument(await readFile(json)))).context, pdf, { stamp: false });
        const [was, is] = await Promise.all([look(path), look(pdf)]);
        if (was !== is) different.push(file);
        await Promise.all([rm(json), rm(pdf)]);
      }
      expect(files.length).to.be.greaterThan(20);
      expect(different).to.deep.equal([]);
    });
  },
);
