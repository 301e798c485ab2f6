import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Joi from 'joi';
import {
  CatalogError,
  loadCatalog,
  type Catalog,
  type CatalogRequest,
  type PluginRequest,
} from '../../registry/catalog/index.js';

/** Source of a valid operation. */
export const goodOperation = `{
  path: 'misc/turn-round', since: '1.0.0', summary: 'Turn a document round', accepts: ['pdf'], files: 'each',
  returns: { kind: 'pdf', name: '{base}_{angle}' }, errors: ['PDF_ENCRYPTED'],
  params: (joi) => joi.object({ angle: joi.number().valid(0, 90).default(90).description('Angle') }),
  aliases: { turn: 'angle' }, writes: 'rewrite', effects: ['lossy'],
  examples: [{ title: 'turns', files: ['a.pdf'], params: { angle: 90 }, expect: { pages: [1] } }],
  run: async () => [],
}`;

/** Source of a valid endpoint. */
export const goodEndpoint = `{
  id: 'miscThing', method: 'GET', path: 'misc/things/{id}', since: '1.0.0', summary: 'Read a thing', errors: [],
  request: { params: (joi) => joi.object({ id: joi.string().required().description('Id') }) },
  returns: { description: 'The thing', json: (joi) => joi.object({ id: joi.string() }) },
  handle: async () => ({ json: {} }),
}`;

/** Source of a plugin's entry; `body` adds members to the default export, `before` statements in front of it. */
export const pluginCode = (body: string, before = ''): string =>
  `${before}\nexport default { [Symbol.for('quire.plugin')]: true, operations: [], endpoints: [], ${body} };\n`;

/** Plugin packages in a temporary folder, and the catalogue that loads them. */
export interface PluginPackages {
  /** The folder that packages are resolved from. */
  folder(): string;
  /** Writes a package into `node_modules`; `changes` replaces members of its package.json. */
  install(name: string, code: string, changes?: Readonly<Record<string, unknown>>): void;
  load(plugins: readonly PluginRequest[], more?: Partial<CatalogRequest>): Promise<Catalog>;
  /** Loads the plugins and returns the error with which they are refused. */
  refused(plugins: readonly PluginRequest[], more?: Partial<CatalogRequest>): Promise<CatalogError>;
}

/** Creates an empty folder before each test and removes it afterwards; call it in a describe block. */
export function usePluginPackages(): PluginPackages {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-catalog-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const load: PluginPackages['load'] = (plugins, more = {}) =>
    loadCatalog({ plugins, resolveFrom: folder, joi: Joi, ...more });
  return {
    folder: () => folder,
    install: (name, code, changes = {}) => {
      const root = join(folder, 'node_modules', name);
      mkdirSync(join(root, 'dist'), { recursive: true });
      const manifest = {
        name,
        version: '1.2.3',
        type: 'module',
        exports: { '.': { types: './dist/index.d.ts', import: './dist/index.js' } },
        quire: { kind: 'plugin', api: '^1.0.0', prefixes: ['misc'] },
        ...changes,
      };
      writeFileSync(join(root, 'package.json'), JSON.stringify(manifest));
      writeFileSync(join(root, 'dist', 'index.js'), code);
    },
    load,
    refused: async (plugins, more = {}) => {
      try {
        await load(plugins, more);
      } catch (error) {
        if (error instanceof CatalogError) return error;
        throw error;
      }
      throw new Error('the plugins were accepted');
    },
  };
}
