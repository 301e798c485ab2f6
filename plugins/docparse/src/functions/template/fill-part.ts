import { xmlCharacters } from '@quire/document/file/xml';
import { elementsIn } from '@quire/document/file/xml/dom';
import { InputError } from '@quire/registry/errors';
import type { Element, Node } from '@xmldom/xmldom';
import type { Dialect } from './dialect.js';
import { MARK, markTags, type Tag } from './find-tags.js';
import { repetitions, Scope, textOf } from './scope.js';

/** How to treat names that the data does not have. */
export type Missing = 'error' | 'keep' | 'empty';

/** A picture as the data gives it: base64 or a data URI; lengths in points. */
export interface PictureValue {
  readonly image: string;
  readonly width?: number;
  readonly height?: number;
  readonly alt?: string;
}

/** Faults of a template and its data, collected from all parts before the template is refused. */
export interface Faults {
  /** Names that the data does not have. */
  readonly unknown: Set<string>;
  /** Names whose values do not fit their place, with the reason. */
  readonly unfit: Map<string, string>;
  /** Sections that do not begin and end as they must. */
  readonly structure: Set<string>;
}

export interface Filling {
  readonly dialect: Dialect;
  readonly missing: Missing;
  readonly faults: Faults;
  /** Puts a picture in the place of an element; gives why it cannot, where it cannot. */
  readonly picture: (owner: Element, picture: PictureValue) => Promise<string | undefined>;
  readonly signal: AbortSignal;
  /** How much repetitions and values may still add. */
  readonly budget: { elements: number; /** Of values. */ characters: number };
}

/** Fills the tags below `root`, in place. Throws INPUT_TOO_COMPLEX for results without end. */
export async function fillPart(root: Element, data: unknown, filling: Filling): Promise<void> {
  const tags: Tag[] = [];
  try {
    markTags(root, filling.dialect, tags);
  } catch (error) {
    throw error instanceof RangeError
      ? new InputError('INPUT_TOO_COMPLEX', { resource: 'tags in a template', limit: 20_000 })
      : error;
  }
  if (tags.length === 0) return;
  const filler = new PartFiller(root, tags, filling);
  await filler.fill([root], new Scope(data));
  filler.finish();
}

class PartFiller {
  #changed = false;

  constructor(
    private readonly root: Element,
    private readonly tags: readonly Tag[],
    private readonly filling: Filling,
  ) {}

  async fill(roots: readonly Node[], scope: Scope, depth = 0): Promise<void> {
    this.filling.signal.throwIfAborted();
    const marks = marksIn(roots);
    const gone = new Set<Node>();
    for (let i = 0; i < marks.length; i++) {
      const mark = marks[i]!;
      if (isWithin(mark, gone)) continue;
      const tag = this.#tag(mark);
      if (tag.kind === 'value' || tag.kind === 'picture') await this.#value(mark, tag, scope);
      else if (tag.kind === 'close') this.#fault(`${tag.source} ends nothing that began before it`);
      else {
        const end = this.#endOf(marks, i);
        if (depth >= MAX_NESTED) this.#fault(`sections are nested deeper than ${MAX_NESTED} levels`);
        else if (end === undefined) this.#fault(`${tag.source} has no end of the same table row, paragraph or section`);
        else if (await this.#section(mark, marks[end]!, tag, scope, gone, depth)) i = end;
      }
    }
  }

  /** Removes helper nodes and repairs elements that must not be empty. */
  finish(): void {
    for (const element of elementsIn(this.root)) {
      element.removeAttribute(MARK);
      if (!this.#changed || !this.filling.dialect.needsParagraph(element)) continue;
      if (element.lastChild === null || !this.filling.dialect.isParagraph(lastElement(element) ?? element)) {
        const name = element.nodeName.startsWith('text:')
          ? 'text:p'
          : element.nodeName.startsWith('w:')
            ? 'w:p'
            : 'a:p';
        const model = element.ownerDocument?.createElementNS(
          name === 'a:p' ? element.lookupNamespaceURI('a') : element.namespaceURI,
          name,
        );
        if (model !== undefined) element.appendChild(model);
      }
    }
    if (!this.#changed) return;
    for (const table of elementsIn(this.root).filter(({ nodeName }) => TABLES.has(nodeName))) {
      if (elementsIn(table).some((one) => this.filling.dialect.isRow(one))) continue;
      let whole: Node = table;
      while (table.nodeName === 'a:tbl' && whole.nodeName !== 'p:graphicFrame' && whole.parentNode !== null)
        whole = whole.parentNode;
      whole.parentNode?.removeChild(whole);
    }
    distinctIds(this.root);
  }

  #tag(mark: Element): Tag {
    return this.tags[Number(mark.getAttribute(MARK))]!;
  }

  #fault(text: string): void {
    this.filling.faults.structure.add(text);
  }

  /** Reduces how much the document may still grow. */
  #spend(elements: number, characters: number): void {
    const { budget } = this.filling;
    budget.elements -= elements;
    budget.characters -= characters;
    if (budget.elements < 0)
      throw new InputError('INPUT_TOO_COMPLEX', { resource: 'elements in the filled document', limit: MAX_ELEMENTS });
    if (budget.characters < 0)
      throw new InputError('INPUT_TOO_COMPLEX', {
        resource: 'characters in the filled document',
        limit: MAX_CHARACTERS,
      });
  }

