import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { API_VERSION } from '@quire/registry';
import { makePdf } from '../make-pdf.js';
import { isOperationPath, operationNames } from './operation-names.js';
import { operationTemplates, type TemplateName } from './templates/index.js';

/** The version that `@quire/document` depends on; a test compares them. */
const PDF_LIB = '1.17.1';

export interface NewPlugin {
  /** Short name in kebab case: `barcode`. */
  readonly name: string;
  /** Target folder of the package; it must not exist. */
  readonly folder: string;
  /** True inside this repository's workspace: `@quire/plugin-<name>`, built with the others. */
  readonly workspace: boolean;
  /**
   * Outside the workspace: a built checkout of the server to develop against; without it the server's packages come
   * from the npm registry.
   */
  readonly checkout?: string;
  /** The kind of its first operation; default `edit`. */
  readonly template?: TemplateName;
  /**
   * Path of its first operation: `misc/add-barcode`; default `misc/<name>-pdf`, in the workspace `<name>/write-pdf`.
   */
  readonly operation?: string;
}

/**
 * Writes a plugin package with one operation, its function, fixture and tests; its `npm test` passes at once. Returns
 * the files written.
 */
export async function writePlugin({
  name,
  folder,
  workspace,
  checkout,
  template: chosen = 'edit',
  operation: path = workspace ? `${name}/write-pdf` : `misc/${name}-pdf`,
}: NewPlugin): Promise<string[]> {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new Error(`"${name}" is not a name in kebab case, for example barcode or page-marks`);
  if (!isOperationPath(path))
    throw new Error(`"${path}" is not the path of an operation, for example misc/add-barcode`);
  if (existsSync(folder)) throw new Error(`${folder} already exists`);
  const prefix = path.split('/')[0] ?? path;
  const operation = { path, since: '0.1.0' };
  const { file, exportName } = operationNames(operation.path);
  const template = operationTemplates[chosen];
  const packageName = workspace ? `@quire/plugin-${name}` : `quire-plugin-${name}`;
  const files: Record<string, string | Uint8Array> = {
    'package.json': packageJson(packageName, prefix, workspace, checkout && relative(folder, checkout)),
    'tsconfig.json': tsconfig(workspace),
    '.mocharc.json':
      '{ "node-option": ["import=tsx", "no-experimental-require-module"], "timeout": 60000, "exit": true, ' +
      '"spec": "test/**/*.test.ts" }\n',
    '.gitignore': 'node_modules/\ndist/\n*.tsbuildinfo\n*.tgz\n',
    'README.md': readme(packageName, folder, workspace, checkout),
    'CHANGELOG.md': '# Changelog\n\n## 0.1.0\n\n### Added\n\n- First version.\n',
    'src/index.ts':
      `import { definePlugin } from '@quire/registry';\nimport { ${exportName} } from './operations/${file}` +
      `.op.js';\n\nexport default definePlugin({${ownCategory(name, prefix)} operations: [${exportName}] });\n`,
    [`src/operations/${file}.op.ts`]: template.declaration(operation),
    [`src/functions/${file}.ts`]: template.work(operation),
    [`test/operations/${file}.test.ts`]: template.test(operation),
    'test/conformance.test.ts':
      "import { describePlugin } from '@quire/plugin-kit';\nimport plugin from '../src/index.js';\n\n" +
      "describePlugin(plugin, { packageRoot: new URL('..', import.meta.url) });\n",
    'fixtures/letter.pdf': await makePdf({ pages: 2, text: ['Dear customer', 'Yours'] }),
  };
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
  return Object.keys(files);
}

