import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectNone } from './expect-none.js';
import semver from 'semver';
import { API_VERSION } from '@quire/registry';
import { importsOf, projectFiles, root, sourceFiles } from './import-graph.js';

interface PackageFile {
  readonly name: string;
  readonly version: string;
  readonly type?: string;
  readonly license?: string;
  readonly exports?: unknown;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly quire?: { readonly kind: string; readonly api: string; readonly prefixes: readonly string[] };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const workspaces = [
  'config',
  'registry',
  'registry/catalog',
  'document',
  'console',
  'core',
  'cli',
  'clients/typescript',
  'test/kit',
  ...projectFiles()
    .filter((path) => /^plugins\/[^/]+\/package\.json$/.test(path))
    .map((path) => path.replace('/package.json', '')),
];
const manifests = workspaces.map((folder) => ({
  folder,
  json: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as PackageFile,
}));

describe('the packages', () => {
  it('have a version, a licence, ES modules and an exports map', () => {
    for (const { folder, json } of manifests) {
      expect(semver.valid(json.version), `version of ${folder}`).not.to.equal(null);
      expect(json.license, `licence of ${folder}`).to.equal('MIT');
      expect(json.type, `type of ${folder}`).to.equal('module');
      expect(json.exports, `exports of ${folder}`).to.be.an('object');
    }
  });

  it('give the registry the version of the plugin API', () => {
    expect(manifests.find(({ folder }) => folder === 'registry')?.json.version).to.equal(API_VERSION);
  });

  it('have no install scripts', () => {
    const scripts = manifests.flatMap(({ folder, json }) =>
      Object.keys(json.scripts ?? {})
        .filter((name) => /^(pre|post)?(install|prepare)$/.test(name))
        .map((name) => `${folder}: ${name}`),
    );
    expectNone(scripts);
  });

  it('for plugins have a bounded version range of the registry that includes this version', () => {
    for (const { folder, json } of manifests.filter(({ folder: path }) => path.startsWith('plugins/'))) {
      expect(json.quire?.kind, folder).to.equal('plugin');
      expect(semver.satisfies(API_VERSION, json.quire?.api ?? ''), `${folder} takes ${API_VERSION}`).to.equal(true);
      expect(semver.satisfies('999.0.0', json.quire?.api ?? ''), `${folder} has no upper bound`).to.equal(false);
      expect(existsSync(join(root, folder, 'CHANGELOG.md')), `${folder}/CHANGELOG.md`).to.equal(true);
    }
  });

  it('declare their imports as dependencies', () => {
    const missing = sourceFiles().flatMap((path) => {
      const owner = manifests
        .filter(({ folder }) => path.startsWith(`${folder}/`))
        .sort((a, b) => b.folder.length - a.folder.length)[0];
      if (owner === undefined) return [];
      const declared = { ...owner.json.dependencies, ...owner.json.peerDependencies, ...owner.json.devDependencies };
      return importsOf(path)
        .filter(({ specifier, typeOnly }) => !typeOnly && !specifier.startsWith('.') && !specifier.startsWith('node:'))
        .map(({ specifier }) =>
          specifier
            .split('/')
            .slice(0, specifier.startsWith('@') ? 2 : 1)
            .join('/'),
        )
        .filter((name) => name !== owner.json.name && !(name in declared))
        .map((name) => `${path} imports ${name}`);
    });
    expectNone([...new Set(missing)]);
  });

  it('share one copy of each library that the server loads at the start', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, unknown>>;
    };
    // Joi and its dependencies stay at version 9 of hoek; all of Hapi shares the other.
    const copies = (name: string): string[] =>
      Object.keys(packages)
        .filter((path) => path.endsWith(`node_modules/${name}`))
        .filter((path) => !/^node_modules\/(joi|@hapi\/topo|@sideway\/address)\//.test(path));
    for (const name of ['@hapi/hoek', 'pino', 'semver', 'yaml'])
      expect(copies(name), name).to.deep.equal([`node_modules/${name}`]);
  });

  it('use every declared dependency', () => {
    const unused = manifests
      // The server only lists its plugins; `tools/release` compares the list with the settings.
      .filter(({ folder }) => folder !== 'test/kit' && folder !== 'config')
      .flatMap(({ folder, json }) => {
        const files = projectFiles().filter((path) => path.startsWith(`${folder}/`) && path.endsWith('.ts'));
        const text = files.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
        return Object.keys(json.dependencies ?? {})
          .filter(
            (name) =>
              !text.includes(`'${name}`) &&
              !text.includes(`'${name.split('/').at(-1) ?? name}`) &&
              !text.includes(`/${name.split('/').at(-1) ?? name}`),
          )
          .map((name) => `${folder}: ${name}`);
      });
    expectNone(unused);
  });
});