  #endOf(marks: readonly Element[], start: number): number | undefined {
    const { name } = this.#tag(marks[start]!);
    let depth = 0;
    for (let i = start + 1; i < marks.length; i++) {
      const tag = this.#tag(marks[i]!);
      if (tag.kind === 'open' || tag.kind === 'openNot') depth++;
      else if (tag.kind === 'close' && depth-- === 0) return tag.name === '' || tag.name === name ? i : undefined;
    }
    return undefined;
  }

  async #value(mark: Element, tag: Tag, scope: Scope): Promise<void> {
    const { missing, faults, dialect, picture } = this.filling;
    const found = scope.lookUp(tag.name);
    if (!found.known) {
      if (missing === 'error') faults.unknown.add(tag.name);
      else if (missing === 'empty') dialect.write(mark, '');
      mark.removeAttribute(MARK);
      return;
    }
    const asPicture =
      tag.kind === 'picture' && typeof found.value === 'string' ? { image: found.value } : pictureOf(found.value);
    const text = asPicture === undefined && tag.kind === 'value' ? textOf(found.value) : undefined;
    mark.removeAttribute(MARK);
    if (asPicture !== undefined) {
      this.#spend(PICTURE, 0);
      const fault = await picture(mark, asPicture);
      if (fault !== undefined) faults.unfit.set(tag.name, fault);
    } else if (text === undefined)
      faults.unfit.set(
        tag.name,
        tag.kind === 'picture'
          ? 'is not an image: send base64 text or an object with the member "image"'
          : 'is an object or a list of objects; name one of its members, or go through it with a section',
      );
    else {
      this.#spend(text.match(/[\n\t]/g)?.length ?? 0, text.length);
      dialect.write(mark, xmlCharacters(text.replace(/\r\n?/g, '\n')));
    }
  }

  /** Repeats what stands between two tags; false where the section stays as it is. */
  async #section(
    open: Element,
    close: Element,
    tag: Tag,
    scope: Scope,
    gone: Set<Node>,
    depth: number,
  ): Promise<boolean> {
    const { missing, faults } = this.filling;
    const found = scope.lookUp(tag.name);
    if (!found.known && missing === 'error') {
      // The content belongs to items of an unknown list.
      faults.unknown.add(tag.name);
      return true;
    }
    if (!found.known && missing === 'keep') {
      for (const mark of [open, close]) {
        mark.removeAttribute(MARK);
        gone.add(mark);
      }
      return false;
    }
    const value = found.known ? found.value : undefined;
    const scopes =
      tag.kind === 'open' ? repetitions(value, scope) : repetitions(value, scope).length === 0 ? [scope] : [];
    const range = this.#range(open, close);
    this.#changed = true;
    const size = range.reduce<number>(
      (sum, node) => sum + 1 + (node.nodeType === 1 ? elementsIn(node as Element).length : 0),
      0,
    );
    this.#spend(size * scopes.length, 0);
    const anchor = range[0]!;
    const parent = anchor.parentNode!;
    // Nodes are only appended: inserting between others makes the library count all of them again.
    const all = parent.ownerDocument!.createDocumentFragment();
    for (const one of scopes) {
      const copy = parent.ownerDocument!.createDocumentFragment();
      for (const node of range) copy.appendChild(node.cloneNode(true));
      await this.fill(childNodes(copy), one, depth + 1);
      for (const node of childNodes(copy)) all.appendChild(node);
    }
    if (all.firstChild !== null) parent.insertBefore(all, anchor);
    for (const node of range) {
      gone.add(node);
      parent.removeChild(node);
    }
    return true;
  }

  /**
   * Returns the nodes to repeat: rows if the section spans cells, otherwise the nodes between its tags; the tags are
   * removed.
   */
  #range(open: Element, close: Element): Node[] {
    const { dialect } = this.filling;
    let common: Node = open;
    while (!common.contains(close)) common = common.parentNode!;
    const wholeRow = common.nodeType === 1 && dialect.isRow(common as Element);
    const [first, last] = wholeRow ? [common, common] : [childWith(common, open), childWith(common, close)];
    const range: Node[] = [];
    for (let node: Node | null = first; node !== null; node = node === last ? null : node.nextSibling) range.push(node);
    for (const mark of [open, close]) mark.parentNode?.removeChild(mark);
    const kept = range.filter(
      (node) =>
        node !== open && node !== close && !(!wholeRow && (node === first || node === last) && this.#isBare(node)),
    );
    if (kept.length > 0 && kept[0]!.parentNode !== null) {
      const stays = new Set(kept);
      for (const node of range) if (!stays.has(node)) node.parentNode?.removeChild(node);
      return kept;
    }
    // Nothing stands between: an empty text keeps the place.
    const place = this.root.ownerDocument!.createTextNode('');
    common.insertBefore(place, range.find((node) => node.parentNode === common) ?? null);
    for (const node of range) node.parentNode?.removeChild(node);
    return [place];
  }

  /** True for a paragraph, row, item or the like that held nothing but a tag of a section. */
  #isBare(node: Node): boolean {
    if (node.nodeType !== 1) return false;
    const element = node as Element;
    if (TABLES.has(element.nodeName) || (element.textContent ?? '').trim() !== '') return false;
    return !elementsIn(element).some(({ localName }) =>
      /^(?:drawing|pict|object|sectPr|frame|footnoteReference|fldChar|br|tab|image|pic)$/.test(localName ?? ''),
    );
  }
}

