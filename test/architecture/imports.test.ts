import { expect } from 'chai';
import { expectNone } from './expect-none.js';
import { type Import, importsOf, projectFiles, sourceFiles, staticallyReachable } from './import-graph.js';

const hapi = ['@hapi/hapi', '@hapi/inert', '@hapi/boom', 'hapi-pino'];
const files = ['node:fs', 'node:fs/promises'];
const effectful = [
  'fs',
  'node:fs',
  'node:fs/promises',
  'http',
  'node:http',
  'https',
  'node:https',
  'net',
  'node:net',
  'child_process',
  'node:child_process',
];

/**
 * The allowed imports; a file falls under the first rule whose `of` matches. `allows` is checked for run-time imports
 * only, unless `types` is set.
 */
const rules: readonly {
  readonly name: string;
  readonly of: RegExp;
  readonly allows: (found: Import) => boolean;
  readonly types?: boolean;
}[] = [
  {
    name: 'registry/catalog imports the registry, semver and joi',
    of: /^registry\/catalog\//,
    allows: ({ target }) =>
      /^registry\//.test(target) ||
      ['semver', 'joi', 'fastest-levenshtein'].includes(target) ||
      target.startsWith('node:'),
  },
  {
    name: 'the registry imports nothing, except joi as a type',
    of: /^registry\//,
    types: true,
    allows: ({ target, typeOnly }) =>
      (/^registry\//.test(target) && !/^registry\/catalog\//.test(target)) ||
      (typeOnly && (target === 'joi' || target.startsWith('node:'))),
  },
  {
    name: 'document imports no other folder of this project',
    of: /^document\//,
    types: true,
    allows: ({ target }) =>
      /^document\//.test(target) || !/^(core|registry|plugins|test|tools|verification)\//.test(target),
  },
  {
    name: 'the TypeScript client imports only itself, and Node in one file',
    of: /^clients\/typescript\//,
    types: true,
    allows: ({ from, target }) =>
      /^clients\/typescript\//.test(target) ||
      (target.startsWith('node:') && from === 'clients/typescript/src/platform-node.ts'),
  },
  {
    name: 'the command line imports the client, the start of the server, and types of the registry',
    of: /^cli\//,
    types: true,
    allows: ({ target, typeOnly }) =>
      /^cli\/|^node:/.test(target) ||
      ['clients/typescript/src/index.ts', '@quire/server'].includes(target) ||
      (typeOnly && target === 'registry/index.ts'),
  },
  {
    name: 'core never imports a plugin or a test',
    of: /^core\//,
    types: true,
    allows: ({ target }) => !/^(plugins|test|tools|verification)\//.test(target),
  },
  {
    name: "the console's document worker imports PDFium and the viewer's engine",
    of: /^console\/src\/viewer\/engine\/worker\//,
    allows: ({ target }) =>
      /^console\/src\/viewer\/engine\//.test(target) || /^@embedpdf\/pdfium(\/pdfium\.wasm\?url)?$/.test(target),
  },
  {
    name: 'the console imports pure parts of the registry and of invoices, preact, itself, and fonts for signatures',
    of: /^console\/src\//,
    allows: ({ from, target, specifier }) =>
      /^console\//.test(target) ||
      /^@quire\/registry\/(?:conditions|page-syntax)$/.test(specifier) ||
      // Terms and codes of invoices, which the server reads with too.
      (/^@quire\/document\/invoices\/(?:model|labels|rules\/code-lists)$/.test(specifier) &&
        /^console\/src\/screens\/invoices\//.test(from)) ||
      /^(preact|@preact\/signals)(\/|$)/.test(target) ||
      (/^uplot(\/|$)/.test(target) && /^console\/src\/screens\/administration\/usage\//.test(from)) ||
      // The server finds the times of schedules with it too.
      (/^croner$/.test(target) && from === 'console/src/screens/automations/model/next-times.ts') ||
      (/^uqr$/.test(target) && from === 'console/src/components/qr-path.ts') ||
      (/^@fontsource\//.test(target) && /^console\/src\/viewer\/signature\//.test(from)),
  },
  {
    name: 'operations import the registry, their own functions and @quire/document',
    of: /^plugins\/[^/]+\/src\/(operations|endpoints)\//,
    types: true,
    allows: ownPlugin(['registry/index.ts', 'registry/errors/index.ts'], /^document\//),
  },
  {
    name: 'functions import PDF libraries, @quire/document, errors, and access only the files passed to them',
    of: /^plugins\/[^/]+\/src\/functions\//,
    allows: (found) =>
      files.includes(found.target) ||
      (ownPlugin(['registry/errors/index.ts'], /^document\//)(found) && !/\/operations\//.test(found.target)),
  },
  {
    name: 'services of a plugin may store files, and import the registry and the plugin itself',
    of: /^plugins\/[^/]+\/src\/services\//,
    types: true,
    allows: (found) =>
      effectful.includes(found.target) ||
      ownPlugin(['registry/index.ts', 'registry/errors/index.ts'], /^document\//)(found),
  },
  {
    name: 'a plugin imports the registry and itself',
    of: /^plugins\//,
    types: true,
    allows: ownPlugin(['registry/index.ts', 'registry/errors/index.ts'], /^document\//),
  },
];

function ownPlugin(allowed: readonly string[], allowedPattern: RegExp): (found: Import) => boolean {
  return ({ from, target }) => {
    const own = from.split('/').slice(0, 3).join('/');
    if (/^(core|document|registry|plugins|test|tools|verification)\//.test(target))
      return target.startsWith(`${own}/`) || allowed.includes(target) || allowedPattern.test(target);
    return (
      target !== 'joi' &&
      target !== 'tsyringe' &&
      !target.startsWith('@hapi/') &&
      !target.startsWith('hapi-') &&
      !effectful.includes(target)
    );
  };
}

describe('the import graph', () => {
  const imports = sourceFiles().flatMap(importsOf);

  it('includes static, re-exporting and dynamic imports', () => {
    expect(imports.length).to.be.greaterThan(100);
    expect(imports.some(({ dynamic }) => dynamic)).to.equal(true);
    expect(imports.some(({ typeOnly }) => typeOnly)).to.equal(true);
  });

  for (const rule of rules) {
    it(`follows the rule: ${rule.name}`, () => {
      const wrong = imports.filter(
        (found) =>
          rules.find(({ of }) => of.test(found.from)) === rule &&
          (rule.types === true || !found.typeOnly) &&
          !rule.allows(found),
      );
      expectNone(wrong.map(({ from, specifier }) => `${from} imports ${specifier}`));
    });
  }

  it('keeps each library in the folder where it belongs', () => {
    const homes: readonly (readonly [readonly string[], RegExp])[] = [
      [hapi, /^core\/(http|openapi|app|console)\//],
      [['hapi-swagger'], /^core\/openapi\//],
      [['agenda', '@agendajs/mongo-backend'], /^core\/jobs\//],
      [['tsyringe', 'reflect-metadata'], /^core\/app\//],
      [['mongodb'], /^core\/(store|jobs)\//],
      [['ioredis'], /^core\/jobs\/backplane\//],
      [['libsql'], /^core\/(store|jobs)\//],
      [['prom-client'], /^core\/metrics\//],
      [['@simplewebauthn/server', '@simplewebauthn/server/helpers'], /^core\/accounts\//],
      [['rate-limiter-flexible'], /^core\/(access|accounts)\//],
      [['jose'], /^core\/(accounts|identity|mcp)\//],
      [['openid-client'], /^core\/identity\//],
      [['@node-saml/node-saml', 'xml-encryption'], /^core\/identity\/saml\//],
      [['@modelcontextprotocol/server'], /^core\/mcp\//],
    ];
    const wrong = imports.filter(
      ({ from, target, typeOnly }) =>
        !typeOnly && homes.some(([libraries, home]) => libraries.includes(target) && !home.test(from)),
    );
    expectNone(wrong.map(({ from, specifier }) => `${from} imports ${specifier}`));
  });

  // core/app assembles the server: it also calls the create functions of features.
  it('reaches other folders of core through an index.ts, types included, and core/app not at all', () => {
    const folder = (path: string): string | undefined => /^core\/([^/]+)\//.exec(path)?.[1];
    const wrong = imports.filter(({ from, target }) => {
      const [here, there] = [folder(from), folder(target)];
      if (here === undefined || there === undefined || here === there) return false;
      const entry = /\/index\.ts$/.test(target) || (here === 'app' && /\/create-[^/]+\.ts$/.test(target));
      return !entry || there === 'app';
    });
    expectNone(wrong.map(({ from, specifier }) => `${from} imports ${specifier}`));
  });

  it('has no helper of automations in watched folders: what both need is in core/folders', () => {
    const wrong = imports.filter(
      ({ from, target }) => /^core\/automation\//.test(from) && /^core\/watched-folders\//.test(target),
    );
    expectNone(wrong.map(({ from, specifier }) => `${from} imports ${specifier}`));
  });

  it('has no file that nothing imports', () => {
    const reached = new Set(
      sourceFiles()
        .flatMap(importsOf)
        .map(({ target }) => target),
    );
    // Files that are started and not imported: entries of packages, commands and child processes.
    const started = /(^|\/)(index|main|[a-z-]+-entry|[a-z-]+-cli)\.tsx?$|^clients\/typescript\/src\/browser\.ts$/;
    expectNone(sourceFiles().filter((path) => !started.test(path) && !reached.has(path)));
  });

  it('loads no document library into the main process', () => {
    const heavy = /^(pdf-lib|@pdf-lib\/.*|@embedpdf\/.*|@libpdf\/.*|@neslinesli93\/.*|sharp|node-forge|pkijs)$/;
    const entries = ['core/main.ts', ...projectFiles().filter((path) => /^plugins\/[^/]+\/src\/index\.ts$/.test(path))];
    const found = entries.flatMap((entry) =>
      [...staticallyReachable(entry)].filter(([target]) => heavy.test(target)).map(([, way]) => way.join(' → ')),
    );
    expectNone(found);
  });

  it('loads no library at the start that only some calls need', () => {
    const every = [
      '@fastify/busboy',
      '@hapi/hapi',
      '@hapi/inert',
      'fastest-levenshtein',
      'hapi-pino',
      'joi',
      'pino',
      'reflect-metadata',
      'semver',
      'tsyringe',
      'yaml',
    ];
    const outside = [...staticallyReachable('core/main.ts')].filter(
      ([target]) => !/\.(ts|mjs)$/.test(target) && !target.startsWith('node:') && !every.includes(target),
    );
    expectNone(outside.map(([, way]) => way.join(' → ')));
    // All of semver has forty-eight files; the imported parts are half of them.
    expectNone(
      imports
        .filter(({ specifier, typeOnly }) => specifier === 'semver' && !typeOnly)
        .map(({ from, specifier }) => `${from} imports all of ${specifier}`),
    );
  });

  it('keeps document functions free of processes and the network', () => {
    const wrong = imports.filter(
      ({ from, target }) =>
        /^plugins\/[^/]+\/src\/functions\//.test(from) && effectful.includes(target) && !files.includes(target),
    );
    expectNone(wrong.map(({ from, specifier }) => `${from} imports ${specifier}`));
  });
});
