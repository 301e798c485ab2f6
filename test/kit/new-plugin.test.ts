import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
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
    // The servers that its tests start need Node 24, whatever Node runs npm.
    expect(written['scripts']?.['test']).to.equal(
      'tsc -b && node --import ../quire/tools/node24.mjs node_modules/mocha/bin/mocha.js',
    );
    expect(written['peerDependencies']).to.have.all.keys('@quire/registry', '@quire/document', 'pdf-lib');
    const { dependencies } = JSON.parse(
      readFileSync(new URL('../../document/package.json', import.meta.url), 'utf8'),
    ) as { dependencies: Record<string, string> };
    expect(written['peerDependencies']?.['pdf-lib']).to.equal(dependencies['pdf-lib']);
    expect(written['dependencies']).to.equal(undefined);
  });

  it('has the operation that was asked for, and develops against the checkout that wrote it', () => {
    const home = realpathSync(folder);
    const command = fileURLToPath(new URL('dist/cli.js', import.meta.url));
    const { status, stderr } = spawnSync(process.execPath, [command, 'new', 'stamps', 'mark/add-stamps'], {
      cwd: home,
      encoding: 'utf8',
    });
    expect(status, stderr).to.equal(0);
    const plugin = join(home, 'quire-plugin-stamps');
    expect(existsSync(join(plugin, 'src', 'operations', 'add-stamps.op.ts'))).to.equal(true);
    const written = JSON.parse(readFileSync(join(plugin, 'package.json'), 'utf8')) as {
      quire: { prefixes: string[] };
      devDependencies: Record<string, string>;
    };
    expect(written.quire.prefixes).to.deep.equal(['mark']);
    const registry = written.devDependencies['@quire/registry']?.replace('file:', '') ?? '';
    expect(resolve(plugin, registry)).to.equal(fileURLToPath(new URL('../../registry', import.meta.url)));
  });

  const refusal = (options: { readonly operation?: string }): Promise<string> =>
    writePlugin({ name: 'barcode', folder, workspace: false, ...options }).then(
      () => '',
      (error: Error) => error.message,
    );

  it('does not overwrite existing files', async () => {
    expect(await refusal({})).to.contain('already exists');
  });

  it('is not written for an operation without a category', async () => {
    expect(await refusal({ operation: 'barcode' })).to.equal(
      '"barcode" is not the path of an operation, for example misc/add-barcode',
    );
  });
});
