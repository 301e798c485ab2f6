import { type PDFContext, type PDFDict, PDFBool, PDFName, PDFNumber, type PDFObject, PDFRef } from 'pdf-lib';
import { arrayOf, asArray, asDict, asName, asNumber, dictOf, entry, readNameTree, readNumberTree, resolve, setEntry, writeNameTree, writeNumberTree } from '../objects/index.js';
import { fingerprint, freeByteString, freeName } from './free-names.js';
import type { Graft, Rewrites } from './graft.js';

type Plan = Pick<Rewrites, 'structOffset' | 'structKeys' | 'roles' | 'classes' | 'ids'>;

/** Joins the structure trees of all inputs under one root (ISO 32000-1, 14.7.2). */
export class StructureJoin {
  private readonly root: PDFRef;
  private readonly kids: PDFObject[] = [];
  private readonly parents: [number, PDFObject][] = [];
  private readonly roles = new Map<string, string>();
  private readonly classes = new Map<string, { readonly print: string | undefined; readonly value: PDFObject }>();
  private readonly ids = new Map<string, PDFObject>();
  private readonly lists = new Map<string, PDFObject[]>();
  private nextKey = 0;
  private joined = 0;
  private marked = true;

  constructor(private readonly target: PDFContext) {
    this.root = target.nextRef();
  }

  /** Decides what of an input's structure must be renamed or renumbered. */
  plan(index: number, source: PDFContext, catalog: PDFDict): Plan {
    const tree = asDict(source, entry(catalog, 'StructTreeRoot'));
    const roles = new Map<string, string>();
    const classes = new Map<string, string>();
    const ids = new Map<string, string>();
    const structKeys = new Set<number>();
    if (tree === undefined) return { structOffset: 0, structKeys, roles, classes, ids };
    for (const [key] of readNumberTree(source, entry(tree, 'ParentTree'))) structKeys.add(key);
    for (const [name, value] of asDict(source, entry(tree, 'RoleMap'))?.entries() ?? []) {
      const other = this.roles.get(name.decodeText());
      if (other !== undefined && other !== asName(source, value)) roles.set(name.decodeText(), freeName(name.decodeText(), this.roles, index + 1));
    }
    for (const [name, value] of asDict(source, entry(tree, 'ClassMap'))?.entries() ?? []) {
      const other = this.classes.get(name.decodeText());
      const print = fingerprint(source, value);
      if (other !== undefined && (print === undefined || other.print !== print)) classes.set(name.decodeText(), freeName(name.decodeText(), this.classes, index + 1));
    }
    for (const [id] of readNameTree(source, entry(tree, 'IDTree'))) if (this.ids.has(id)) ids.set(id, freeByteString(id, this.ids, index + 1));
    return { structOffset: this.nextKey, structKeys, roles, classes, ids };
  }

  /** Takes an input's structure over; call before its pages are drained, so that elements find the new root as their parent. */
  join({ source, catalog, copier, rewrites }: Graft): void {
    const value = entry(catalog, 'StructTreeRoot');
    const tree = asDict(source, value);
    const info = asDict(source, entry(catalog, 'MarkInfo'));
    // One untagged input makes the claim untrue for the whole (ISO 32000-1, 14.7.1); its tree is kept all the same.
    if (tree === undefined || info === undefined || resolve(source, entry(info, 'Marked')) !== PDFBool.True) this.marked = false;
    if (tree === undefined) return;
    this.joined += 1;
    if (value instanceof PDFRef) copier.place(value, this.root);
    const kids = resolve(source, entry(tree, 'K'));
    for (const kid of asArray(source, kids)?.asArray() ?? (kids === undefined ? [] : [entry(tree, 'K')])) {
      const copy = copier.copy(kid);
      if (copy !== undefined) this.kids.push(copy);
    }
    let next = asNumber(source, entry(tree, 'ParentTreeNextKey')) ?? 0;
    for (const [key, owner] of readNumberTree(source, entry(tree, 'ParentTree'))) {
      const copy = copier.copy(owner);
      if (copy !== undefined) this.parents.push([key + rewrites.structOffset, copy]);
      next = Math.max(next, key + 1);
    }
    this.nextKey = Math.max(this.nextKey, rewrites.structOffset + next);
    for (const [name, role] of asDict(source, entry(tree, 'RoleMap'))?.entries() ?? []) {
      const base = resolve(source, role);
      if (base instanceof PDFName) this.roles.set(rewrites.roles.get(name.decodeText()) ?? name.decodeText(), base.decodeText());
    }
    for (const [name, attributes] of asDict(source, entry(tree, 'ClassMap'))?.entries() ?? []) {
      const copy = copier.copy(attributes);
      const key = rewrites.classes.get(name.decodeText()) ?? name.decodeText();
      if (copy !== undefined && !this.classes.has(key)) this.classes.set(key, { print: fingerprint(source, attributes), value: copy });
    }
    for (const [id, element] of readNameTree(source, entry(tree, 'IDTree'))) {
      const copy = copier.copy(element);
      if (copy !== undefined) this.ids.set(rewrites.ids.get(id) ?? id, copy);
    }
    for (const key of ['Namespaces', 'PronunciationLexicon', 'AF']) {
      const list = this.lists.get(key) ?? [];
      for (const item of asArray(source, entry(tree, key))?.asArray() ?? []) {
        const copy = copier.copy(item);
        if (copy !== undefined) list.push(copy);
      }
      this.lists.set(key, list);
    }
  }

  /** Writes the joined tree into the catalog of the result. */
  write(catalog: PDFDict): void {
    if (this.joined === 0) return;
    const context = this.target;
    const root = dictOf(context, {
      Type: PDFName.of('StructTreeRoot'),
      K: arrayOf(context, this.kids),
      ParentTree: writeNumberTree(context, this.parents),
      ParentTreeNextKey: PDFNumber.of(this.nextKey),
    });
    if (this.roles.size > 0) setEntry(root, 'RoleMap', dictOf(context, Object.fromEntries([...this.roles].map(([name, base]) => [name, PDFName.of(base)]))));
    if (this.classes.size > 0) setEntry(root, 'ClassMap', dictOf(context, Object.fromEntries([...this.classes].map(([name, { value }]) => [name, value]))));
    if (this.ids.size > 0) setEntry(root, 'IDTree', writeNameTree(context, this.ids));
    for (const [key, list] of this.lists) if (list.length > 0) setEntry(root, key, arrayOf(context, list));
    context.assign(this.root, root);
    setEntry(catalog, 'StructTreeRoot', this.root);
    setEntry(catalog, 'MarkInfo', dictOf(context, { Marked: this.marked ? PDFBool.True : PDFBool.False }));
  }
}
