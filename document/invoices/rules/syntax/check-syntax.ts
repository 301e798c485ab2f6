import type { ReadInvoice, XmlElement } from '../../syntaxes/index.js';
import type { Violation } from '../violation.js';
import { CII_CONTEXTS } from './cii.js';
import type { PathTree, TableRule } from './path-table.js';
import { type Context, notUsed, type Statement } from './statement.js';
import { UBL_CONTEXTS } from './ubl.js';

/** The elements of an invoice and the way to name them. */
export type Elements = Pick<ReadInvoice, 'root' | 'syntax' | 'xpathOf'>;

/**
 * The syntax rules of EN 16931 (UBL-SR, UBL-CR, UBL-DT, CII-SR, CII-DT): which elements and attributes of UBL and CII
 * an invoice uses, and how often. The violation of a rule about unused elements is placed at the first of them.
 */
export function checkSyntax(invoice: Elements): Violation[] {
  if (invoice.syntax === 'zugferd1') return [];
  const check = new SyntaxCheck(invoice.syntax === 'cii' ? CII_CONTEXTS : UBL_CONTEXTS, invoice);
  check.run(invoice.root);
  return check.violations;
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
  readonly violations: Violation[] = [];

  constructor(
    private readonly contexts: readonly Context[],
    private readonly invoice: Elements,
  ) {}

  run(root: XmlElement): void {
    this.#element(root, new PathNode('', this.contexts).child(root.qname));
  }

  #element(element: XmlElement, node: PathNode): void {
    const context = node.contexts.find(({ where }) => where === undefined || where(element));
    if (context !== undefined) this.#context(context, element);
    for (const child of element.children) this.#element(child, node.child(child.qname));
  }

  #context(context: Context, element: XmlElement): void {
    const reported = new Set<string>();
    const report: Report = ({ rule, fatal }, at, name) => {
      if (reported.has(rule)) return;
      reported.add(rule);
      const message = notUsed(name);
      this.violations.push({ ...this.#found(at), rule, severity: fatal ? 'fatal' : 'warning', terms: [], message });
    };
    if (context.unused !== undefined) findUnused(context.unused, element, report);
    if (context.unusedAnywhere !== undefined) findAnywhere(context.unusedAnywhere, element, report);
    for (const statement of context.statements ?? [])
      if (!statement.holds(element)) this.violations.push(this.#broken(statement, element));
  }

  #broken({ rule, severity, terms, message }: Statement, element: XmlElement): Violation {
    return { ...this.#found(element), rule, severity, terms, message };
  }

  #found(element: XmlElement): Pick<Violation, 'location' | 'value'> {
    const location = { xpath: this.invoice.xpathOf(element), line: element.line };
    return { location, value: element.text === '' ? undefined : element.text };
  }
}

type Report = (rule: TableRule, element: XmlElement, name: string) => void;

function findUnused(tree: PathTree, element: XmlElement, report: Report): void {
  for (const attribute of element.attributes.keys()) {
    const name = `@${attribute}`;
    const rule = tree.children.get(name)?.rule;
    if (rule !== undefined) report(rule, element, name);
  }
  for (const child of element.children) {
    const below = tree.children.get(child.qname);
    if (below === undefined) continue;
    if (below.rule !== undefined) report(below.rule, child, child.qname);
    if (below.children.size > 0) findUnused(below, child, report);
  }
}

function findAnywhere(tree: PathTree, element: XmlElement, report: Report): void {
  findUnused(tree, element, report);
  for (const child of element.children) findAnywhere(tree, child, report);
}
