import { API_VERSION } from '@quire/registry';
import { expect } from 'chai';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { goodEndpoint, goodOperation, pluginCode, usePluginPackages } from '../../test/suites/plugin-packages.js';
import { resolvePackage } from './index.js';

describe('catalog', () => {
  const { folder, install, load, refused } = usePluginPackages();

  it('loads a plugin with its operations, endpoints, version and entry', async () => {
    install('quire-plugin-good', pluginCode(`operations: [${goodOperation}], endpoints: [${goodEndpoint}]`));
    const catalog = await load([{ use: 'quire-plugin-good' }]);
    expect(catalog.plugins[0]).to.include({ name: 'quire-plugin-good', version: '1.2.3', category: 'misc' });
    expect(catalog.plugins[0]?.entryUrl).to.equal(
      pathToFileURL(join(resolvePackage('quire-plugin-good', [folder()]) ?? '', 'dist', 'index.js')).href,
    );
    expect(catalog.operations.get('misc/turn-round')?.schema.validate({ angle: '0' }).value).to.deep.equal({
      angle: 0,
    });
    expect(catalog.endpoints.map(({ endpoint }) => endpoint.id)).to.deep.equal(['miscThing']);
    expect(catalog.warnings).to.deep.equal([]);
  });

  it('lists every bad parameter of a call', async () => {
    install('quire-plugin-good', pluginCode(`operations: [${goodOperation}]`));
    const schema = (await load([{ use: 'quire-plugin-good' }])).operations.get('misc/turn-round')?.schema;
    expect(schema?.validate({ angle: 45, other: 1 }).error?.details).to.have.length(2);
  });

  it('finds a package from a folder below the one it is installed in, and one given as a folder', async () => {
    install('@acme/quire-plugin-good', pluginCode(`operations: [${goodOperation}]`));
    mkdirSync(join(folder(), 'data', 'configs'), { recursive: true });
    expect(
      (
        await load([{ use: '@acme/quire-plugin-good' }], {
          resolveFrom: [join(folder(), 'nowhere'), join(folder(), 'data', 'configs')],
        })
      ).plugins,
    ).to.have.length(1);
    expect((await load([{ use: './node_modules/@acme/quire-plugin-good' }])).plugins).to.have.length(1);
  });

  it('reports where a missing plugin is configured', async () => {
    const error = await refused([{ use: 'quire-plugin-missing', where: 'settings.yml:7' }]);
    expect(error.message).to.include(
      'quire-plugin-missing is configured in settings.yml:7 but is not installed there. Install it: npm ' +
        'install quire-plugin-missing',
    );
  });

  it('never runs the code of a plugin with another API version', async () => {
    const code = pluginCode('', 'globalThis.quireTestRan = true;');
    install('quire-plugin-new', code, {
      version: '2.1.0',
      quire: { kind: 'plugin', api: '^2.0.0', prefixes: ['misc'] },
    });
    install('quire-plugin-old', code, { quire: { kind: 'plugin', api: '~0.9.0', prefixes: ['misc'] } });
    const { message } = await refused([{ use: 'quire-plugin-new' }, { use: 'quire-plugin-old' }]);
    expect(message).to.include(
      `quire-plugin-new 2.1.0 needs registry API ^2.0.0; this server offers ${API_VERSION}. Install ` +
        'quire-plugin-new@1 or upgrade the server.',
    );
    expect(message).to.include(
      `quire-plugin-old 1.2.3 needs registry API ~0.9.0; this server offers ${API_VERSION}. Install a newer ` +
        'version: npm install quire-plugin-old@latest',
    );
    expect(globalThis).not.to.have.property('quireTestRan');
  });

  it('refuses a range without an upper bound, a broken block and a package that is not a plugin', async () => {
    install('quire-plugin-star', pluginCode(''), { quire: { kind: 'plugin', api: '>=1.0.0', prefixes: ['misc'] } });
    install('quire-plugin-block', pluginCode(''), { quire: { kind: 'tool', api: 'latest', prefixes: ['Misc'] } });
    install('quire-plugin-none', pluginCode(''), { quire: undefined });
    install('quire-plugin-brand', 'export default { operations: [], endpoints: [] };');
    install('quire-plugin-throws', 'throw new Error("no licence file");');
    const { message, faults } = await refused(
      ['star', 'block', 'none', 'brand', 'throws'].map((name) => ({ use: `quire-plugin-${name}` })),
    );
    for (const part of [
      '">=1.0.0", which has no upper bound',
      'quire.kind is "tool"',
      'quire.api is "latest"',
      'quire.prefixes is ["Misc"]',
      'has no "quire" block',
      'not created with definePlugin',
      'cannot be imported: no licence file',
    ])
      expect(message).to.include(part);
    expect(faults).to.have.length(7);
  });

  it('names both owners of one path', async () => {
    install('quire-plugin-one', pluginCode(`operations: [${goodOperation}]`));
    install('quire-plugin-two', pluginCode(`operations: [${goodOperation}], endpoints: [${goodEndpoint}]`));
    const sameAddress = goodEndpoint
      .replaceAll('{id}', '{name}')
      .replace('id: joi', 'name: joi')
      .replace('miscThing', 'miscOther');
    install('quire-plugin-three', pluginCode(`endpoints: [${sameAddress}]`));
    const { message } = await refused([
      { use: 'quire-plugin-one' },
      { use: 'quire-plugin-two' },
      { use: 'quire-plugin-three' },
    ]);
    expect(message).to.include(
      'misc/turn-round is declared by both quire-plugin-one 1.2.3 and quire-plugin-two 1.2.3.',
    );
    expect(message).to.include(
      'GET /api/v1/misc/things/{name} is declared by both quire-plugin-two 1.2.3 and quire-plugin-three 1.2.3.',
    );
  });

  it('lets one plugin offer a service that the registry leaves to plugins, and no other service', async () => {
    const offer = (name: string): string =>
      pluginCode(`offers: [{ token: { symbol: Symbol.for('quire.${name}'), name: '${name}' }, create: () => ({}) }]`);
    install('quire-plugin-first', offer('serverKeystore'));
    install('quire-plugin-second', offer('serverKeystore'));
    install('quire-plugin-settings', offer('settings'));
    install('quire-plugin-empty', pluginCode('offers: [{}]'));
    expect((await load([{ use: 'quire-plugin-first' }])).plugins).to.have.length(1);
    expect((await refused([{ use: 'quire-plugin-first' }, { use: 'quire-plugin-second' }])).message).to.match(
      /quire-plugin-second 1\.2\.3[^]*offers the service serverKeystore, which quire-plugin-first 1\.2\.3/,
    );
    expect(
      (await load([{ use: 'quire-plugin-first' }, { use: 'quire-plugin-second', optional: true }])).warnings,
    ).to.have.length(1);
    expect((await refused([{ use: 'quire-plugin-settings' }])).message).to.include(
      'offers the service settings; allowed are serverKeystore',
    );
    expect((await refused([{ use: 'quire-plugin-empty' }])).message).to.include(
      'offers has an item that is not { token, create }',
    );
  });

  it('skips an optional plugin with a warning, whatever its fault', async () => {
    install('quire-plugin-one', pluginCode(`operations: [${goodOperation}]`));
    install('quire-plugin-two', pluginCode(`operations: [${goodOperation}]`));
    const catalog = await load([
      { use: 'quire-plugin-two', optional: true },
      { use: 'quire-plugin-missing', optional: true },
      { use: 'quire-plugin-one' },
    ]);
    expect(catalog.plugins.map(({ name }) => name)).to.deep.equal(['quire-plugin-one']);
    expect(catalog.warnings.map(({ plugin, version }) => [plugin, version])).to.deep.equal([
      ['quire-plugin-missing', undefined],
      ['quire-plugin-two', '1.2.3'],
    ]);
    expect(catalog.warnings[1]?.problems[0]).to.include('is declared by');
  });

  it('checks the options of a plugin, and converts them', async () => {
    install(
      'quire-plugin-options',
      pluginCode('options: (joi) => joi.object({ size: joi.number().min(1).default(4) })'),
    );
    install('quire-plugin-plain', pluginCode(''));
    expect((await load([{ use: 'quire-plugin-options', options: { size: '7' } }])).plugins[0]?.options).to.deep.equal({
      size: 7,
    });
    expect((await load([{ use: 'quire-plugin-options' }])).plugins[0]?.options).to.deep.equal({ size: 4 });
    const { message } = await refused([
      { use: 'quire-plugin-options', options: { size: 0, colour: 1 } },
      { use: 'quire-plugin-plain', options: { a: 1 } },
    ]);
    expect(message)
      .to.include('"size" must be')
      .and.include('"colour" is not allowed')
      .and.include('options are set (a), but the plugin has no options');
  });

  it('passes on the settings of an operation, and suggests the nearest path for a wrong one', async () => {
    install('quire-plugin-good', pluginCode(`operations: [${goodOperation}]`));
    const catalog = await load([{ use: 'quire-plugin-good' }], {
      operations: { 'misc/turn-round': { enabled: false, timeoutMs: 5 } },
    });
    expect(catalog.operations.get('misc/turn-round')?.overrides).to.deep.equal({ enabled: false, timeoutMs: 5 });
    expect([
      catalog.nearest('misc/turn-rond'),
      catalog.nearest('turn-round'),
      catalog.nearest('/api/v1/general/turn-round'),
      catalog.nearest('turn'),
      catalog.nearest('general/round'),
      catalog.nearest('general/zebra'),
    ]).to.deep.equal([
      'misc/turn-round',
      'misc/turn-round',
      'misc/turn-round',
      'misc/turn-round',
      'misc/turn-round',
      undefined,
    ]);
    const { message } = await refused([{ use: 'quire-plugin-good' }], {
      operations: { 'misc/turn-rond': { enabled: true } },
      operationOrigin: () => 'settings.yml:3',
    });
    expect(message).to.include(
      'settings.yml:3: operations.misc/turn-rond is not a loaded operation. Did you mean misc/turn-round?',
    );
  });

  it('refuses a plugin that declares a path of the host', async () => {
    install('quire-plugin-good', pluginCode(`endpoints: [${goodEndpoint}]`));
    const first = (await load([{ use: 'quire-plugin-good' }])).endpoints[0];
    const { message } = await refused([{ use: 'quire-plugin-good' }], {
      reserved: first === undefined ? [] : [first.endpoint],
    });
    expect(message).to.include('is declared by both the server itself and quire-plugin-good 1.2.3');
  });
});
