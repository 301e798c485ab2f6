import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { importsOf, root, sourceFiles } from './import-graph.js';

/** Reads the diagram of docs/internals/architecture.md: the group of each folder, and the arrows. */
function readDiagram(): { groups: ReadonlyMap<string, string>; arrows: readonly string[] } {
  const text =
    /```mermaid\nflowchart TD\n([\s\S]*?)```/.exec(
      readFileSync(join(root, 'docs/internals/architecture.md'), 'utf8'),
    )?.[1] ?? '';
  const groups = new Map<string, string>();
  const arrows: string[] = [];
  let group: string | undefined;
  for (const line of text.split('\n').map((each) => each.trim())) {
    const opened = /^subgraph (\S+)/.exec(line)?.[1];
    const arrow = /^(\S+) --> (.+)$/.exec(line);
    if (opened !== undefined) group = opened;
    else if (line === 'end') group = undefined;
    else if (arrow !== null) arrows.push(...(arrow[2] ?? '').split('&').map((to) => `${arrow[1]} --> ${to.trim()}`));
    else if (group !== undefined) groups.set(line, group);
    else if (/^[a-z]+\[/.test(line)) groups.set(line.split('[')[0] ?? '', line.split('[')[0] ?? '');
  }
  return { groups, arrows };
}

/** The folder of a file as the diagram names it; undefined for core/app and for files outside the diagram. */
function folderOf(path: string): string | undefined {
  if (path.startsWith('plugins/')) return 'plugins';
  if (path.startsWith('registry/')) return path.startsWith('registry/catalog') ? 'catalog' : 'registry';
  if (path.startsWith('document/')) return 'document';
  const folder = /^core\/([^/.]+)(\/|$)/.exec(path)?.[1];
  return folder === 'app' ? undefined : folder;
}

describe('the diagram of the architecture', () => {
  const { groups, arrows } = readDiagram();
  const files = sourceFiles();

  it('shows every folder of core', () => {
    const folders = new Set(files.map(folderOf).filter((folder) => folder !== undefined));
    expect([...groups.keys()].sort()).to.deep.equal([...folders].sort());
  });

  it('has an arrow for every import between its groups, and no other', () => {
    const real = new Set<string>();
    for (const { from, target } of files.flatMap(importsOf)) {
      const [source, reached] = [groups.get(folderOf(from) ?? ''), groups.get(folderOf(target) ?? '')];
      if (source !== undefined && reached !== undefined && source !== reached) real.add(`${source} --> ${reached}`);
    }
    expect([...arrows].sort()).to.deep.equal([...real].sort());
  });
});
