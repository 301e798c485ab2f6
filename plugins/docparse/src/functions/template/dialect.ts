import { elementsIn } from '@quire/document/file/xml/dom';
import type { Document, Element, Node, Text } from '@xmldom/xmldom';
import type { TemplateKind } from './open-package.js';

/** Placeholder for non-text content within a paragraph; no tag spans it. */
const BREAK = '\ufffc';

/** Text of a paragraph with the node that holds it; `node` is undefined for what only stands between. */
export interface TextPiece {
  readonly node: Text | undefined;
  readonly text: string;
}

/** How one family of formats writes text: paragraphs, rows, and what a piece of text is. */
export interface Dialect {
  isParagraph(element: Element): boolean;
  isRow(element: Element): boolean;
  /** True for elements that must end with a paragraph to be valid. */
  needsParagraph(element: Element): boolean;
  /** The text of a paragraph in order, without that of paragraphs within it. */
  pieces(paragraph: Element): TextPiece[];
  /**
   * Parts text at `offset`, so that what is before and what is after can be changed by themselves; gives the text node
   * of what is after.
   */
  part(text: Text, offset: number): Text;
  /** True when what owns the text holds more on this side of it. */
  joined(text: Text, side: 'before' | 'after'): boolean;
  /** The element that contains this text only: a run, a span. */
  owner(text: Text): Element;
  /** Puts text in the place of an owner's; line feeds and tabs are what the format has for them. */
  write(owner: Element, text: string): void;
}

/** A new element with the prefix that the format's documents use, in the namespace that the prefix has there. */
export function elementLike(model: Element, name: string, attributes: Readonly<Record<string, string>> = {}): Element {
  const prefix = name.slice(0, name.indexOf(':'));
  const document = model.ownerDocument as Document;
  const element = document.createElementNS(
    model.prefix === prefix ? model.namespaceURI : (document.documentElement?.lookupNamespaceURI(prefix) ?? null),
    name,
  );
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

/** WordprocessingML and DrawingML (ECMA-376-1, 17.3 and 21.1.2): runs of one look hold text elements. */
class RunDialect implements Dialect {
  constructor(private readonly prefix: 'w' | 'a') {}

  isParagraph(element: Element): boolean {
    return element.nodeName === `${this.prefix}:p`;
  }

  isRow(element: Element): boolean {
    return element.nodeName === `${this.prefix}:tr`;
  }

  needsParagraph(element: Element): boolean {
    return [
      'w:tc',
      'w:txbxContent',
      'w:hdr',
      'w:ftr',
      'w:footnote',
      'w:endnote',
      'w:comment',
      'a:txBody',
      'p:txBody',
    ].includes(element.nodeName);
  }

  pieces(paragraph: Element): TextPiece[] {
    const pieces: TextPiece[] = [];
    const text = `${this.prefix}:t`;
    const visit = (node: Node): void => {
      for (let child = node.firstChild; child !== null; child = child.nextSibling) {
        if (child.nodeType !== 1) continue;
        const element = child as Element;
        if (this.isParagraph(element)) continue;
        if (element.nodeName === text && element.parentNode?.nodeName === `${this.prefix}:r`) {
          // One text node each: what comments and character data part is joined.
          const whole = element.textContent ?? '';
          while (element.firstChild !== null) element.removeChild(element.firstChild);
          const node = (element.ownerDocument as Document).createTextNode(whole);
          element.appendChild(node);
          pieces.push({ node, text: whole });
        } else if (
          [
            `${this.prefix}:tab`,
            `${this.prefix}:br`,
            'w:cr',
            'w:drawing',
            'w:pict',
            'w:object',
            'a:fld',
            'w:instrText',
            'w:fldChar',
          ].includes(element.nodeName)
        ) {
          pieces.push({ node: undefined, text: BREAK });
          visit(element);
        } else visit(element);
      }
    };
    visit(paragraph);
    return pieces;
  }

  part(text: Text, offset: number): Text {
    const holder = text.parentNode as Element;
    const run = holder.parentNode as Element;
    const after = run.cloneNode(false) as Element;
    const look = elementChild(run, `${this.prefix}:rPr`);
    if (look !== undefined) after.appendChild(look.cloneNode(true));
    const rest = holder.cloneNode(false) as Element;
    const restText = (run.ownerDocument as Document).createTextNode(text.data.slice(offset));
    rest.appendChild(restText);
    after.appendChild(rest);
    while (holder.nextSibling !== null) after.appendChild(holder.nextSibling);
    text.data = text.data.slice(0, offset);
    for (const one of [holder, rest]) this.#keepBlanks(one);
    run.parentNode?.insertBefore(after, run.nextSibling);
    return restText;
  }

  joined(text: Text, side: 'before' | 'after'): boolean {
    const beside = side === 'before' ? text.parentNode?.previousSibling : text.parentNode?.nextSibling;
    return (beside ?? null) !== null && beside?.nodeName !== `${this.prefix}:rPr`;
  }

  owner(text: Text): Element {
    return text.parentNode?.parentNode as Element;
  }

  write(owner: Element, text: string): void {
    const holders = [...elementsIn(owner, 't')];
    const [holder] = holders;
    if (holder === undefined) return;
    if (this.prefix === 'a') return this.#writeLines(owner, text);
    for (const [i, part] of text.split(/(\n|\t)/).entries()) {
      if (i % 2 === 1) owner.insertBefore(elementLike(owner, part === '\n' ? 'w:br' : 'w:tab'), holder);
      else if (part !== '') {
        const piece = holder.cloneNode(false) as Element;
        piece.appendChild((owner.ownerDocument as Document).createTextNode(part));
        this.#keepBlanks(piece);
        owner.insertBefore(piece, holder);
      }
    }
    for (const one of holders) one.parentNode?.removeChild(one);
  }

  /** A run of DrawingML holds one text; lines are runs with breaks between. */
  #writeLines(run: Element, text: string): void {
    const lines = text.split('\n');
    for (const [i, line] of lines.entries()) {
      const piece = run.cloneNode(true) as Element;
      const [holder, ...others] = elementsIn(piece, 't');
      if (holder !== undefined) holder.textContent = line;
      for (const other of others) other.parentNode?.removeChild(other);
      if (i > 0) {
        const lineBreak = elementLike(run, 'a:br');
        const look = elementChild(run, 'a:rPr');
        if (look !== undefined) lineBreak.appendChild(look.cloneNode(true));
        run.parentNode?.insertBefore(lineBreak, run);
      }
      run.parentNode?.insertBefore(piece, run);
    }
    run.parentNode?.removeChild(run);
  }

  #keepBlanks(holder: Element): void {
    if (this.prefix === 'w' && /^\s|\s$/.test(holder.textContent ?? '')) holder.setAttribute('xml:space', 'preserve');
  }
}

