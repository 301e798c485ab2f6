import { type PDFContext, PDFDict, PDFArray, PDFNull, PDFNumber, type PDFObject, PDFRef } from 'pdf-lib';
import {
  arrayOf,
  asDict,
  asName,
  entry,
  isString,
  type ObjectCopier,
  readNameTree,
  readNumberTree,
  resolve,
  setEntry,
  writeNameTree,
  writeNumberTree,
} from '../../file/objects/index.js';

const MAX_DEPTH = 1000;
/**
 * Texts that replace the whole content of an element: if part of the content is removed, they would still reveal it.
 */
export const REPLACEMENT_TEXTS = ['ActualText', 'Alt', 'E'] as const;

/** The structure tree of a document, read once, from which each part copies what its pages need (ISO 32000-1, 14.7). */
export class StructureSource {
  /** The catalog's value for the root. */
  readonly root: PDFObject | undefined;
  readonly tree: PDFDict | undefined;
  /** The parent tree: by key, the element of an object or the elements of a page's marked content. */
  readonly parents: ReadonlyMap<number, PDFObject>;
  /** All elements with their references in the tree. */
  readonly elements = new Map<PDFDict, PDFRef>();

  constructor(
    private readonly context: PDFContext,
    catalog: PDFDict,
  ) {
    this.root = entry(catalog, 'StructTreeRoot');
    this.tree = asDict(context, this.root);
    this.parents = new Map(this.tree === undefined ? [] : readNumberTree(context, entry(this.tree, 'ParentTree')));
    if (this.tree === undefined) return;
    const waiting = [...kidsOf(context, this.tree)];
    for (let kid = waiting.pop(); kid !== undefined; kid = waiting.pop()) {
      const element = resolve(context, kid);
      if (
        !(kid instanceof PDFRef) ||
        !(element instanceof PDFDict) ||
        this.elements.has(element) ||
        !isElement(context, element)
      )
        continue;
      this.elements.set(element, kid);
      for (const below of kidsOf(context, element)) waiting.push(below);
    }
  }

  /**
   * Writes the elements of the given parent tree keys and their ancestors; returns the new root, or undefined if
   * nothing is tagged.
   */
  take(keys: ReadonlySet<number>, copier: ObjectCopier, keptPages: ReadonlySet<PDFRef>): PDFRef | undefined {
    if (this.tree === undefined) return undefined;
    const kept = this.mark(keys);
    if (kept.size === 0) return undefined;
    const { target } = copier;
    const rootRef = target.nextRef();
    if (this.root instanceof PDFRef) copier.place(this.root, rootRef);
    for (const element of kept) {
      const ref = this.elements.get(element);
      if (ref !== undefined) copier.place(ref, target.nextRef());
    }
    const part = new Part(this.context, this.elements, kept, keptPages, copier);
    for (const element of kept) part.write(element);
    const parents: [number, PDFObject][] = [];
    for (const key of keys) {
      const owner = this.parents.get(key);
      const copy = owner === undefined ? undefined : this.copyOwner(owner, copier);
      if (copy !== undefined) parents.push([key, copy]);
    }
    const root = copier.copyDict(
      this.tree,
      new Set(['K', 'ParentTree', 'ParentTreeNextKey', 'IDTree', 'Namespaces', 'AF']),
    );
    setEntry(root, 'K', arrayOf(target, part.kids(this.tree)));
    setEntry(root, 'ParentTree', writeNumberTree(target, parents));
    setEntry(root, 'ParentTreeNextKey', PDFNumber.of(Math.max(-1, ...keys) + 1));
    setEntry(root, 'Namespaces', copier.copy(entry(this.tree, 'Namespaces')));
    const ids = readNameTree(this.context, entry(this.tree, 'IDTree')).filter(([, value]) =>
      kept.has(asDict(this.context, value) ?? root),
    );
    const idCopies = ids.flatMap(([id, value]): [string, PDFObject][] => {
      const copy = copier.copy(value);
      return copy === undefined ? [] : [[id, copy]];
    });
    if (idCopies.length > 0) setEntry(root, 'IDTree', writeNameTree(target, idCopies));
    target.assign(rootRef, root);
    return rootRef;
  }

