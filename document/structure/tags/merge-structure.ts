import {
  type PDFContext,
  PDFArray,
  PDFDict,
  PDFBool,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRef,
} from 'pdf-lib';
import {
  arrayOf,
  asArray,
  asDict,
  asName,
  asNumber,
  asText,
  dictOf,
  entry,
  readNameTree,
  readNumberTree,
  resolve,
  setEntry,
  writeNameTree,
  writeNumberTree,
} from '../../file/objects/index.js';
import { fingerprint, freeByteString, freeName } from '../names/free-names.js';
import type { MergeSource, Rewrites } from '../merge/merge-source.js';

type Plan = Pick<Rewrites, 'structOffset' | 'structKeys' | 'roles' | 'classes' | 'ids'>;

/** Joins the structure trees of all inputs under one root (ISO 32000-1, 14.7.2). */
export class StructureMerge {
  private readonly root: PDFRef;
  private readonly kids: PDFObject[] = [];
  private readonly parents: [number, PDFObject][] = [];
  private readonly roles = new Map<string, string>();
  /** Roles of elements that are used without a mapping. */
  private readonly plainRoles = new Set<string>();
  private readonly classes = new Map<string, { readonly print: string | undefined; readonly value: PDFObject }>();
  private readonly ids = new Map<string, PDFObject>();
  private readonly lists = new Map<string, PDFObject[]>();
  private readonly late: ((catalog: PDFDict) => void)[] = [];
  private nextKey = 0;
  private joined = 0;
  private marked = true;

  constructor(private readonly target: PDFContext) {
    this.root = target.nextRef();
  }

  /** Decides what must be renamed or renumbered in an input's structure. */
  plan(index: number, source: PDFContext, catalog: PDFDict): Plan {
    const tree = asDict(source, entry(catalog, 'StructTreeRoot'));
    const roles = new Map<string, string>();
    const classes = new Map<string, string>();
    const ids = new Map<string, string>();
    const structKeys = new Set<number>();
    if (tree === undefined) return { structOffset: 0, structKeys, roles, classes, ids };
    for (const [key] of readNumberTree(source, entry(tree, 'ParentTree'))) structKeys.add(key);
    const mapped = roleMapOf(source, tree);
    const plain = rolesIn(source, tree).filter((role) => !mapped.has(role));
    const taken = {
      has: (name: string) =>
        this.roles.has(name) || this.plainRoles.has(name) || mapped.has(name) || plain.includes(name),
    };
    // Renaming a role changes the mappings that refer to it, which may create new conflicts.
    for (let before = -1; before !== roles.size;) {
      before = roles.size;
      for (const [name, base] of mapped) {
        // The role map applies to all elements of the result, so it must not map a role that another input uses
        // unmapped.
        const other = this.roles.get(name);
        const clashes =
          STANDARD_ROLES.has(name) ||
          this.plainRoles.has(name) ||
          (other !== undefined && other !== (roles.get(base) ?? base));
        if (clashes && !roles.has(name)) roles.set(name, freeName(name, taken, index + 1));
      }
    }
    for (const role of plain) {
      if (this.roles.has(role)) roles.set(role, freeName(role, taken, index + 1));
      this.plainRoles.add(roles.get(role) ?? role);
    }
    for (const [name, value] of asDict(source, entry(tree, 'ClassMap'))?.entries() ?? []) {
      const other = this.classes.get(name.decodeText());
      const print = fingerprint(source, value);
      if (other !== undefined && (print === undefined || other.print !== print))
        classes.set(name.decodeText(), freeName(name.decodeText(), this.classes, index + 1));
    }
    for (const [id] of readNameTree(source, entry(tree, 'IDTree')))
      if (this.ids.has(id)) ids.set(id, freeByteString(id, this.ids, index + 1));
    return { structOffset: this.nextKey, structKeys, roles, classes, ids };
  }

