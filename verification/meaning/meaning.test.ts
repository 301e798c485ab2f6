import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { returnsPdf } from '@quire/registry';
import { type RichFile, richFiles } from '../../document/test/checks/choose.js';
import { isNightly } from '../../test/suites/nightly.js';
import { loadWorkspacePlugins, root, type WorkspacePlugin } from '../../tools/load-workspace-plugins.js';
import { checkOperation, type Sitter, sitterOf } from './check-operation.js';
import { expectations } from './expectations.js';

const corpus = join(root, '../shared/corpus');
/** `npm run check:meaning` uses all files, the nightly run some more. */
const FILES = process.env['QUIRE_FULL'] === '1' ? 100 : isNightly ? 10 : 5;

describe('meaning of real files of the corpus', () => {
  let plugins: readonly WorkspacePlugin[];
  const sitters: Sitter[] = [];

  before(async function () {
    plugins = await loadWorkspacePlugins();
    if (!existsSync(corpus)) return;
    for (const { file, path } of spread(richFiles(corpus, 100), FILES)) sitters.push(await sitterOf(file, path));
  });

  for (const [path, expectation] of expectations) {
    it(`survives ${path} with ${JSON.stringify(expectation.params)}`, async function () {
      if (sitters.length === 0) return this.skip();
      this.timeout(120_000);
      const home = plugins.find(({ plugin }) => plugin.operations.some((operation) => operation.path === path));
      const operation = home?.plugin.operations.find((each) => each.path === path);
      if (home === undefined || operation === undefined) throw new Error(`there is no ${path}`);
      let worked = 0;
      let withoutForm = 0;
      for (const sitter of sitters) {
        const { faults, refused } = await checkOperation(operation, join(home.path, 'fixtures'), expectation, sitter);
        expect(faults, sitter.file).to.deep.equal([]);
        if (refused === undefined) worked++;
        if (refused === 'PDF_NO_FORM') withoutForm++;
      }
      expect(worked, 'documents that were not refused').to.be.greaterThan((sitters.length - withoutForm) / 2);
    });
  }

  it('is checked for every operation of general and misc that turns one PDF into one PDF', () => {
    const known = new Set(expectations.map(([path]) => path));
    const owed = plugins
      .flatMap(({ plugin }) => plugin.operations)
      .filter(
        (operation) =>
          /^(general|misc)\//.test(operation.path) &&
          operation.accepts.includes('pdf') &&
          returnsPdf(operation) &&
          'kind' in operation.returns &&
          operation.returns.many === undefined,
      )
      .map(({ path }) => path);
    expect(owed.filter((path) => !known.has(path) && !elsewhere.has(path))).to.deep.equal([]);
  });
});

/**
 * Operations checked elsewhere: their output is a part of the input (`check:split`), or they need an attachment (their
 * own tests).
 */
const elsewhere: ReadonlySet<string> = new Set([
  'general/remove-pages',
  'misc/rename-attachment',
  'misc/delete-attachment',
]);

function spread(files: readonly RichFile[], count: number): readonly RichFile[] {
  return files.filter((_file, i) => i % Math.ceil(files.length / count) === 0);
}
