import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expectNone } from './expect-none.js';
import { importsOf, projectFiles, root, sourceFiles } from './import-graph.js';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const written = projectFiles().filter(
  (path) => /\.(tsx?|mts|mjs|cjs)$/.test(path) && !/(^|\/)(bad-plugins|acme-barcode)\//.test(path),
);

describe('the layout of the code', () => {
  it('has no line above 120 columns, except markup in templates and regular expressions', () => {
    const wide = written.flatMap((path) => {
      let inTemplate = false;
      return read(path)
        .split('\n')
        .flatMap((line, i) => {
          const ticks = line.replaceAll(/\\./g, '').split('`').length - 1;
          const isComment = /^\s*(?:\/?\*|\/\/)/.test(line);
          const ofTemplate = !isComment && (inTemplate || ticks > 0);
          if (ticks % 2 === 1) inTemplate = !inTemplate;
          const columns = [...line].length;
          return columns > 120 &&
            !ofTemplate &&
            (isComment || !/\/(?![*/ ])[^/]+.*\/[dgimsuvy]*[;,.)]*|oxlint-/.test(line))
            ? [`${path}:${i + 1} has ${columns} columns`]
            : [];
        });
    });
    expectNone(wide);
  });

  it('has no folder above 25 source files', () => {
    const counts = new Map<string, number>();
    // One file for each operation, named like it: nobody has to read such a folder to find something.
    const written = sourceFiles().filter((path) => !/\/(?:generated|src)\/operations\//.test(path));
    for (const path of written) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    expectNone([...counts].filter(([, count]) => count > 25).map(([folder, count]) => `${folder} has ${count} files`));
  });

  it('has no files that import each other in a circle, types included', () => {
    const files = new Set(sourceFiles());
    const targets = new Map(
      [...files].map((path) => [
        path,
        importsOf(path)
          .map(({ target }) => target)
          .filter((target) => files.has(target)),
      ]),
    );
    expectNone(circles(targets).map((circle) => circle.sort().join(', ')));
  });

  it('cites only files that exist', () => {
    const cited =
      /(?<![\w./-])(?:docs|cli|clients|core|document|plugins|registry|test|tools|verification|deploy|config|bench|examples)\/[\w./-]+\.(?:md|yml|ts|mjs|sh|json)(?![\w*])/g;
    const sources = projectFiles().filter(
      (path) => /\.(ts|mjs|md|sh|yml)$/.test(path) && !/(^|\/)(fixtures|interface|reports|bad-plugins)\//.test(path),
    );
    const wrong = sources.flatMap((path) =>
      [...read(path).matchAll(cited)]
        .map(([target]) => target)
        .filter(
          (target) =>
            ![target, join(dirname(path), target), join(dirname(path), '..', target)].some((each) =>
              existsSync(join(root, each)),
            ),
        )
        .map((target) => `${path} cites ${target}`),
    );
    expectNone([...new Set(wrong)].filter((line) => !isMadeUp(line)));
  });
});

/** Paths that a generator writes, a reader creates, or a test invents. */
function isMadeUp(line: string): boolean {
  const path = line.split(' cites ')[1] ?? '';
  return (
    /(new-plugin|new-operation|check-registry|operation-names|templates\/|write-a-plugin|CONTRIBUTING|\.test\.ts cites|test\/kit\/)/.test(
      line,
    ) || basename(path).startsWith('my-')
  );
}

/** Strongly connected components of more than one file (Tarjan, 1972). */
function circles(targets: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (path: string): void => {
    index.set(path, index.size);
    low.set(path, index.get(path) ?? 0);
    stack.push(path);
    for (const next of targets.get(path) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(path, Math.min(low.get(path) ?? 0, low.get(next) ?? 0, index.get(next) ?? 0));
    }
    if (low.get(path) !== index.get(path)) return;
    const circle = stack.splice(stack.indexOf(path));
    if (circle.length > 1) found.push(circle);
  };
  for (const path of targets.keys()) if (!index.has(path)) visit(path);
  return found;
}
