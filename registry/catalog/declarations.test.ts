import { expect } from 'chai';
import { goodEndpoint, goodOperation, pluginCode, usePluginPackages } from '../../test/suites/plugin-packages.js';
import type { PluginRequest } from './index.js';

const faultyOperation = `{
  path: 'other/Turn', since: 'one', deprecated: { since: '2', date: 'soon', use: '/x' },
  summary: 'turns a document round.',
  accepts: ['papyrus'], files: 'some', runsIn: 'thread',
  returns: {
    kind: { by: 'format', map: { a: 'pdf' } }, name: '{stem}',
    many: { archive: 'x.zip', when: { missing: true } },
  },
  params: (joi) => joi.object({
    fileInput: joi.string().description('x'),
    angle: joi.number().valid(0, 90).default(45),
    format: joi.string().valid('a', 'b').description('f'),
  }),
  parts: [{ field: 'angle', description: '', kinds: [], requiredWhen: { nothing: 'x' } }],
  aliases: { turn: 'degrees', format: 'angle' }, effects: ['shrinks'], errors: ['NO_SUCH', 'KEY_INVALID'],
  limits: { timeoutMs: 0 },
  needs: { services: [{ symbol: Symbol.for('quire.paths'), name: 'paths' }] }, access: { role: 'king' },
  examples: [
    { title: 'turns', files: ['../a.pdf'], params: { angle: 45 }, expect: { } },
    {
      title: 'turns', files: ['a.pdf'], parts: { image: 'b.png' }, params: {},
      expect: { refused: 'PAGES_INVALID' },
    },
  ],
  run: 1,
}`;
const faultyEndpoint = `{
  id: 'Bad id', method: 'LOOK', path: 'misc/{x}', since: '1.0.0', summary: '',
  request: { maxBytes: 0.5, asFile: true, fileIdFor: 'document' }, returns: {}, errors: ['INTERNAL'],
}`;
const faultyTasks = "[{ name: 'A Task' }, { name: 'one', run: () => 1 }, { name: 'one', run: () => 2 }]";

