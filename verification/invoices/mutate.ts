import type { Random } from '../fuzz/random.js';
import { allNodes, copyTree, type Node } from './xml-tree.js';

/** Values and elements that occur in other invoices of the same syntax, by name of the element. */
export interface Pool {
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly elements: readonly Node[];
  readonly attributes: readonly (readonly [name: string, value: string])[];
}

const MAX_VALUES = 60;
/** Elements of the pool are leaves and small groups: large ones hide what they cause. */
const MAX_CHILDREN = 4;
const WRONG_VALUES = ['ZZ9', 'x', '0', 'DE', '-1', '1 2', 'S', 'EUR', '380', 'VAT'];
const ATTRIBUTES = ['schemeName', 'schemeID', 'listID', 'unitCode', 'name', 'languageID', 'currencyID', 'format'];

export function collectPool(trees: readonly Node[]): Pool {
  const values = new Map<string, Set<string>>();
  const elements = new Map<string, Node>();
  const attributes = new Map<string, readonly [string, string]>();
  for (const { node } of trees.flatMap(allNodes)) {
    if (node.children.length === 0) {
      const known = values.get(node.name) ?? new Set();
      if (known.size < MAX_VALUES && node.text.length < 200) known.add(node.text);
      values.set(node.name, known);
    }
    if (node.children.length <= MAX_CHILDREN) elements.set(node.name, node);
    for (const [name, value] of node.attributes) attributes.set(`${name}=${value}`, [name, value]);
  }
  return {
    values: new Map([...values].map(([name, known]) => [name, [...known].toSorted()])),
    elements: [...elements.values()],
    attributes: [...attributes.values()],
  };
}

interface Mutation {
  readonly name: string;
  /** Returns what was done, or undefined where nothing could be done. */
  readonly apply: (root: Node, pool: Pool, random: Random) => string | undefined;
}

const isAmount = ({ name, text }: Node): boolean => /(Amount|Percent|Quantity|Numeric)$/.test(name) && text !== '';
const isDate = ({ text }: Node): boolean => /^\d{4}-\d\d-\d\d$|^(19|20)\d{6}$/.test(text);

function choose(root: Node, random: Random, which: (node: Node) => boolean): Node | undefined {
  const nodes = allNodes(root)
    .map(({ node }) => node)
    .filter(which);
  return nodes.length === 0 ? undefined : random.pick(nodes);
}

function chooseWithParent(root: Node, random: Random): { node: Node; parent: Node } | undefined {
  const { node, parent } = random.pick(allNodes(root));
  return parent === undefined ? undefined : { node, parent };
}

function setText(node: Node | undefined, text: (old: string) => string): string | undefined {
  if (node === undefined) return undefined;
  const old = node.text;
  node.text = text(old);
  return `${node.name} "${old.slice(0, 30)}" → "${node.text.slice(0, 30)}"`;
}

function changedAmount(old: string, random: Random): string {
  const value = Number(old);
  const changes = [
    (value + 1).toFixed(2),
    (value - 0.01).toFixed(2),
    (value + 0.5).toFixed(2),
    (value * 1.19).toFixed(2),
    String(-value),
    '0',
    '0.00',
    `${old}${old.includes('.') ? '' : '.00'}5`,
    `${Math.trunc(value)}`,
  ];
  return random.pick(changes);
}

const MUTATIONS: readonly Mutation[] = [
  {
    name: 'drop',
    apply: (root, _, random) => {
      const found = chooseWithParent(root, random);
      if (found === undefined) return undefined;
      found.parent.children = found.parent.children.filter((child) => child !== found.node);
      return `${found.node.name} in ${found.parent.name}`;
    },
  },
  {
    name: 'empty',
    apply: (root, _, random) =>
      setText(
        choose(root, random, ({ text }) => text !== ''),
        () => '',
      ),
  },
  {
    name: 'other value',
    apply: (root, pool, random) => {
      const node = choose(root, random, ({ text }) => text !== '');
      const values = pool.values.get(node?.name ?? '') ?? WRONG_VALUES;
      return setText(node, () => random.pick(random.oneIn(5) ? WRONG_VALUES : values));
    },
  },
  {
    name: 'code',
    apply: (root, pool, random) => {
      const node = choose(root, random, ({ name }) => /(Code|ID|Indicator)$/.test(name));
      return setText(node, () => random.pick(pool.values.get(node?.name ?? '') ?? WRONG_VALUES));
    },
  },
  {
    name: 'amount',
    apply: (root, _, random) => setText(choose(root, random, isAmount), (old) => changedAmount(old, random)),
  },
  {
    name: 'dates',
    apply: (root, _, random) => {
      const first = choose(root, random, isDate);
      const second = choose(root, random, isDate);
      if (first === undefined || second === undefined) return undefined;
      const { text } = first;
      const isBasic = text.length === 8;
      if (first === second) return setText(first, () => (isBasic ? '20230230' : '2023-02-30'));
      first.text = second.text;
      second.text = text;
      return `${first.name} ↔ ${second.name}`;
    },
  },
  {
    name: 'duplicate',
    apply: (root, _, random) => {
      const found = chooseWithParent(root, random);
      if (found === undefined) return undefined;
      found.parent.children.splice(found.parent.children.indexOf(found.node), 0, copyTree(found.node));
      return `${found.node.name} in ${found.parent.name}`;
    },
  },
  {
    name: 'currency',
    apply: (root, _, random) => {
      const node = choose(root, random, (it) => it.attributes.has('currencyID') || it.name.endsWith('CurrencyCode'));
      if (node === undefined) return undefined;
      const currency = random.pick(['USD', 'CHF', 'EUR', 'XYZ']);
      if (node.attributes.has('currencyID')) node.attributes.set('currencyID', currency);
      else node.text = currency;
      return `${node.name} ${currency}`;
    },
  },
  {
    name: 'attribute',
    apply: (root, pool, random) => {
      const node = choose(root, random, ({ children }) => children.length === 0);
      if (node === undefined) return undefined;
      const [known] = [...node.attributes.keys()];
      if (known !== undefined && random.oneIn(2)) {
        node.attributes.delete(known);
        return `${node.name} without ${known}`;
      }
      const [name, value] =
        random.oneIn(2) && pool.attributes.length > 0 ? random.pick(pool.attributes) : [random.pick(ATTRIBUTES), 'VA'];
      node.attributes.set(name, value);
      return `${node.name} with ${name}="${value}"`;
    },
  },
  {
    name: 'add',
    apply: (root, pool, random) => {
      const target = choose(root, random, ({ children }) => children.length > 0);
      if (target === undefined) return undefined;
      const element = copyTree(random.pick(pool.elements));
      target.children.splice(random.below(target.children.length + 1), 0, element);
      return `${element.name} to ${target.name}`;
    },
  },
];

/** A copy of the invoice with one to three changes, and a line that describes them. */
export function mutate(tree: Node, pool: Pool, random: Random): { readonly tree: Node; readonly done: string } {
  const copy = copyTree(tree);
  const done: string[] = [];
  const wanted = 1 + random.below(3);
  for (let tries = 0; done.length < wanted && tries < 20; tries++) {
    const mutation = random.pick(MUTATIONS);
    const what = mutation.apply(copy, pool, random);
    if (what !== undefined) done.push(`${mutation.name} ${what}`);
  }
  return { tree: copy, done: done.join('; ') };
}
