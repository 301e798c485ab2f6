import { API_VERSION } from '@quire/registry';
import { expect } from 'chai';
import Joi from 'joi';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  CatalogError,
  loadCatalog,
  resolvePackage,
  type Catalog,
  type CatalogRequest,
  type PluginRequest,
} from './index.js';

const goodOperation = `{
  path: 'misc/turn-round', since: '1.0.0', summary: 'Turn a document round', accepts: ['pdf'], files: 'each',
  returns: { kind: 'pdf', name: '{base}_{angle}' }, errors: ['PDF_ENCRYPTED'],
  params: (joi) => joi.object({ angle: joi.number().valid(0, 90).default(90).description('Angle') }),
  aliases: { turn: 'angle' }, writes: 'rewrite', effects: ['lossy'],
  examples: [{ title: 'turns', files: ['a.pdf'], params: { angle: 90 }, expect: { pages: [1] } }],
  run: async () => [],
}`;
const goodEndpoint = `{
  id: 'miscThing', method: 'GET', path: 'misc/things/{id}', since: '1.0.0', summary: 'Read a thing', errors: [],
  request: { params: (joi) => joi.object({ id: joi.string().required().description('Id') }) },
  returns: { description: 'The thing', json: (joi) => joi.object({ id: joi.string() }) }, handle: async () => ({ json: {} }),
}`;
const pluginCode = (body: string, before = ''): string =>
  `${before}\nexport default { [Symbol.for('quire.plugin')]: true, operations: [], endpoints: [], ${body} };\n`;