describe('The check of declarations', () => {
  const { install, load, refused } = usePluginPackages();

  it('lists every fault of every declaration at once', async () => {
    install(
      'quire-plugin-bad',
      pluginCode(`operations: [${faultyOperation}], endpoints: [${faultyEndpoint}], tasks: ${faultyTasks}`),
    );
    const { message } = await refused([{ use: 'quire-plugin-bad' }]);
    for (const part of [
      'its path must have the form',
      'since is "one"',
      'deprecated.since is "2"; it must be a version',
      'deprecated.removeIn is undefined; it must be a version',
      'deprecated.date is "soon"; it must be a day',
      'deprecated.use is "/x"; it must be the path of an operation',
      'does not begin with a capital',
      'accepts has "papyrus", which is not a known file type',
      'files is "some"',
      'runsIn is "thread"',
      'the field name fileInput is reserved for the server',
      'the field angle has no description',
      'the default of angle, 45, fails',
      'returns.kind.map has no file type for format=b',
      'placeholder {stem}',
      'returns.many.when has the field missing',
      'the part "angle" has the name of a parameter',
      'the part "angle" has no description',
      'the part "angle" lists no file type',
      'requiredWhen of the part "angle" has the field nothing',
      'aliases.turn refers to degrees',
      'aliases.format hides',
      'effects has "shrinks"',
      'NO_SUCH',
      'KEY_INVALID, which is of the family access',
      'limits.timeoutMs is 0',
      'the service paths',
      'access.role is "king"',
      'uses a file that is not a plain name',
      'does not pass the schema',
      'the example "turns" is declared twice',
      'sends the part image',
      'expects PAGES_INVALID',
      'run is not a function',
      'its id is not a camelCase name',
      'its method is "LOOK"',
      'request.params does not describe',
      'request.maxBytes is 0.5',
      'request.maxBytes applies to JSON bodies only',
      'request.asFile stores a JSON body',
      'request.fileIdFor is "document"',
      'tasks has an item that is not { name, run }',
      'the task one is declared twice',
      'has no summary',
      'returns has no description',
      'INTERNAL, which is of the family defect',
      'handle is not a function',
    ])
      expect(message).to.include(part);
  });

  it('checks examples of endpoints against their declarations, and links against ids', async () => {
    let count = 0;
    const installed = async (examples: string, links = '[]'): Promise<readonly PluginRequest[]> => {
      const name = `quire-plugin-shows${++count}`;
      install(
        name,
        pluginCode(`endpoints: [{
          ...${goodEndpoint}, method: 'POST', examples: ${examples},
          request: {
            params: (joi) => joi.object({ id: joi.string().required().description('Id') }),
            payloadType: 'multipart',
            files: [{ field: 'picture', kinds: ['png'], description: 'A picture' }],
            payload: (joi) => joi.object({
              size: joi.number().max(9).description('Size'), name: joi.string().required().description('Name'),
            }),
          },
          returns: { description: 'A thing', links: ${links} },
        }]`),
      );
      return [{ use: name }];
    };
    const faults = async (examples: string, links?: string): Promise<string> =>
      (await refused(await installed(examples, links))).message;
    expect(
      (
        await load(
          await installed(
            "[{ title: 'small', parameters: { id: 'a' }, payload: { size: '3' }, files: { picture: ['a.png'] } }]",
            "[{ to: 'otherThing' }]",
          ),
        )
      ).endpoints,
    ).to.have.length(1);
    expect(await faults("'none'")).to.include('examples is not a list');
    expect(await faults('[{}]')).to.include('an example has no title');
    expect(await faults("[{ title: 'a' }, { title: 'a' }]")).to.include('the example "a" is declared twice');
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
      'uses a file that is not a plain name',
    );
    expect(await faults('[]', "[{ to: 'A thing' }]")).to.include(
      'returns.links has the target "A thing"; it must be the id of an endpoint',
    );
    expect(await faults('[]', "[{ to: 'thing' }, { to: 'thing' }]")).to.include(
      'returns.links has the target thing twice',
    );
    expect(await faults('[]', '{}')).to.include('returns.links is not a list');
  });

  it('accepts aliases of the document part that are not used otherwise', async () => {
    const declared = (aliases: string): string =>
      pluginCode(`operations: [${goodOperation.replace('{', `{ fileAliases: ${aliases},`)}]`);
    install('quire-plugin-good', declared("['file', 'document']"));
    expect(
      (await load([{ use: 'quire-plugin-good' }])).operations.get('misc/turn-round')?.operation.fileAliases,
    ).to.deep.equal(['file', 'document']);
    const wrong: Record<string, string> = {
      "'file'": 'fileAliases is not a list of field names',
      "['a b']": 'fileAliases is not a list of field names',
      '[1]': 'fileAliases is not a list of field names',
      "['angle']": 'fileAliases has angle',
      "['turn']": 'fileAliases has turn',
      "['fileId']": 'fileAliases has fileId',
      "['fileInput']": 'fileAliases has fileInput',
      "['file', 'file']": 'fileAliases has a field twice',
    };
    let count = 0;
    for (const [aliases, fault] of Object.entries(wrong)) {
      // A module is read once, so each declaration needs its own package.
      install(`quire-plugin-wrong-${++count}`, declared(aliases));
      expect((await refused([{ use: `quire-plugin-wrong-${count}` }])).message, aliases).to.include(fault);
    }
  });

  it('requires `writes` of operations that turn PDFs into PDFs, and of no others', async () => {
    let count = 0;
    const faults = async (changes: string): Promise<string> => {
      // A module is read once, so each declaration needs its own package.
      const name = `quire-plugin-writes${++count}`;
      install(name, pluginCode(`operations: [{ ...${goodOperation}, writes: undefined, ${changes} }]`));
      return (await refused([{ use: name }])).message;
    };
    expect(await faults(''))
      .to.include('misc/turn-round')
      .and.include('without declaring writes, which must be one of append, rewrite, assemble');
    expect(await faults("returns: { kind: { by: 'angle', map: { 0: 'pdf', 90: 'png' } }, name: 'x' }")).to.include(
      'without declaring writes',
    );
    expect(await faults("returns: { kind: 'same', name: 'x' }")).to.include('without declaring writes');
    expect(await faults("returns: { kind: 'pdf', name: 'x', unchanged: true }")).to.include(
      "returns.unchanged is only for operations with returns.kind 'same'",
    );
    expect(await faults("writes: 'patch'")).to.include('writes is "patch"');
    expect(await faults("writes: 'append', files: 'all'")).to.include("needs files: 'each'");
    expect(await faults("writes: 'rewrite', returns: { kind: 'png', name: 'x' }")).to.include(
      'does not turn PDFs into PDFs',
    );
    expect(await faults("writes: 'rewrite', accepts: ['png']")).to.include('does not turn PDFs into PDFs');
    expect(await faults("writes: 'append', signedInput: 'allowed'")).to.include(
      'signedInput is only for operations that break signatures',
    );
    expect(await faults("writes: 'rewrite', certified: 2")).to.include(
      "certified is only for operations with writes: 'append'",
    );
    expect(await faults("writes: 'append', certified: 4")).to.include('certified is 4; it must be 1, 2 or 3');
    expect(await faults("writes: 'rewrite', signedInput: 'always'")).to.include('signedInput is "always"');
    expect(await faults("writes: 'rewrite', effects: ['breaksSignature']")).to.include(
      'effects has "breaksSignature", which follows from writes',
    );
  });

  it('checks password fields against the parameters and the names that are redacted in answers', async () => {
    let count = 0;
    const faults = async (passwords: string): Promise<string> => {
      const name = `quire-plugin-locks${++count}`;
      install(name, pluginCode(`operations: [{ ...${goodOperation}, passwords: ${passwords} }]`));
      return (await refused([{ use: name }])).message;
    };
    expect(await faults("{ result: 'password' }")).to.include(
      'passwords.result is the field "password", which the parameters do not have',
    );
    expect(await faults("{ result: 'angle' }")).to.include(
      'passwords.result is the field angle; the name of such a field must end in "password"',
    );
    expect(await faults("{ output: 'angle' }")).to.include('passwords.output is not known; allowed are input, result');
  });

  it('requires no `writes` of operations that pass PDFs on, create other files, or accept any file', async () => {
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
});