  /**
   * Adds the structure of an input; call before its pages are copied, so that elements find the new root as their
   * parent.
   */
  join({ source, catalog, copier, rewrites }: MergeSource): void {
    const value = entry(catalog, 'StructTreeRoot');
    const tree = asDict(source, value);
    const info = asDict(source, entry(catalog, 'MarkInfo'));
    // One untagged input makes the claim untrue for the whole document (ISO 32000-1, 14.7.1); its tree is kept anyway.
    if (tree === undefined || info === undefined || resolve(source, entry(info, 'Marked')) !== PDFBool.True)
      this.marked = false;
    if (tree === undefined) return;
    this.joined += 1;
    if (value instanceof PDFRef) copier.place(value, this.root);
    const kids = resolve(source, entry(tree, 'K'));
    for (const kid of asArray(source, kids)?.asArray() ?? (kids === undefined ? [] : [entry(tree, 'K')])) {
      const copy = copier.copy(kid);
      if (copy === undefined) continue;
      this.kids.push(copy);
      this.speak(copy, asText(source, entry(catalog, 'Lang')));
    }
    let next = asNumber(source, entry(tree, 'ParentTreeNextKey')) ?? 0;
    for (const [key, owner] of readNumberTree(source, entry(tree, 'ParentTree'))) {
      const copy = copier.copy(owner);
      if (copy !== undefined) this.parents.push([key + rewrites.structOffset, copy]);
      next = Math.max(next, key + 1);
    }
    this.nextKey = Math.max(this.nextKey, rewrites.structOffset + next);
    for (const [name, base] of roleMapOf(source, tree))
      this.roles.set(rewrites.roles.get(name) ?? name, rewrites.roles.get(base) ?? base);
    for (const [name, attributes] of asDict(source, entry(tree, 'ClassMap'))?.entries() ?? []) {
      const copy = copier.copy(attributes);
      const key = rewrites.classes.get(name.decodeText()) ?? name.decodeText();
      if (copy !== undefined && !this.classes.has(key))
        this.classes.set(key, { print: fingerprint(source, attributes), value: copy });
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

  /** Sets the language on an input's own elements if it differs from the result's (ISO 32000-1, 14.9.2). */
  private speak(top: PDFObject, language: string | undefined): void {
    this.late.push((catalog) => {
      const element = asDict(this.target, top);
      if (
        language === undefined ||
        element === undefined ||
        entry(element, 'Lang') !== undefined ||
        language === asText(this.target, entry(catalog, 'Lang'))
      )
        return;
      setEntry(element, 'Lang', PDFHexString.fromText(language));
    });
  }

  /**
   * Writes the joined tree into the catalog of the result, which must have its language already; all copiers must have
   * finished.
   */
  write(catalog: PDFDict): void {
    if (this.joined === 0) return;
    for (const finish of this.late) finish(catalog);
    const context = this.target;
    const root = dictOf(context, {
      Type: PDFName.of('StructTreeRoot'),
      K: arrayOf(context, this.kids),
      ParentTree: writeNumberTree(context, this.parents),
      ParentTreeNextKey: PDFNumber.of(this.nextKey),
    });
    if (this.roles.size > 0)
      setEntry(
        root,
        'RoleMap',
        dictOf(context, Object.fromEntries([...this.roles].map(([name, base]) => [name, PDFName.of(base)]))),
      );
    if (this.classes.size > 0)
      setEntry(
        root,
        'ClassMap',
        dictOf(context, Object.fromEntries([...this.classes].map(([name, { value }]) => [name, value]))),
      );
    if (this.ids.size > 0) setEntry(root, 'IDTree', writeNameTree(context, this.ids));
    for (const [key, list] of this.lists) if (list.length > 0) setEntry(root, key, arrayOf(context, list));
    context.assign(this.root, root);
    setEntry(catalog, 'StructTreeRoot', this.root);
    setEntry(catalog, 'MarkInfo', dictOf(context, { Marked: this.marked ? PDFBool.True : PDFBool.False }));
  }
}

/** Standard structure types (ISO 32000-1, 14.8.4; ISO 32000-2, 14.8.4), which any input may use without a mapping. */
const STANDARD_ROLES: ReadonlySet<string> = new Set([
  'Document',
  'DocumentFragment',
  'Part',
  'Art',
  'Sect',
  'Div',
  'BlockQuote',
  'Caption',
  'TOC',
  'TOCI',
  'Index',
  'NonStruct',
  'Private',
  'Aside',
  'Title',
  'FENote',
  'Sub',
  'Em',
  'Strong',
  'P',
  'H',
  'H1',
  'H2',
  'H3',
  'H4',
  'H5',
  'H6',
  'L',
  'LI',
  'Lbl',
  'LBody',
  'Table',
  'TR',
  'TH',
  'TD',
  'THead',
  'TBody',
  'TFoot',
  'Span',
  'Quote',
  'Note',
  'Reference',
  'BibEntry',
  'Code',
  'Link',
  'Annot',
  'Ruby',
  'RB',
  'RT',
  'RP',
  'Warichu',
  'WT',
  'WP',
  'Figure',
  'Formula',
  'Form',
  'Artifact',
]);

/** Returns the role map as text; names that are mapped to themselves are left out. */
function roleMapOf(context: PDFContext, tree: PDFDict): Map<string, string> {
  const map = new Map<string, string>();
  for (const [name, value] of asDict(context, entry(tree, 'RoleMap'))?.entries() ?? []) {
    const base = asName(context, value);
    if (base !== undefined && base !== name.decodeText()) map.set(name.decodeText(), base);
  }
  return map;
}

/** Returns the roles of elements; those with a namespace have a separate role map (ISO 32000-2, 14.7.4). */
function rolesIn(context: PDFContext, tree: PDFDict): string[] {
  const roles = new Set<string>();
  const seen = new Set<PDFDict>();
  const waiting: (PDFObject | undefined)[] = [entry(tree, 'K')];
  while (waiting.length > 0) {
    const object = resolve(context, waiting.pop());
    if (object instanceof PDFArray) waiting.push(...object.asArray());
    if (!(object instanceof PDFDict) || seen.has(object)) continue;
    seen.add(object);
    const role = entry(object, 'NS') === undefined ? asName(context, entry(object, 'S')) : undefined;
    if (role !== undefined) roles.add(role);
    waiting.push(entry(object, 'K'));
  }
  return [...roles];
}