  /** Returns the elements of the given parent tree keys and their ancestors. */
  mark(keys: Iterable<number>): Set<PDFDict> {
    const kept = new Set<PDFDict>();
    for (const key of keys) {
      const owner = resolve(this.context, this.parents.get(key));
      for (const value of owner instanceof PDFArray ? owner.asArray() : [owner]) {
        let element = asDict(this.context, value);
        for (
          let depth = 0;
          element !== undefined && this.elements.has(element) && !kept.has(element) && depth < MAX_DEPTH;
          depth++
        ) {
          kept.add(element);
          element = asDict(this.context, entry(element, 'P'));
        }
      }
    }
    return kept;
  }

  private copyOwner(owner: PDFObject, copier: ObjectCopier): PDFObject | undefined {
    const value = resolve(this.context, owner);
    return value instanceof PDFArray
      ? arrayOf(
          copier.target,
          value.asArray().map((item) => copier.copy(item) ?? PDFNull),
        )
      : copier.copy(owner);
  }
}

/** The elements of one part while they are written. */
class Part {
  private readonly whole = new Map<PDFDict, boolean>();

  constructor(
    private readonly context: PDFContext,
    private readonly known: ReadonlyMap<PDFDict, PDFRef>,
    private readonly kept: ReadonlySet<PDFDict>,
    private readonly keptPages: ReadonlySet<PDFRef>,
    private readonly copier: ObjectCopier,
  ) {}

  write(element: PDFDict): void {
    const ref = this.known.get(element);
    const place = ref === undefined ? undefined : this.copier.placeOf(ref);
    if (place === undefined) return;
    const omit = new Set<string>(['K', 'Ref', ...(this.isWhole(element, 0) ? [] : REPLACEMENT_TEXTS)]);
    const copy = this.copier.copyDict(element, omit);
    const kids = this.kids(element);
    setEntry(copy, 'K', kids.length === 1 ? kids[0] : kids.length > 1 ? arrayOf(this.copier.target, kids) : undefined);
    this.copier.target.assign(place, copy);
  }

  kids(owner: PDFDict): PDFObject[] {
    return kidsOf(this.context, owner).flatMap((kid) => {
      if (!this.keeps(owner, kid)) return [];
      const copy = this.copier.copy(kid);
      return copy === undefined ? [] : [copy];
    });
  }

  /**
   * Marked content belongs to the page that the item or its element names; elements and objects to the part that
   * contains them.
   */
  private keeps(owner: PDFDict, kid: PDFObject): boolean {
    const item = resolve(this.context, kid);
    const ownerPage = entry(owner, 'Pg');
    if (item instanceof PDFNumber) return !(ownerPage instanceof PDFRef) || this.keptPages.has(ownerPage);
    if (!(item instanceof PDFDict)) return false;
    const type = asName(this.context, entry(item, 'Type'));
    if (type === 'MCR') {
      const page = entry(item, 'Pg') ?? ownerPage;
      return !(page instanceof PDFRef) || this.keptPages.has(page);
    }
    if (type === 'OBJR') {
      const object = entry(item, 'Obj');
      return object instanceof PDFRef && this.copier.placeOf(object) !== undefined;
    }
    return this.kept.has(item);
  }

  private isWhole(element: PDFDict, depth: number): boolean {
    const known = this.whole.get(element);
    if (known !== undefined) return known;
    this.whole.set(element, true);
    const whole =
      depth < MAX_DEPTH &&
      kidsOf(this.context, element).every((kid) => {
        const item = resolve(this.context, kid);
        return (
          this.keeps(element, kid) &&
          (!(item instanceof PDFDict) || !this.kept.has(item) || this.isWhole(item, depth + 1))
        );
      });
    this.whole.set(element, whole);
    return whole;
  }
}

function isElement(context: PDFContext, dict: PDFDict): boolean {
  const type = asName(context, entry(dict, 'Type'));
  return type === 'StructElem' || (type === undefined && entry(dict, 'S') !== undefined);
}

/** Returns the children of an element or the root, unresolved. */
export function kidsOf(context: PDFContext, owner: PDFDict): PDFObject[] {
  const value = entry(owner, 'K');
  const kids = resolve(context, value);
  if (kids instanceof PDFArray) return kids.asArray();
  return value === undefined || kids === undefined || isString(kids) ? [] : [value];
}