describe('catalog', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-catalog-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function install(name: string, code: string, changes: Record<string, unknown> = {}): void {
    const root = join(folder, 'node_modules', name);
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(
      join(root, 'package.json'),
      JSON.stringify({
        name,
        version: '1.2.3',
        type: 'module',
        exports: { '.': { types: './dist/index.d.ts', import: './dist/index.js' } },
        quire: { kind: 'plugin', api: '^1.0.0', prefixes: ['misc'] },
        ...changes,
      }),
    );
    writeFileSync(join(root, 'dist', 'index.js'), code);
  }
  const load = (plugins: readonly PluginRequest[], more: Partial<CatalogRequest> = {}): Promise<Catalog> =>
    loadCatalog({ plugins, resolveFrom: folder, joi: Joi, ...more });
  async function refused(plugins: readonly PluginRequest[], more: Partial<CatalogRequest> = {}): Promise<CatalogError> {
    try {
      await load(plugins, more);
    } catch (error) {
      if (error instanceof CatalogError) return error;
      throw error;
    }
    throw new Error('the plugins were taken');
  }

  it('loads a plugin with its operations, endpoints, version and entry', async () => {
    install('quire-plugin-good', pluginCode(`operations: [${goodOperation}], endpoints: [${goodEndpoint}]`));
    const catalog = await load([{ use: 'quire-plugin-good' }]);
    expect(catalog.plugins[0]).to.include({ name: 'quire-plugin-good', version: '1.2.3', category: 'misc' });
    expect(catalog.plugins[0]?.entryUrl).to.equal(
      pathToFileURL(join(resolvePackage('quire-plugin-good', [folder]) ?? '', 'dist', 'index.js')).href,
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

  it('finds a package from a folder below the one it is installed in, and one named by its folder', async () => {
    install('@acme/quire-plugin-good', pluginCode(`operations: [${goodOperation}]`));
    mkdirSync(join(folder, 'data', 'configs'), { recursive: true });
    expect(
      (
        await load([{ use: '@acme/quire-plugin-good' }], {
          resolveFrom: [join(folder, 'nowhere'), join(folder, 'data', 'configs')],
        })
      ).plugins,
    ).to.have.length(1);
    expect((await load([{ use: './node_modules/@acme/quire-plugin-good' }])).plugins).to.have.length(1);
  });

  it('says where a plugin is named that cannot be found', async () => {
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

  it('refuses a range without an end, a broken block and a package that is no plugin', async () => {
    install('quire-plugin-star', pluginCode(''), { quire: { kind: 'plugin', api: '>=1.0.0', prefixes: ['misc'] } });
    install('quire-plugin-block', pluginCode(''), { quire: { kind: 'tool', api: 'latest', prefixes: ['Misc'] } });
    install('quire-plugin-none', pluginCode(''), { quire: undefined });
    install('quire-plugin-brand', 'export default { operations: [], endpoints: [] };');
    install('quire-plugin-throws', 'throw new Error("no licence file");');
    const { message, faults } = await refused(
      ['star', 'block', 'none', 'brand', 'throws'].map((name) => ({ use: `quire-plugin-${name}` })),
    );
    for (const part of [
      '">=1.0.0", which has no end',
      'quire.kind is "tool"',
      'quire.api is "latest"',
      'quire.prefixes is ["Misc"]',
      'has no "quire" block',
      'not made with definePlugin',
      'cannot be imported: no licence file',
    ])
      expect(message).to.include(part);
    expect(faults).to.have.length(7);
  });

  it('lists every fault of every declaration at once', async () => {
    install(
      'quire-plugin-bad',
      pluginCode(`operations: [{
      path: 'other/Turn', since: 'one', summary: 'turns a document round.', accepts: ['papyrus'], files: 'some', runsIn: 'thread',
      returns: { kind: { by: 'format', map: { a: 'pdf' } }, name: '{stem}', many: { archive: 'x.zip', when: { missing: true } } },
      params: (joi) => joi.object({ fileInput: joi.string().description('x'), angle: joi.number().valid(0, 90).default(45), format: joi.string().valid('a', 'b').description('f') }),
      parts: [{ field: 'angle', description: '', kinds: [], requiredWhen: { nothing: 'x' } }],
      aliases: { turn: 'degrees', format: 'angle' }, effects: ['shrinks'], errors: ['NO_SUCH', 'KEY_INVALID'], limits: { timeoutMs: 0 },
      needs: { services: [{ symbol: Symbol.for('quire.paths'), name: 'paths' }] }, access: { role: 'king' },
      examples: [{ title: 'turns', files: ['../a.pdf'], params: { angle: 45 }, expect: { } }, { title: 'turns', files: ['a.pdf'], parts: { image: 'b.png' }, params: {}, expect: { refused: 'PAGES_INVALID' } }],
      run: 1,
    }], endpoints: [{ id: 'Bad id', method: 'LOOK', path: 'misc/{x}', since: '1.0.0', summary: '', request: { maxBytes: 0.5, asFile: true, fileIdFor: 'document' }, returns: {}, errors: ['INTERNAL'] }], tasks: [{ name: 'A Task' }, { name: 'one', run: () => 1 }, { name: 'one', run: () => 2 }]`),
    );
    const { message } = await refused([{ use: 'quire-plugin-bad' }]);
    for (const part of [
      'its path is not of the form',
      'since is "one"',
      'does not begin with a capital',
      'names the kind "papyrus"',
      'files is "some"',
      'runsIn is "thread"',
      'the field fileInput belongs to the server',
      'the field angle has no description',
      'the default of angle, 45, fails',
      'returns.kind.map has no kind for format=b',
      'placeholder {stem}',
      'returns.many.when names the field missing',
      'the part "angle" has the name of a parameter',
      'the part "angle" has no description',
      'the part "angle" names no kind',
      'requiredWhen of the part "angle" names the field nothing',
      'aliases.turn stands for degrees',
      'aliases.format hides',
      'effects names "shrinks"',
      'NO_SUCH',
      'KEY_INVALID, which is of the family access',
      'limits.timeoutMs is 0',
      'the service paths',
      'access.role is "king"',
      'names a file that is no plain name',
      'does not pass the schema',
      'is there twice',
      'sends the part image',
      'expects PAGES_INVALID',
      'run is no function',
      'its id is no name',
      'its method is "LOOK"',
      'request.params does not describe',
      'request.maxBytes is 0.5',
      'request.maxBytes bounds JSON bodies alone',
      'request.asFile keeps a JSON body',
      'request.fileIdFor names "document"',
      'tasks holds something that is no { name, run }',
      'the task one is declared twice',
      'has no summary',
      'returns has no description',
      'INTERNAL, which is of the family defect',
      'handle is no function',
    ])
      expect(message).to.include(part);
  });

  it('compares examples of endpoints with their declarations, and links with ids', async () => {
    let count = 0;
    const taken = async (examples: string, links = '[]'): Promise<readonly PluginRequest[]> => {
      const name = `quire-plugin-shows${++count}`;
      install(
        name,
        pluginCode(`endpoints: [{ ...${goodEndpoint}, method: 'POST', examples: ${examples}, request: {
        params: (joi) => joi.object({ id: joi.string().required().description('Id') }), payloadType: 'multipart', files: [{ field: 'picture', kinds: ['png'], description: 'A picture' }],
        payload: (joi) => joi.object({ size: joi.number().max(9).description('Size'), name: joi.string().required().description('Name') }) },
        returns: { description: 'A thing', links: ${links} } }]`),
      );
      return [{ use: name }];
    };
    const faults = async (examples: string, links?: string): Promise<string> =>
      (await refused(await taken(examples, links))).message;
    expect(
      (
        await load(
          await taken(
            "[{ title: 'small', parameters: { id: 'a' }, payload: { size: '3' }, files: { picture: ['a.png'] } }]",
            "[{ to: 'otherThing' }]",
          ),
        )
      ).endpoints,
    ).to.have.length(1);
    expect(await faults("'none'")).to.include('examples is no list');
    expect(await faults('[{}]')).to.include('an example has no title');
    expect(await faults("[{ title: 'a' }, { title: 'a' }]")).to.include('the example "a" is there twice');
    expect(await faults("[{ title: 'a', parameters: { nam: 1 } }]")).to.include(
      'sends the parameter nam, which is not declared',
    );
    expect(await faults("[{ title: 'a', parameters: { id: 7 } }]")).to.include(
      'the example "a" does not pass the schema: "id" must be a string',
    );
    expect(await faults("[{ title: 'a', payload: { size: 10 } }]")).to.include(
      '"size" must be less than or equal to 9',
    );
    expect(await faults("[{ title: 'a', payload: { colour: 'red' } }]")).to.include('"colour" is not allowed');
    expect(await faults("[{ title: 'a', files: { photo: ['a.png'] } }]")).to.include(
      'sends the file photo, which is not declared',
    );
    expect(await faults("[{ title: 'a', files: { picture: ['../a.png'] } }]")).to.include(
      'names a file that is no plain name',
    );
    expect(await faults('[]', "[{ to: 'A thing' }]")).to.include(
      'returns.links leads to "A thing"; allowed is the id of an endpoint',
    );
    expect(await faults('[]', "[{ to: 'thing' }, { to: 'thing' }]")).to.include('returns.links leads to thing twice');
    expect(await faults('[]', '{}')).to.include('returns.links is no list');
  });

  it('takes other names of the document part that nothing else has', async () => {
    const declared = (aliases: string): string =>
      pluginCode(`operations: [${goodOperation.replace('{', `{ fileAliases: ${aliases},`)}]`);
    install('quire-plugin-good', declared("['file', 'document']"));
    expect(
      (await load([{ use: 'quire-plugin-good' }])).operations.get('misc/turn-round')?.operation.fileAliases,
    ).to.deep.equal(['file', 'document']);
    const wrong: Record<string, string> = {
      "'file'": 'no list of field names',
      "['a b']": 'no list of field names',
      '[1]': 'no list of field names',
      "['angle']": 'fileAliases names angle',
      "['turn']": 'fileAliases names turn',
      "['fileId']": 'fileAliases names fileId',
      "['fileInput']": 'fileAliases names fileInput',
      "['file', 'file']": 'names a field twice',
    };
    let count = 0;
    for (const [aliases, fault] of Object.entries(wrong)) {
      // A module is read once, so each declaration is a package of its own.
      install(`quire-plugin-wrong-${++count}`, declared(aliases));
      expect((await refused([{ use: `quire-plugin-wrong-${count}` }])).message, aliases).to.include(fault);
    }
  });

  it('asks of what makes PDFs of PDFs how it writes them, and of nothing else', async () => {
    let count = 0;
    const faults = async (changes: string): Promise<string> => {
      // A module is read once, so each declaration is a package of its own.
      const name = `quire-plugin-writes${++count}`;
      install(name, pluginCode(`operations: [{ ...${goodOperation}, writes: undefined, ${changes} }]`));
      return (await refused([{ use: name }])).message;
    };
    expect(await faults(''))
      .to.include('misc/turn-round')
      .and.include('does not say how it writes it; writes is one of append, rewrite, assemble');
    expect(await faults("returns: { kind: { by: 'angle', map: { 0: 'pdf', 90: 'png' } }, name: 'x' }")).to.include(
      'does not say how it writes it',
    );
    expect(await faults("returns: { kind: 'same', name: 'x' }")).to.include('does not say how it writes it');
    expect(await faults("returns: { kind: 'pdf', name: 'x', unchanged: true }")).to.include(
      "returns.unchanged is for operations whose returns.kind is 'same'",
    );
    expect(await faults("writes: 'patch'")).to.include('writes is "patch"');
    expect(await faults("writes: 'append', files: 'all'")).to.include("needs files: 'each'");
    expect(await faults("writes: 'rewrite', returns: { kind: 'png', name: 'x' }")).to.include('makes no PDF of a PDF');
    expect(await faults("writes: 'rewrite', accepts: ['png']")).to.include('makes no PDF of a PDF');
    expect(await faults("writes: 'append', signedInput: 'allowed'")).to.include(
      'signedInput is for operations that break signatures',
    );
    expect(await faults("writes: 'rewrite', certified: 2")).to.include(
      'certified is for operations whose writes is append',
    );
    expect(await faults("writes: 'append', certified: 4")).to.include('certified is 4; allowed are 1, 2 and 3');
    expect(await faults("writes: 'rewrite', signedInput: 'always'")).to.include('signedInput is "always"');
    expect(await faults("writes: 'rewrite', effects: ['breaksSignature']")).to.include(
      'breaksSignature", which follows from writes',
    );
  });

  it('holds the fields of passwords against the parameters and the names that keep values out of answers', async () => {
    let count = 0;
    const faults = async (passwords: string): Promise<string> => {
      const name = `quire-plugin-locks${++count}`;
      install(name, pluginCode(`operations: [{ ...${goodOperation}, passwords: ${passwords} }]`));
      return (await refused([{ use: name }])).message;
    };
    expect(await faults("{ result: 'password' }")).to.include(
      'passwords.result names the field "password", which the parameters do not have',
    );
    expect(await faults("{ result: 'angle' }")).to.include(
      'passwords.result names the field angle; the name of such a field ends in "password"',
    );
    expect(await faults("{ output: 'angle' }")).to.include('passwords.output is not known; allowed are input, result');
  });

  it('asks nothing of what hands PDFs on, makes other files, or takes anything', async () => {
    for (const [i, changes] of [
      "returns: { kind: 'same', name: 'x', mayDrop: true }",
      "returns: { kind: 'same', name: 'x', unchanged: true }",
      "returns: { kind: 'any', name: 'x' }",
      "returns: { kind: 'png', name: 'x' }",
      "accepts: ['any']",
      "accepts: ['png']",
    ].entries()) {
      install(
        `quire-plugin-free${i}`,
        pluginCode(`operations: [{ ...${goodOperation}, writes: undefined, ${changes} }]`),
      );
      expect((await load([{ use: `quire-plugin-free${i}` }])).operations.size).to.equal(1);
    }
  });

  it('survives a declaration that throws when it is read', async () => {
    install('quire-plugin-odd', pluginCode(`operations: [null, { get path() { throw new Error('ha'); } }]`));
    const { message } = await refused([{ use: 'quire-plugin-odd' }]);
    expect(message)
      .to.include('operation undefined: it cannot be read')
      .and.include('a declaration: it cannot be read: ha.');
  });

  it('names both owners of one path', async () => {
    install('quire-plugin-one', pluginCode(`operations: [${goodOperation}]`));
    install('quire-plugin-two', pluginCode(`operations: [${goodOperation}], endpoints: [${goodEndpoint}]`));
    install(
      'quire-plugin-three',
      pluginCode(
        'endpoints: [' +
          `${goodEndpoint.replaceAll('{id}', '{name}').replace('id: joi', 'name: joi').replace('miscThing', 'miscOther')}` +
          ']',
      ),
    );
    const { message } = await refused([
      { use: 'quire-plugin-one' },
      { use: 'quire-plugin-two' },
      { use: 'quire-plugin-three' },
    ]);
    expect(message).to.include(
      'misc/turn-round is declared by both quire-plugin-one 1.2.3 and by quire-plugin-two 1.2.3.',
    );
    expect(message).to.include(
      'GET /api/v1/misc/things/{name} is declared by both quire-plugin-two 1.2.3 and by quire-plugin-three 1.2.3.',
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
      /quire-plugin-second 1\.2\.3[^]*offers the service serverKeystore, which quire-plugin-first 1\.2\.3 offers already/,
    );
    expect(
      (await load([{ use: 'quire-plugin-first' }, { use: 'quire-plugin-second', optional: true }])).warnings,
    ).to.have.length(1);
    expect((await refused([{ use: 'quire-plugin-settings' }])).message).to.include(
      'offers the service settings; allowed are serverKeystore',
    );
    expect((await refused([{ use: 'quire-plugin-empty' }])).message).to.include(
      'offers holds something that is no { token, create }',
    );
  });

  it('leaves an optional plugin out with a warning, whatever its fault', async () => {
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
      .and.include('options are set (a), but it takes none');
  });

  it('hands the settings of an operation on, and names the nearest one for a wrong path', async () => {
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
      'settings.yml:3: operations.misc/turn-rond names no operation that is loaded. Did you mean misc/turn-round?',
    );
  });

  it('keeps the addresses of the host from plugins', async () => {
    install('quire-plugin-good', pluginCode(`endpoints: [${goodEndpoint}]`));
    const first = (await load([{ use: 'quire-plugin-good' }])).endpoints[0];
    const { message } = await refused([{ use: 'quire-plugin-good' }], {
      reserved: first === undefined ? [] : [first.endpoint],
    });
    expect(message).to.include('is declared by both the server itself and quire-plugin-good 1.2.3');
  });
});
