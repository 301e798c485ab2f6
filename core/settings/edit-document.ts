import { isAlias, isMap, isScalar, YAMLMap, type Document, type Node, type Pair } from 'yaml';
import { formerNames } from './known-keys.js';

/** How a key was edited: `shared` when its place is borrowed from an anchor, so that a change would reach further. */
export type Edit = 'done' | 'shared';

interface Place {
  readonly map: YAMLMap;
  readonly pair: Pair<Node, Node | null>;
}

/**
 * Sets the value of a dotted path, or takes the key out with undefined. Comments, order and everything else stay. A key
 * may stand under its own or a former name, in sections or as one dotted name.
 */
export function editDocument(document: Document, path: string, value: unknown): Edit {
  const names = [
    path,
    ...Object.entries(formerNames)
      .filter(([, now]) => now === path)
      .map(([former]) => former),
  ];
  if (!isMap(document.contents)) {
    if (value === undefined) return 'done';
    document.contents = new YAMLMap();
  }
  const root = document.contents as YAMLMap;
  for (const name of names) {
    const found = locate(root, name);
    if (found === 'shared') return found;
    if (found !== undefined) return change(document, found, value);
  }
  if (value === undefined) return 'done';
  return insert(document, root, path, value);
}

function pairs(map: YAMLMap): Pair<Node, Node | null>[] {
  return map.items as Pair<Node, Node | null>[];
}

function nameOf(pair: Pair<Node, Node | null>): string {
  return String(isScalar(pair.key) ? pair.key.value : pair.key);
}

function locate(map: YAMLMap, path: string): Place | 'shared' | undefined {
  for (const pair of pairs(map)) {
    const name = nameOf(pair);
    if (name === path) return { map, pair };
    if (!path.startsWith(`${name}.`)) continue;
    if (isAlias(pair.value)) return 'shared';
    const below = isMap(pair.value) ? locate(pair.value, path.slice(name.length + 1)) : undefined;
    if (below !== undefined) return below;
  }
  return undefined;
}

function change(document: Document, { map, pair }: Place, value: unknown): Edit {
  if (value === undefined) {
    map.items.splice(pairs(map).indexOf(pair), 1);
    return 'done';
  }
  const before = pair.value;
  const next = document.createNode(value);
  // A comment behind the old value speaks of the key.
  if (before !== null && !isAlias(before)) {
    if (before.comment) next.comment = before.comment;
    if (before.commentBefore && !isMap(before)) next.commentBefore = before.commentBefore;
    if (before.anchor) next.anchor = before.anchor;
  }
  pair.value = next;
  return 'done';
}

function insert(document: Document, root: YAMLMap, path: string, value: unknown): Edit {
  let map = root;
  let rest = path;
  for (;;) {
    const pair = pairs(map).find((candidate) => rest.startsWith(`${nameOf(candidate)}.`));
    if (pair === undefined) break;
    if (isAlias(pair.value)) return 'shared';
    if (!isMap(pair.value)) {
      // A section that was left empty.
      const section = new YAMLMap();
      if (pair.value?.comment) section.commentBefore = pair.value.comment;
      pair.value = section;
    }
    rest = rest.slice(nameOf(pair).length + 1);
    map = pair.value as YAMLMap;
  }
  const names = rest.split('.');
  for (const name of names.slice(0, -1)) {
    const section = new YAMLMap();
    map.set(document.createNode(name), section);
    map = section;
  }
  map.set(document.createNode(names.at(-1) ?? rest), document.createNode(value));
  return 'done';
}