function readme(name: string, folder: string, workspace: boolean, checkout: string | undefined): string {
  if (workspace)
    return (
      `# ${name}\n\nOperations of the server.\n\nStart reading in \`src/operations\` (one file per operation). ` +
      '`src/functions` has the work.\n'
    );
  const archive = `${name}-0.1.0.tgz`;
  const [source, server, path] =
    checkout === undefined
      ? ['', '<server>', `<path>/${archive}`]
      : [
          ' The `@quire/*` packages are not on npm yet: `package.json` takes them from the checkout in ' +
            `\`${relative(folder, checkout)}\`, which must be compiled (\`npm run build\` there).`,
          relative(folder, checkout),
          join(relative(checkout, folder), archive),
        ];
  return [
    `# ${name}\n\nOperations for a Quire server.${source}\n`,
    `\`\`\`sh\nnpm install && npm test && npm pack   # writes ${archive}`,
    `cd ${server} && npm install --no-save ${path}\n\`\`\`\n`,
    "and in the server's `<base>/configs/settings.yml` (the base folder is `data` in the server's folder, or what " +
      '`QUIRE_BASE_PATH` names):\n',
    `\`\`\`yaml\nplugins:\n  - use: '${name}'    # added to the plugins that the server ships\n\`\`\`\n`,
  ].join('\n');
}

/** The title and the icon of a category that the plugin is named after; others are those of the server's plugins. */
function ownCategory(name: string, prefix: string): string {
  if (name !== prefix) return '';
  const title = `${name[0]?.toUpperCase() ?? ''}${name.slice(1).replaceAll('-', ' ')}`.slice(0, 30).trimEnd();
  return `\n  categories: [{ id: '${prefix}', title: '${title}', icon: 'puzzle', order: 500 }],\n `;
}

function packageJson(name: string, prefix: string, workspace: boolean, checkout: string | undefined): string {
  const from = (folder: string, range: string): string =>
    checkout === undefined ? range : `file:${join(checkout, folder)}`;
  const json = {
    name,
    version: '0.1.0',
    description: 'Operations for a Quire server',
    license: 'MIT',
    type: 'module',
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' }, './package.json': './package.json' },
    files: ['dist', 'fixtures', 'README.md', 'CHANGELOG.md'],
    quire: { kind: 'plugin', api: `^${API_VERSION}`, prefixes: [prefix] },
    scripts: { build: 'tsc -b', test: `tsc -b && ${mochaOn(checkout)}` },
    // A server has these packages; a package outside must not bring its own copies. pdf-lib's classes in particular
    // must be those of @quire/document, which compares objects with instanceof.
    peerDependencies: {
      '@quire/registry': `^${API_VERSION}`,
      ...(workspace ? {} : { '@quire/document': '^0.1.0', 'pdf-lib': PDF_LIB }),
    },
    ...(workspace
      ? { dependencies: { '@quire/document': '^0.1.0', 'pdf-lib': PDF_LIB } }
      : {
          devDependencies: {
            '@quire/document': from('document', '^0.1.0'),
            '@quire/plugin-kit': from('test/kit', '^1.0.0'),
            '@quire/registry': from('registry', `^${API_VERSION}`),
            '@types/mocha': '^10.0.10',
            '@types/node': '^20.19.0',
            chai: '^6.3.0',
            mocha: '^12.0.3',
            'pdf-lib': from('node_modules/pdf-lib', PDF_LIB),
            tsx: '^4.23.15',
            typescript: '^7.0.2',
          },
        }),
  };
  return `${JSON.stringify(json, null, 2)}\n`;
}

/** Runs mocha; beside a checkout on its Node 24, which the servers of the tests need, whatever Node is installed. */
function mochaOn(checkout: string | undefined): string {
  return checkout === undefined
    ? 'mocha'
    : `node --import ${join(checkout, 'tools', 'node24.mjs')} node_modules/mocha/bin/mocha.js`;
}

function tsconfig(workspace: boolean): string {
  const own = { rootDir: 'src', outDir: 'dist' };
  const json = workspace
    ? {
        extends: '../../tsconfig.base.json',
        compilerOptions: own,
        include: ['src/**/*.ts'],
        references: [{ path: '../../registry' }, { path: '../../document' }],
      }
    : {
        compilerOptions: {
          target: 'ES2022',
          lib: ['ES2023'],
          module: 'NodeNext',
          moduleResolution: 'NodeNext',
          types: ['node'],
          strict: true,
          noUncheckedIndexedAccess: true,
          exactOptionalPropertyTypes: true,
          skipLibCheck: true,
          declaration: true,
          composite: true,
          ...own,
        },
        include: ['src/**/*.ts'],
      };
  return `${JSON.stringify(json, null, 2)}\n`;
}
