import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer } from '@quire/core';
import type { ConsoleCatalog } from '@quire/registry';
import { expect } from 'chai';
import { goodOperation, pluginCode } from '../../suites/plugin-packages.js';
import { expectProblem, json, send } from '../support/client.js';
import type { TestServer } from '../support/server.js';

describe('Samples of plugins', () => {
  let folder: string;
  let server: TestServer;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-samples-'));
    install('quire-plugin-one', 'one', ['a.pdf']);
    install('quire-plugin-two', 'two', ['a.pdf']);
    install('quire-plugin-bare', 'bare', []);
    server = await createTestServer({
      plugins: ['quire-plugin-one', 'quire-plugin-two', 'quire-plugin-bare'],
      resolveFrom: folder,
    });
    await server.start();
  });
  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A package with the operation misc/turn-<word>, whose example uses `a.pdf`. */
  function install(name: string, word: string, fixtures: readonly string[]): void {
    const root = join(folder, 'node_modules', name);
    mkdirSync(join(root, 'fixtures'), { recursive: true });
    const operation = goodOperation.replace('misc/turn-round', `misc/turn-${word}`);
    writeFileSync(join(root, 'index.js'), pluginCode(`operations: [${operation}]`));
    const quire = { kind: 'plugin', api: '^1.0.0', prefixes: ['misc'] };
    const manifest = { name, version: '1.0.0', type: 'module', exports: './index.js', quire };
    writeFileSync(join(root, 'package.json'), JSON.stringify(manifest));
    for (const fixture of fixtures) writeFileSync(join(root, 'fixtures', fixture), `file of ${name}`);
  }

  it('are told apart where two plugins of a category have files of the same name', async () => {
    const catalog = json<ConsoleCatalog>(await send(`${server.url}/api/v1/console/catalog`));
    const texts = await Promise.all(
      ['one', 'two'].map(async (word) => {
        const operation = catalog.operations.find(({ path }) => path === `misc/turn-${word}`);
        const name = operation?.examples[0]?.files[0] ?? '';
        return (await send(`${server.url}/api/v1/console/samples/misc/${name}`)).body.toString();
      }),
    );
    expect(texts).to.deep.equal(['file of quire-plugin-one', 'file of quire-plugin-two']);
  });

  it('are left out, with their examples, where the package does not contain them', async () => {
    const catalog = json<ConsoleCatalog>(await send(`${server.url}/api/v1/console/catalog`));
    expect(catalog.operations.find(({ path }) => path === 'misc/turn-bare')?.examples).to.deep.equal([]);
    const missing = `${server.url}/api/v1/console/samples/misc/quire-plugin-bare-a.pdf`;
    expectProblem(await send(missing), 404, 'NOT_FOUND');
  });

  it('belong to operations of plugins that declare nothing for people, with derived titles and labels', async () => {
    const catalog = json<ConsoleCatalog>(await send(`${server.url}/api/v1/console/catalog`));
    expect(catalog.categories).to.deep.equal([{ id: 'misc', title: 'Misc', icon: 'file-cog', order: 1000 }]);
    const [operation] = catalog.operations;
    expect(operation).to.include({ title: 'Turn a document round', icon: 'file-cog', order: 100 });
    expect(operation?.fields).to.deep.equal([
      {
        name: 'angle',
        label: 'Angle',
        help: 'Angle.',
        widget: 'choice',
        type: 'number',
        required: false,
        default: 90,
        values: [
          { value: 0, label: '0' },
          { value: 90, label: '90' },
        ],
      },
    ]);
  });
});
