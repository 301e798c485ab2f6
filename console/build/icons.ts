import { globSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/**
 * Writes two sprites of Lucide icons (ISC licence): `icons.svg` has those that this repository names, `all-icons.svg`
 * has all, for plugins that name others; it is loaded when one does.
 */
export function writeIcons(): Plugin {
  return {
    name: 'quire-icons',
    configResolved: ({ root }) => {
      const folder = join(
        dirname(createRequire(join(root, 'package.json')).resolve('lucide-static/package.json')),
        'icons',
      );
      const all = readdirSync(folder).map((file) => basename(file, '.svg'));
      const named = namedIcons(root, new Set(all));
      const target = join(root, '.generated');
      mkdirSync(target, { recursive: true });
      writeFileSync(join(target, 'icons.svg'), sprite(folder, named));
      writeFileSync(join(target, 'all-icons.svg'), sprite(folder, all));
      writeFileSync(join(target, 'icon-names.json'), `${JSON.stringify(named)}\n`);
    },
  };
}

/** Texts of the console's components that are names of icons, and the icons that operations and categories declare. */
function namedIcons(root: string, known: ReadonlySet<string>): string[] {
  const texts = (pattern: string, cwd: string) =>
    globSync(pattern, { cwd, exclude: (name) => name === 'node_modules' || name === 'dist' }).map((file) =>
      readFileSync(join(cwd, file), 'utf8'),
    );
  const own = texts('src/**/*.{ts,tsx}', root).flatMap((text) => [...text.matchAll(/['"]([a-z][a-z0-9-]*)['"]/g)]);
  const declared = ['plugins/*/src/**/*.ts', 'registry/**/*.ts', 'core/**/*.ts']
    .flatMap((pattern) => texts(pattern, join(root, '..')))
    .flatMap((text) => [...text.matchAll(/\bicon: ['"]([a-z][a-z0-9-]*)['"]/g)]);
  return [...new Set([...own, ...declared].map(([, name = '']) => name))].filter((name) => known.has(name)).sort();
}

function sprite(folder: string, names: readonly string[]): string {
  const symbols = names.map((name) => {
    const drawing = /<svg[^>]*>([\s\S]*)<\/svg>/.exec(readFileSync(join(folder, `${name}.svg`), 'utf8'))?.[1] ?? '';
    return `<symbol id="${name}" viewBox="0 0 24 24">${drawing.replaceAll(/>\s+</g, '><').trim()}</symbol>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join('\n')}\n</svg>\n`;
}
