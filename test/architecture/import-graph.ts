import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** One import of a file. */
export interface Import {
  readonly from: string;
  readonly specifier: string;
  /** A project path for a file of this repository, else the package's name. */
  readonly target: string;
  readonly typeOnly: boolean;
  /** `import()`, which runs later. */
  readonly dynamic: boolean;
}

/** Every file that git tracks or would add, relative to the root folder. */
export function projectFiles(): string[] {
  const output = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return [...new Set(output.split('\n'))]
    .filter((path) => path !== '' && existsSync(join(root, path)) && statSync(join(root, path)).isFile())
    .sort();
}

/** TypeScript sources of the product: no tests, no declaration files. */
export function sourceFiles(): string[] {
  return projectFiles().filter(
    (path) =>
      /^(cli\/src\/|clients\/[^/]+\/src\/|console\/src\/|core\/|document\/|registry\/|plugins\/[^/]+\/src\/)/.test(
        path,
      ) &&
      /\.tsx?$/.test(path) &&
      !path.endsWith('.d.ts') &&
      !path.endsWith('.test.ts') &&
      !path.includes('/test/'),
  );
}

/**
 * The code without its comments and without the text of its strings, except module specifiers. Keeps the line count.
 */
export function withoutComments(code: string): string {
  return code.replaceAll(
    /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*/g,
    (match) => (match.startsWith('/') ? match.replaceAll(/[^\n]/g, ' ') : match),
  );
}

/** Every import of a file: static, re-exporting and dynamic. */
export function importsOf(path: string): Import[] {
  const code = withoutComments(readFileSync(join(root, path), 'utf8'));
  const found: Import[] = [];
  const add = (specifier: string | undefined, typeOnly: boolean, dynamic: boolean): void => {
    if (specifier !== undefined)
      found.push({ from: path, specifier, target: targetOf(path, specifier), typeOnly, dynamic });
  };
  for (const [, clause = '', specifier] of code.matchAll(
    /^[ \t]*import\s+(?:([^'";]*?)\s*\bfrom\s*)?['"]([^'"\n]+)['"]/gm,
  ))
    add(specifier, isTypeOnly(clause), false);
  for (const [, clause = '', specifier] of code.matchAll(
    /^[ \t]*export\s+((?:type\s+)?(?:\*[^'";]*?|\{[^}]*\}))\s*from\s*['"]([^'"\n]+)['"]/gm,
  ))
    add(specifier, isTypeOnly(clause), false);
  for (const [, specifier] of code.matchAll(/(?<!typeof )\bimport\(\s*['"]([^'"]+)['"]\s*\)(?!\s*\.[A-Z])(?!\[)/g))
    add(specifier, false, true);
  return found;
}

/**
 * Returns whether the import disappears at run time: `import type`. A list of `type` names only remains as an import
 * of nothing (`verbatimModuleSyntax`), which loads the file.
 */
function isTypeOnly(clause: string): boolean {
  return /^\s*type\b/.test(clause);
}

const packages: Readonly<Record<string, string>> = {
  '@quire/registry': 'registry',
  '@quire/catalog': 'registry/catalog',
  '@quire/document': 'document',
  '@quire/core': 'core',
  '@quire/client': 'clients/typescript/src',
  '@quire/plugin-kit': 'test/kit',
};

function targetOf(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return relative(root, join(root, dirname(from), specifier)).replace(/\.js$/, '.ts');
  const [first = '', second = ''] = specifier.split('/');
  const name = specifier.startsWith('@') ? `${first}/${second}` : first;
  const rest = specifier.slice(name.length + 1);
  const folder =
    packages[name] ??
    (name.startsWith('@quire/plugin-') ? `plugins/${name.slice('@quire/plugin-'.length)}/src` : undefined);
  if (folder === undefined) return specifier.startsWith('node:') ? specifier : name;
  return join(folder, rest, 'index.ts');
}

/** Packages and files reachable from a source file by static imports, each with the import path to it. */
export function staticallyReachable(entry: string): ReadonlyMap<string, readonly string[]> {
  const ways = new Map<string, readonly string[]>([[entry, [entry]]]);
  const queue = [entry];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (!existsSync(join(root, path)) || !path.endsWith('.ts')) continue;
    for (const { target, typeOnly, dynamic } of importsOf(path)) {
      if (typeOnly || dynamic || ways.has(target)) continue;
      ways.set(target, [...(ways.get(path) ?? []), target]);
      queue.push(target);
    }
  }
  return ways;
}
