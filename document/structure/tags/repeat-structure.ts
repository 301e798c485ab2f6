import { type PDFContext, PDFArray, PDFDict, PDFNull, PDFNumber, type PDFObject, PDFRef } from 'pdf-lib';
import {
  arrayOf,
  asDict,
  asName,
  asNumber,
  catalogOf,
  copyOver,
  entry,
  resolve,
  setEntry,
  writeNumberTree,
} from '../../file/objects/index.js';
import { kidsOf, REPLACEMENT_TEXTS, StructureSource } from './keep-structure.js';

/** Entries that must not be copied: identifiers, and the position of the element. */
const OWN: ReadonlySet<string> = new Set(['K', 'P', 'ID', 'Ref', ...REPLACEMENT_TEXTS]);

/** The content to tag again: the page, and the new references of the page and its annotations by the old ones. */
export interface RepeatedContent {
  readonly page: PDFRef;
  readonly renamed: ReadonlyMap<PDFRef, PDFRef>;
  /** Parent tree keys of the page and its annotations, with the copies whose entries must be set. */
  readonly keys: ReadonlyMap<number, { readonly owner: PDFDict; readonly entry: 'StructParents' | 'StructParent' }>;
}

/**
 * Tags copies of pages, in place (ISO 32000-1, 14.7): each copy gets copies of its page's elements, after all others,
 * so that its content is read on its own. Call `write` once after the last copy.
 */
export class StructureRepeats {
  private readonly source: StructureSource | undefined;
  private readonly parents: [number, PDFObject][];
  private readonly tree: PDFDict | undefined;
  private readonly first = new Map<PDFDict, readonly PDFObject[]>();
  private nextKey: number;
  private changed = false;

  constructor(
    private readonly context: PDFContext,
    private readonly spend: (objects: number) => void,
  ) {
    const catalog = catalogOf(context);
    this.source =
      catalog === undefined || asDict(context, entry(catalog, 'StructTreeRoot')) === undefined
        ? undefined
        : new StructureSource(context, catalog);
    this.tree = this.source?.tree;
    this.parents = [...(this.source?.parents ?? [])];
    const declared = this.tree === undefined ? 0 : (asNumber(context, entry(this.tree, 'ParentTreeNextKey')) ?? 0);
    this.nextKey = this.parents.reduce((next, [key]) => Math.max(next, key + 1), Math.max(0, Math.trunc(declared)));
  }

  /** Returns the element that an object's parent tree key refers to. */
  elementOf(key: number): PDFDict | undefined {
    return asDict(this.context, this.source?.parents.get(key));
  }

  /** Adds copies of the content's elements to the tree, and sets new parent tree keys on the content's owners. */
  repeat(content: RepeatedContent): void {
    const { source, tree } = this;
    if (source === undefined || tree === undefined || source.root === undefined) return;
    const kept = source.mark(content.keys.keys());
    if (kept.size === 0) return;
    this.spend(kept.size);
    // If one element contains all others, it stays the only one below the root.
    const [top, ...others] = this.kidsAtFirst(tree).map((kid) => asDict(this.context, kid));
    const shared =
      top !== undefined && others.length === 0 && kept.has(top) && !this.holdsContent(top) ? top : undefined;
    const copies = new Map<PDFDict, PDFRef>();
    for (const element of kept) if (element !== shared) copies.set(element, this.context.nextRef());
    for (const [element, ref] of copies) this.context.assign(ref, this.copyOf(element, content, copies, shared));
    const [above, aboveRef] = shared === undefined ? [tree, source.root] : [shared, source.elements.get(shared)];
    for (const kid of this.kidsAtFirst(above)) {
      const copy = this.copyFor(kid, copies);
      if (copy === undefined) continue;
      const dict = asDict(this.context, copy);
      if (dict !== undefined && aboveRef !== undefined) setEntry(dict, 'P', aboveRef);
      this.append(above, copy);
    }
    for (const [key, { owner, entry: name }] of content.keys) {
      const found = this.namedBy(source.parents.get(key), copies);
      if (found === undefined) continue;
      setEntry(owner, name, PDFNumber.of(this.nextKey));
      this.parents.push([this.nextKey++, found]);
    }
    this.changed = true;
  }

