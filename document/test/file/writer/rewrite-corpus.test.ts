import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { countPages, openLazily } from '../../../file/reader/index.js';
import { FileSink, rewriteTo } from '../../../file/writer/index.js';
import { type CorpusFile, corpusFiles, hasCorpus } from '../inspection/corpus.js';
import { difference } from './same-document.js';

const hasQpdf = spawnSync('qpdf', ['--version']).status === 0;
/** The whole corpus: `QUIRE_FULL=1 npx mocha document/test/file/writer/rewrite-corpus.test.ts`. */
const full = process.env['QUIRE_FULL'] === '1';

describe(hasCorpus ? 'rewriting the corpus' : 'rewriting the corpus (skipped: no ../shared/corpus)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rewrite-corpus-'));
  after(() => rmSync(folder, { recursive: true }));
  before(function () {
    if (!hasCorpus) this.skip();
  });

  const good = (): CorpusFile[] =>
    corpusFiles().filter(
      (file) => file.class === 'good' && (!file.needsPassword || file.password !== '') && existsSync(file.path),
    );

  for (const objectStreams of [true, false]) {
    it(
      `writes the same documents except for numbers, ${objectStreams ? 'in object streams' : 'with a table'}, ` +
        'and qpdf accepts them',
      function () {
        this.timeout(full ? 3_600_000 : 60_000);
        const wrong: string[] = [];
        for (const [i, file] of good().entries()) {
          if (!full && (i % 48 !== (objectStreams ? 0 : 24) || statSync(file.path).size > 5_000_000)) continue;
          const path = join(folder, 'result.pdf');
          try {
            const document = openLazily(readFileSync(file.path), { password: file.password });
            const sink = FileSink.create(path);
            const { size } = rewriteTo(sink, document.context, { objectStreams });
            sink.close();
            const result = readFileSync(path);
            const again = openLazily(result);
            const parted = difference(document.context, again.context);
            if (parted !== undefined) wrong.push(`${file.file}: ${parted}`);
            if (result.length !== size) wrong.push(`${file.file}: ${result.length} bytes, not ${size}`);
            if (again.recovered || again.encrypted) wrong.push(`${file.file}: it had to be repaired`);
            if (countPages(again) !== countPages(document))
              wrong.push(`${file.file}: ${countPages(again)} pages, not ${countPages(document)}`);
            if (hasQpdf && spawnSync('qpdf', ['--check', path]).status !== 0) {
              const before = spawnSync('qpdf', [`--password=${file.password}`, '--check', file.path]).status;
              if (before === 0) wrong.push(`${file.file}: qpdf complains`);
            }
          } catch (error) {
            wrong.push(`${file.file}: ${String((error as Error).stack).slice(0, 300)}`);
          } finally {
            rmSync(path, { force: true });
          }
        }
        expect(wrong, wrong.join('\n')).to.have.length(0);
      },
    );
  }
});
