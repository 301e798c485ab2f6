import type { XmlElement } from '../../syntaxes/index.js';
import type { PathTree, TableRule } from './path-table.js';
import type { Context } from './statement.js';

/** The elements at which each rule is broken. */
export type Broken = ReadonlyMap<string, readonly XmlElement[]>;

/** Walks over an invoice once. A rule about unused elements is broken at the first of them in its context. */
export function findBroken(root: XmlElement, contexts: readonly Context[]): Broken {
  const check = new SyntaxCheck();
  check.element(root, new PathNode('', contexts).child(root.qname));
  return check.broken;
}

/** What an invoice has at one path: a file has many elements, but few different paths. */
class PathNode {
  readonly contexts: readonly Context[];
  readonly #children = new Map<string, PathNode>();

  constructor(
    readonly path: string,
    private readonly all: readonly Context[],
  ) {
    this.contexts = all.filter((context) => fitsPath(context.on, path));
  }

  child(qname: string): PathNode {
    let node = this.#children.get(qname);
    if (node === undefined) {
      node = new PathNode(`${this.path}/${qname}`, this.all);
      this.#children.set(qname, node);
    }
    return node;
  }
}

function fitsPath(on: string, path: string): boolean {
  return on.split(' | ').some((pattern) => {
    if (pattern.startsWith('/')) return path === pattern;
    const [start = '', end] = pattern.split('*');
    if (end === undefined) return path.endsWith(`/${pattern}`);
    return path.endsWith(end) && path.startsWith(start, path.lastIndexOf('/') + 1);
  });
}

class SyntaxCheck {
  readonly broken = new Map<string, XmlElement[]>();

  element(element: XmlElement, node: PathNode): void {
    const context = node.contexts.find(({ where }) => where === undefined || where(element));
    if (context !== undefined) this.#check(context, element);
    for (const child of element.children) this.element(child, node.child(child.qname));
  }

  #check(context: Context, element: XmlElement): void {
    const reported = new Set<string>();
    const report: Report = ({ rule }, at) => {
      if (reported.has(rule)) return;
      reported.add(rule);
      this.#add(rule, at);
    };
    if (context.unused !== undefined) findUnused(context.unused, element, report);
    if (context.unusedAnywhere !== undefined) findAnywhere(context.unusedAnywhere, element, report);
    for (const { rule, holds } of context.statements ?? []) if (!holds(element)) this.#add(rule, element);
  }

  #add(rule: string, element: XmlElement): void {
    const known = this.broken.get(rule);
    if (known === undefined) this.broken.set(rule, [element]);
    else known.push(element);
  }
}

type Report = (rule: TableRule, element: XmlElement) => void;

function findUnused(tree: PathTree, element: XmlElement, report: Report): void {
  for (const attribute of element.attributes.keys()) {
    for (const rule of tree.children.get(`@${attribute}`)?.rules ?? []) report(rule, element);
  }
  for (const child of element.children) {
    const below = tree.children.get(child.qname);
    if (below === undefined) continue;
    for (const rule of below.rules) report(rule, child);
    if (below.children.size > 0) findUnused(below, child, report);
  }
}

function findAnywhere(tree: PathTree, element: XmlElement, report: Report): void {
  findUnused(tree, element, report);
  for (const child of element.children) findAnywhere(tree, child, report);
}