/** OpenDocument (parts 3, 5 and 6): text is in paragraphs and their spans. */
const openDialect: Dialect = {
  isParagraph: ({ nodeName }) => nodeName === 'text:p' || nodeName === 'text:h',
  isRow: ({ nodeName }) => nodeName === 'table:table-row',
  needsParagraph: ({ nodeName }) => nodeName === 'text:note-body',
  pieces(paragraph) {
    const pieces: TextPiece[] = [];
    const visit = (node: Node): void => {
      for (let child = node.firstChild; child !== null; child = child.nextSibling) {
        if (child.nodeType === 3) pieces.push({ node: child as Text, text: (child as Text).data });
        else if (child.nodeType !== 1) continue;
        else if (child.nodeName === 'text:span' || child.nodeName === 'text:a') visit(child);
        else if (!/^text:(?:bookmark|soft-page-break|change|reference-mark)/.test(child.nodeName))
          pieces.push({ node: undefined, text: child.nodeName === 'text:s' ? ' ' : BREAK });
      }
    };
    paragraph.normalize();
    visit(paragraph);
    return pieces;
  },
  part: (text, offset) => text.splitText(offset),
  joined: () => false,
  owner(text) {
    const span = elementLike(text.parentNode as Element, 'text:span');
    text.parentNode?.insertBefore(span, text);
    span.appendChild(text);
    return span;
  },
  write(owner, text) {
    while (owner.firstChild !== null) owner.removeChild(owner.firstChild);
    const document = owner.ownerDocument as Document;
    for (const part of text.split(/(\n|\t|(?<= ) +|^ +)/)) {
      if (part === '\n') owner.appendChild(elementLike(owner, 'text:line-break'));
      else if (part === '\t') owner.appendChild(elementLike(owner, 'text:tab'));
      else if (/^ +$/.test(part) && part !== text)
        owner.appendChild(elementLike(owner, 'text:s', { 'text:c': String(part.length) }));
      else if (part !== '') owner.appendChild(document.createTextNode(part));
    }
  },
};

/** The dialect of a kind of document. */
export function dialectOf(kind: TemplateKind): Dialect {
  return kind === 'docx' ? new RunDialect('w') : kind === 'pptx' ? new RunDialect('a') : openDialect;
}

/** The first child of this name. */
function elementChild(element: Element, name: string): Element | undefined {
  for (let child = element.firstChild; child !== null; child = child.nextSibling)
    if (child.nodeName === name) return child as Element;
  return undefined;
}