  /** Writes the extended parent tree. */
  write(): void {
    if (!this.changed || this.tree === undefined) return;
    setEntry(this.tree, 'ParentTree', writeNumberTree(this.context, this.parents));
    setEntry(this.tree, 'ParentTreeNextKey', PDFNumber.of(this.nextKey));
  }

  private copyOf(
    element: PDFDict,
    content: RepeatedContent,
    copies: ReadonlyMap<PDFDict, PDFRef>,
    shared: PDFDict | undefined,
  ): PDFDict {
    const kids = kidsOf(this.context, element);
    const here = kids.flatMap((kid) => this.kidOf(element, kid, content, copies) ?? []);
    const copy = copyOver(this.context, element, content.renamed, OWN);
    // A replacement text that also covers content of other pages would be wrong for the copy.
    if (here.length === kids.length) for (const key of REPLACEMENT_TEXTS) setEntry(copy, key, entry(element, key));
    const above = asDict(this.context, entry(element, 'P'));
    const parent = above === undefined || above === shared ? undefined : copies.get(above);
    setEntry(copy, 'P', parent ?? entry(element, 'P'));
    if (entry(element, 'Pg') !== undefined) setEntry(copy, 'Pg', content.renamed.get(content.page));
    setEntry(copy, 'K', here.length === 1 ? here[0] : here.length > 1 ? arrayOf(this.context, here) : undefined);
    return copy;
  }

  private kidOf(
    owner: PDFDict,
    kid: PDFObject,
    { page, renamed }: RepeatedContent,
    copies: ReadonlyMap<PDFDict, PDFRef>,
  ): PDFObject | undefined {
    const item = resolve(this.context, kid);
    if (item instanceof PDFNumber) return entry(owner, 'Pg') === page ? item : undefined;
    if (!(item instanceof PDFDict)) return undefined;
    const type = asName(this.context, entry(item, 'Type'));
    // Content of a form belongs to the form, which both pages show.
    if (type === 'MCR')
      return (entry(item, 'Pg') ?? entry(owner, 'Pg')) === page && entry(item, 'Stm') === undefined
        ? copyOver(this.context, item, renamed)
        : undefined;
    if (type === 'OBJR') {
      const object = entry(item, 'Obj');
      return object instanceof PDFRef && renamed.has(object) ? copyOver(this.context, item, renamed) : undefined;
    }
    return copies.get(item);
  }

  private holdsContent(element: PDFDict): boolean {
    return this.kidsAtFirst(element).some((kid) => {
      const item = resolve(this.context, kid);
      return !(item instanceof PDFDict) || this.source?.elements.has(item) !== true;
    });
  }

  private copyFor(value: PDFObject, copies: ReadonlyMap<PDFDict, PDFRef>): PDFRef | undefined {
    const element = asDict(this.context, value);
    return element === undefined ? undefined : copies.get(element);
  }

  /** Returns the children of an element before any copies were added. */
  private kidsAtFirst(owner: PDFDict): readonly PDFObject[] {
    const known = this.first.get(owner) ?? [...kidsOf(this.context, owner)];
    this.first.set(owner, known);
    return known;
  }

  private append(owner: PDFDict, kid: PDFRef): void {
    const kids = resolve(this.context, entry(owner, 'K'));
    if (kids instanceof PDFArray) kids.push(kid);
    else setEntry(owner, 'K', arrayOf(this.context, [...kidsOf(this.context, owner), kid]));
  }

  private namedBy(value: PDFObject | undefined, copies: ReadonlyMap<PDFDict, PDFRef>): PDFObject | undefined {
    const found = resolve(this.context, value);
    if (found instanceof PDFDict) return copies.get(found);
    if (!(found instanceof PDFArray)) return undefined;
    const elements = found.asArray().map((item) => this.copyFor(item, copies) ?? PDFNull);
    return elements.every((element) => element === PDFNull) ? undefined : arrayOf(this.context, elements);
  }
}
