import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { createTestServer } from '@quire/core';
import { corpus, hasProgram } from '../../../document/test/support.js';
import { spread } from '../../../verification/corpus/calls.js';
import { corpusFiles } from '../../../verification/corpus/corpus-files.js';
import { chosenFiles, damagedCopies } from '../../../verification/damage/choose-files.js';
import type { SoundFile } from '../../../verification/damage/damaged-files.js';
import { callsFor, DamageJudge, type DamageRow, faults } from '../../../verification/damage/judge-damage.js';
import type { TestServer } from '../support/server.js';

/** Without the corpus, documents of the plugins. */
const OWN = [
  'general/fixtures/handbook.pdf',
  'general/fixtures/unusual-pages.pdf',
  'general/fixtures/two-pages.pdf',
  'convert/fixtures/article-tagged.pdf',
  'form/fixtures/application.pdf',
  'misc/fixtures/turned-and-cropped.pdf',
  'ai-tools/fixtures/invoice.pdf',
  'docparse/fixtures/report.pdf',
];
/** Documents of the corpus; the nightly script damage.sh has more. */
const FILES = 8;

async function soundFiles(): Promise<readonly SoundFile[]> {
  const read = ({ name, path }: { readonly name: string; readonly path: string | URL }): SoundFile => ({
    name,
    bytes: readFileSync(path),
  });
  if (corpus !== undefined) return spread(chosenFiles(await corpusFiles(corpus)), FILES).map(read);
  return OWN.map((name) => read({ name, path: new URL(`../../../plugins/${name}`, import.meta.url) }));
}

/** The complete check is `npm run check:damage`. */
describe('Files that are cut off, or have changed bytes', () => {
  let server: TestServer;

  before(async function () {
    if (!hasProgram('qpdf') || !hasProgram('pdftotext')) {
      this.test!.parent!.title += ' (skipped: needs qpdf and pdftotext)';
      this.skip();
    }
    server = await createTestServer({
      plugins: ['@quire/plugin-general', '@quire/plugin-misc', '@quire/plugin-security', '@quire/plugin-convert'],
    });
    await server.start();
  });
  after(() => server?.stop());

  it('are refused, announced or processed completely, and every result is sound for qpdf', async function () {
    this.timeout(170_000);
    const judge = new DamageJudge(server.url);
    const rows: DamageRow[] = [];
    const waiting = [...damagedCopies(await soundFiles(), 7).entries()];
    await Promise.all(
      Array.from({ length: 3 }, async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
          for (const call of callsFor(next[0], 1)) rows.push(...[await judge.judge(next[1], call)].filter(isRow));
      }),
    );
    expect(rows.filter(({ verdict }) => faults.has(verdict))).to.deep.equal([]);
    const verdicts = rows.map(({ verdict }) => verdict);
    expect(verdicts).to.include.members(['refused', 'announced', 'complete']);
    expect(new Set(rows.map(({ operation }) => operation)).size).to.equal(10);
  });
});

const isRow = (row: DamageRow | undefined): row is DamageRow => row !== undefined;
