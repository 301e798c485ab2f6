/** What an element must not have below it, as a tree of names; an attribute is `@name`. */
export interface PathTree {
  /** The rules that the element or the attribute breaks; a few have two numbers. */
  readonly rules: TableRule[];
  readonly children: Map<string, PathTree>;
}

export interface TableRule {
  readonly rule: string;
  readonly fatal: boolean;
  /** What is not used: `cbc:UUID`, `@schemeName`. */
  readonly name: string;
}

/**
 * Reads a table of paths. A line with two spaces is a path from the context (`.` is the context itself, `a|b` in a step
 * means both names); the lines with four spaces below it list names with the number of their rule, which `ruleOf`
 * completes. `!` after the number marks a fatal rule.
 */
export function parsePathTable(table: string, ruleOf: (number: string) => string): PathTree {
  const root: PathTree = { rules: [], children: new Map() };
  let parent = root;
  for (const line of table.split('\n')) {
    if (line.trim() === '') continue;
    if (!line.startsWith('    ')) {
      parent = descend(root, line.trim());
      continue;
    }
    for (const entry of line.split(',').filter((text) => text.trim() !== '')) {
      const [name = '', number = ''] = entry.trim().split(' ');
      const fatal = number.endsWith('!');
      child(parent, name).rules.push({ rule: ruleOf(fatal ? number.slice(0, -1) : number), fatal, name });
    }
  }
  return root;
}

/** All rules of a tree. */
export function rulesIn(tree: PathTree): TableRule[] {
  return [...tree.rules, ...[...tree.children.values()].flatMap(rulesIn)];
}

function descend(root: PathTree, path: string): PathTree {
  if (path === '.') return root;
  return path.split('/').reduce(child, root);
}

function child(parent: PathTree, step: string): PathTree {
  const names = step.split('|');
  const existing = names.map((name) => parent.children.get(name)).find((tree) => tree !== undefined);
  const tree = existing ?? { rules: [], children: new Map() };
  for (const name of names) parent.children.set(name, tree);
  return tree;
}
