import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import type { Example } from '@quire/registry';
import { loadWorkspacePlugins } from '../load-workspace-plugins.js';
import { expectNone } from '../../test/architecture/expect-none.js';
import { packPackages, publishedPackages, root } from './packages.mjs';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports?: unknown;
  readonly bin?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
}

interface ShippedSettings {
  readonly plugins: readonly { readonly use: string }[];
}

/** Files that nobody needs who runs or imports a package. Stack traces need the maps of bundles. */
const NOT_PUBLISHED = /(?<!\.d)\.[mc]?tsx?$|\.(map|tsbuildinfo|sh)$|(^|\/)(src|test|tsconfig[^/]*)(\/|$)|\.test\./;

const BUNDLE_MAP = /^dist\/bundle\/.*\.js\.map$/;

const packages = publishedPackages() as readonly { readonly folder: string; readonly manifest: Manifest }[];
const versionOf = (folder: string): string =>
  (JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest).version;

describe('the published packages', function () {
  this.timeout(120_000);
  let packed: ReadonlyMap<string, readonly string[]>;
  before(() => {
    packed = new Map(packPackages('', { dryRun: true }).map(({ name, files }) => [name, files]));
  });

  it('are all workspaces that are not private, the server and its plugins among them', () => {
    const names = packages.map(({ manifest }) => manifest.name);
    expect(names).to.include.members(['@quire/server', '@quire/core', '@quire/registry', '@quire/plugin-kit']);
    expect([...packed.keys()].sort()).to.deep.equal([...names].sort());
  });

  it('contain no sources, tests, build records or source maps but those of bundles', () => {
    expectNone(
      [...packed].flatMap(([name, files]) =>
        files.filter((file) => NOT_PUBLISHED.test(file) && !BUNDLE_MAP.test(file)).map((file) => `${name}: ${file}`),
      ),
    );
  });

  it('bundle their own sources only, so that no package has a second registry or code of somebody else', () => {
    const maps = packages.flatMap(({ folder, manifest }) =>
      (packed.get(manifest.name) ?? [])
        .filter((file) => BUNDLE_MAP.test(file))
        .map((file) => ({ folder: join(root, folder), file: join(root, folder, file) })),
    );
    const settings = parse(readFileSync(join(root, 'config', 'settings.yml'), 'utf8')) as ShippedSettings;
    for (const name of ['@quire/core', '@quire/document', '@quire/registry', ...settings.plugins.map(({ use }) => use)])
      expect(packed.get(name), name).to.include.members(['dist/bundle/index.js', 'dist/bundle/index.js.map']);
    for (const { use } of settings.plugins)
      expect(packed.get(use), `${use}: without the mark of the build, each start checks its declarations`).to.include(
        'dist/bundle/checked.json',
      );
    const foreign = maps.flatMap(({ folder, file }) => {
      const { sources } = JSON.parse(readFileSync(file, 'utf8')) as { readonly sources: readonly string[] };
      return sources
        .map((source) => relative(folder, resolve(dirname(file), source)))
        .filter(
          (source) => source.startsWith('..') || source.includes('node_modules') || !/\.m?ts$|\.mjs$/.test(source),
        )
        .map((source) => `${relative(root, file)}: ${source}`);
    });
    expectNone(foreign);
  });

  it('contain licence, README, and every file that exports and bin name', () => {
    const missing = packages.flatMap(({ manifest }) => {
      const files = packed.get(manifest.name) ?? [];
      return ['LICENSE', 'README.md', ...pathsIn(manifest.exports), ...pathsIn(manifest.bin)]
        .filter((path) => !files.some((file) => matches(path, file)))
        .map((path) => `${manifest.name}: ${path}`);
    });
    expectNone(missing);
  });

  it('of plugins contain exactly the fixtures that their examples name, since the server shows them', async () => {
    for (const { name, plugin } of await loadWorkspacePlugins()) {
      const operations = plugin.operations.flatMap(({ examples }) => [...(examples as readonly Example<unknown>[])]);
      const named = [
        ...operations.flatMap(({ files, parts = {} }) => [...files, ...Object.values(parts)]),
        ...plugin.endpoints.flatMap(({ examples = [] }) =>
          examples.flatMap(({ files = {} }) => Object.values(files).flat()),
        ),
      ];
      const fixtures = (packed.get(name) ?? []).filter((file) => file.startsWith('fixtures/'));
      expect(fixtures.sort(), name).to.deep.equal([...new Set(named)].map((file) => `fixtures/${file}`).sort());
    }
  });

  it('include a server that depends on exactly the plugins that its settings load', () => {
    const settings = parse(readFileSync(join(root, 'config', 'settings.yml'), 'utf8')) as ShippedSettings;
    const { dependencies = {} } = packages.find(({ folder }) => folder === 'config')?.manifest ?? {};
    expect(Object.keys(dependencies).sort()).to.deep.equal(
      ['@quire/core', ...settings.plugins.map(({ use }) => use)].sort(),
    );
  });

  it('share the version of the server: the repository, @quire/server, @quire/core, @quire/console', () => {
    const [version, ...others] = ['.', 'config', 'core', 'console'].map(versionOf);
    expect(new Set(others)).to.deep.equal(new Set([version]));
  });
});

/** Returns every path in a value of `exports` or `bin`, without the leading `./`. */
function pathsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value.replace(/^\.\//, '')];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(pathsIn) : [];
}

/** A path of `exports` may contain one `*` (Node.js, subpath patterns). */
function matches(path: string, file: string): boolean {
  const [before = '', after] = path.split('*');
  return after === undefined ? path === file : file.startsWith(before) && file.endsWith(after);
}
