import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { writePlugin } from './generators/new-plugin.js';

describe('a new plugin outside the workspace', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-new-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('uses the packages of a checkout beside it, and brings none of them to a server', async () => {
    const files = await writePlugin({
      name: 'barcode',
      folder: join(folder, 'barcode'),
      workspace: false,
      checkout: join(folder, 'quire'),
    });
    expect(files).to.include.members([
      'src/operations/barcode-pdf.op.ts',
      'test/conformance.test.ts',
      'fixtures/letter.pdf',
    ]);
    const written = JSON.parse(readFileSync(join(folder, 'barcode', 'package.json'), 'utf8')) as Record<
      string,
      Record<string, string>
    >;
    expect(written['devDependencies']).to.include({
      '@quire/document': 'file:../quire/document',
      '@quire/plugin-kit': 'file:../quire/test/kit',
      '@quire/registry': 'file:../quire/registry',
      'pdf-lib': 'file:../quire/node_modules/pdf-lib',
    });
    expect(written['peerDependencies']).to.have.all.keys('@quire/registry', '@quire/document', 'pdf-lib');
    const { dependencies } = JSON.parse(
      readFileSync(new URL('../../document/package.json', import.meta.url), 'utf8'),
    ) as { dependencies: Record<string, string> };
    expect(written['peerDependencies']?.['pdf-lib']).to.equal(dependencies['pdf-lib']);
    expect(written['dependencies']).to.equal(undefined);
  });

  it('does not overwrite existing files', async () => {
    const failed = await writePlugin({ name: 'barcode', folder, workspace: false }).then(
      () => '',
      (error: Error) => error.message,
    );
    expect(failed).to.contain('already exists');
  });
});
