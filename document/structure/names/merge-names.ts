import { type PDFContext, type PDFDict, PDFName, type PDFObject } from 'pdf-lib';
import { asDict, catalogOf, dictOf, entry, readNameTree, setEntry, writeNameTree } from '../../file/objects/index.js';
import type { NamedDestinations } from './destinations.js';
import type { MergeSource, Rewrites } from '../merge/merge-source.js';
import { freeByteString, freeName } from './free-names.js';

type Plan = Pick<Rewrites, 'destStrings' | 'destNames'>;

/**
 * Joins the name trees of all inputs: named destinations, attachments, document-level scripts and others (ISO 32000-1,
 * 7.7.4).
 */
export class NamesMerge {
  private readonly trees = new Map<string, Map<string, PDFObject>>();
  private readonly oldDests = new Map<string, PDFObject>();

  constructor(private readonly target: PDFContext) {}

  /** Decides which named destinations conflict with those of earlier inputs. */
  plan(index: number, named: NamedDestinations): Plan {
    const destStrings = new Map<string, string>();
    const destNames = new Map<string, string>();
    const taken = this.tree('Dests');
    for (const name of named.strings.keys())
      if (taken.has(name)) destStrings.set(name, freeByteString(name, both(taken, named.strings), index + 1));
    for (const name of named.names.keys())
      if (this.oldDests.has(name)) destNames.set(name, freeName(name, both(this.oldDests, named.names), index + 1));
    return { destStrings, destNames };
  }

  /** Adds the names of an input; conflicting keys of attachments and scripts get a number, so that all are kept. */
  join({ index, source, copier, rewrites, named }: MergeSource): void {
    for (const [name, value] of named.strings)
      this.keep('Dests', rewrites.destStrings.get(name) ?? name, copier.copy(value));
    for (const [name, value] of named.names) {
      const copy = copier.copy(value);
      if (copy !== undefined) this.oldDests.set(rewrites.destNames.get(name) ?? name, copy);
    }
    const catalog = catalogOf(source);
    for (const [key, root] of asDict(source, catalog === undefined ? undefined : entry(catalog, 'Names'))?.entries() ??
      []) {
      const kind = key.decodeText();
      if (kind === 'Dests') continue;
      for (const [name, value] of readNameTree(source, root))
        this.keep(kind, freeByteString(name, this.tree(kind), index + 1), copier.copy(value));
    }
  }

  /** Writes the joined names into the catalog of the result. */
  write(catalog: PDFDict): void {
    const names = dictOf(this.target, {});
    for (const [kind, entries] of this.trees)
      if (entries.size > 0) setEntry(names, kind, writeNameTree(this.target, entries));
    if (names.keys().length > 0) setEntry(catalog, 'Names', names);
    if (this.oldDests.size > 0) {
      const dests = dictOf(this.target, {});
      for (const [name, value] of this.oldDests) dests.set(PDFName.of(name), value);
      setEntry(catalog, 'Dests', this.target.register(dests));
    }
  }

  private tree(kind: string): Map<string, PDFObject> {
    const tree = this.trees.get(kind) ?? new Map<string, PDFObject>();
    this.trees.set(kind, tree);
    return tree;
  }

  private keep(kind: string, name: string, value: PDFObject | undefined): void {
    if (value !== undefined) this.tree(kind).set(name, value);
  }
}

/** A new name must be unused in the earlier inputs and in this one. */
function both(
  first: ReadonlyMap<string, unknown>,
  second: ReadonlyMap<string, unknown>,
): { has(name: string): boolean } {
  return { has: (name) => first.has(name) || second.has(name) };
}