/** Tables, none of which may be without rows. */
const TABLES: ReadonlySet<string> = new Set(['w:tbl', 'a:tbl', 'table:table']);
/** Sections within each other. */
const MAX_NESTED = 50;
/** Elements that repetitions may make in one document. */
export const MAX_ELEMENTS = 1_000_000;
/** Characters of values in one document. */
export const MAX_CHARACTERS = 32 * 1024 * 1024;
/** Elements of a picture, about. */
const PICTURE = 16;

function pictureOf(value: unknown): PictureValue | undefined {
  return typeof value === 'object' && value !== null && typeof (value as { image?: unknown }).image === 'string'
    ? (value as PictureValue)
    : undefined;
}

function childNodes(parent: Node): Node[] {
  const nodes: Node[] = [];
  for (let node = parent.firstChild; node !== null; node = node.nextSibling) nodes.push(node);
  return nodes;
}

function marksIn(roots: readonly Node[]): Element[] {
  return roots.flatMap((root) =>
    root.nodeType === 1
      ? [root as Element, ...elementsIn(root as Element)].filter((element) => element.hasAttribute(MARK))
      : [],
  );
}

function childWith(parent: Node, node: Node): Node {
  let at = node;
  while (at.parentNode !== parent && at.parentNode !== null) at = at.parentNode;
  return at;
}

function isWithin(node: Node, gone: ReadonlySet<Node>): boolean {
  if (gone.size === 0) return false;
  for (let up: Node | null = node; up !== null; up = up.parentNode) if (gone.has(up)) return true;
  return false;
}

function lastElement(element: Element): Element | undefined {
  for (let child = element.lastChild; child !== null; child = child.previousSibling)
    if (child.nodeType === 1) return child as Element;
  return undefined;
}

/**
 * Copies of pictures, shapes and bookmarks must not share their numbers and names (ECMA-376-1, 20.4.2.5 and 17.13.6.2).
 */
function distinctIds(root: Element): void {
  let next = 0;
  const bookmarks = new Set<string>();
  const dropped = new Set<string>();
  for (const element of elementsIn(root)) {
    if (element.nodeName === 'wp:docPr') element.setAttribute('id', String(++next));
    else if (element.nodeName === 'w:bookmarkStart') {
      const name = element.getAttribute('w:name') ?? '';
      if (!bookmarks.has(name)) bookmarks.add(name);
      else {
        dropped.add(element.getAttribute('w:id') ?? '');
        element.parentNode?.removeChild(element);
      }
    }
  }
  const ended = new Set<string>();
  for (const element of elementsIn(root, 'bookmarkEnd')) {
    const id = element.getAttribute('w:id') ?? '';
    if (ended.has(id) && dropped.has(id)) element.parentNode?.removeChild(element);
    ended.add(id);
  }
  for (const kind of ['text:bookmark-start', 'text:bookmark-end', 'text:bookmark']) {
    const names = new Set<string>();
    for (const element of elementsIn(root).filter(({ nodeName }) => nodeName === kind)) {
      const name = element.getAttribute('text:name') ?? '';
      if (names.has(name)) element.parentNode?.removeChild(element);
      names.add(name);
    }
  }
}
