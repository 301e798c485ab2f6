// Bundles what the compiler has written: the modules of each package in few files (`dist/bundle/`), because Node spends
// half of a start on finding and loading single files. A package is bundled if its package.json names files in
// `dist/bundle/`. Imports of other packages stay imports, so that core and all plugins share one registry, and no
// package contains code of somebody else (docs/internals/adr/0121-bundled-packages.md).
import { globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const { references } = readJson(join(root, 'tsconfig.json'));

await Promise.all(references.map(({ path }) => bundle(join(root, path))));

async function bundle(folder) {
  const entries = bundledFiles(readJson(join(folder, 'package.json'))).flatMap((file) => compiledFiles(folder, file));
  rmSync(join(folder, 'dist', 'bundle'), { recursive: true, force: true });
  if (entries.length === 0) return;
  await build({
    absWorkingDir: folder,
    entryPoints: entries,
    outbase: 'dist',
    outdir: 'dist/bundle',
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    packages: 'external',
    // A server keeps the text of all modules in memory. Names stay, because stack traces show them.
    minifyWhitespace: true,
    minifySyntax: true,
    // Stack traces name sources: core/operations/workers/readable-stacks.ts.
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
    plugins: [ownAddresses(folder)],
  });
}

/** Returns every path in `dist/bundle/` that `exports` or `imports` of a package.json name. */
function bundledFiles({ exports = {}, imports = {} }) {
  const paths = (value) => (typeof value === 'string' ? [value] : Object.values(value).flatMap(paths));
  return paths([exports, imports]).filter((path) => path.startsWith('./dist/bundle/'));
}

/** Returns the compiled files behind such a path. Its `*` stands for one or more folders. */
function compiledFiles(folder, file) {
  return globSync(file.replace('./dist/bundle/', 'dist/').replace('*', '**'), { cwd: folder }).filter(
    (path) => !path.startsWith(join('dist', 'bundle')),
  );
}

/**
 * Modules find other files by their own address: in a bundle, `import.meta.url` stays the address of the compiled file,
 * whatever file of the bundle the module has become a part of.
 */
function ownAddresses(folder) {
  return {
    name: 'own-addresses',
    setup: ({ onLoad }) => {
      onLoad({ filter: /[\\/]dist[\\/].*\.m?js$/ }, ({ path }) => {
        const code = readFileSync(path, 'utf8');
        if (!code.includes('import.meta.url')) return undefined;
        const own = JSON.stringify(relative(folder, path).replaceAll('\\', '/'));
        const address = `new URL(${own}, import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/bundle/') + 1)).href`;
        return { contents: code.replaceAll('import.meta.url', address), loader: 'js', resolveDir: dirname(path) };
      });
    },
  };
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
