import type { Block, List, ListItem } from '../model.js';
import type { Marker } from './markers.js';
import type { Para } from './paragraphs.js';

/** A list that is being made. */
interface OpenList {
  readonly x: number;
  readonly textX: number;
  readonly marker: Marker;
  last: number;
  readonly items: { readonly marker: string; readonly blocks: Block[] }[];
  readonly list: Mutable;
}

type Mutable = { -readonly [K in keyof List]: List[K] };

/** Depth of lists within each other. */
const MAX_DEPTH = 9;

/**
 * Builds lists from paragraphs with markers in reading order, nested by the position of the markers. `take` returns
 * true if a paragraph became part of a list; other blocks go to `body` and end the list.
 */
export class ListMaker {
  #open: OpenList[] = [];

  constructor(
    readonly body: Block[],
    readonly blockOf: (para: Para, skip: number) => Block,
    readonly page: number,
  ) {}

  /** A block that belongs to no list: ends all. */
  put(block: Block): void {
    this.end();
    this.body.push(block);
  }

  end(): void {
    this.#open = [];
  }

  /** Adds a paragraph that starts with a marker or continues an item; `next` is the following one. */
  take(para: Para, next: Para | undefined): boolean {
    const { marker } = para;
    const x = startOf(para);
    if (marker === undefined || !this.#isItem(para, marker, next)) return this.#continues(para, x);
    const tolerance = 0.6 * (para.size || 10);
    // The next number decides the level; otherwise the position.
    const sequel =
      marker.style === 'bullet'
        ? -1
        : this.#open.findLastIndex(
            (one) => follows(one, marker) && (Math.abs(one.x - x) < 3 * tolerance || Math.abs(one.x - x) > 100),
          );
    if (sequel >= 0) this.#open.length = sequel + 1;
    else while (this.#open.length > 0 && this.#open.at(-1)!.x > x + tolerance) this.#open.pop();
    let top = this.#open.at(-1);
    if (sequel < 0 && top !== undefined && Math.abs(top.x - x) <= tolerance && !follows(top, marker)) {
      this.#open.pop();
      top = this.#open.at(-1);
      if (top === undefined) this.end();
    }
    if (
      top === undefined ||
      (sequel < 0 && x > top.x + tolerance && this.#open.length < MAX_DEPTH) ||
      (sequel < 0 && !follows(top, marker))
    )
      top = this.#begin(para, marker, x, top);
    top.last = marker.number === top.last + 1 ? marker.number : marker.roman || marker.number;
    top.items.push({ marker: marker.text, blocks: [this.blockOf(para, marker.words)] });
    top.list.box = {
      left: Math.min(top.list.box.left, para.box.left),
      top: Math.min(top.list.box.top, para.box.top),
      right: Math.max(top.list.box.right, para.box.right),
      bottom: Math.max(top.list.box.bottom, para.box.bottom),
    };
    return true;
  }

  /** A figure or table between items, aligned with their text. */
  within(block: Block, left: number): boolean {
    const top = this.#open.at(-1);
    if (top === undefined || left < top.textX - 4) return false;
    top.items.at(-1)?.blocks.push(block);
    return true;
  }

  #begin(para: Para, marker: Marker, x: number, outer: OpenList | undefined): OpenList {
    const { ordered, style, start } = startOfList(marker);
    const items: { marker: string; blocks: Block[] }[] = [];
    const list: Mutable = {
      kind: 'list',
      page: this.page,
      box: para.box,
      ordered,
      style,
      start,
      direction: para.direction,
      items: items as ListItem[],
    };
    const opened: OpenList = {
      x,
      textX: textStart(para, marker),
      marker: { ...marker, style },
      last: start - 1,
      items,
      list,
    };
    const holder = outer?.items.at(-1);
    if (holder === undefined) this.body.push(list);
    else holder.blocks.push(list);
    this.#open.push(opened);
    return opened;
  }

  /** A letter or number alone may be an initial or a year: what follows, or what came before, must go on with it. */
  #isItem(para: Para, marker: Marker, next: Para | undefined): boolean {
    if (marker.style === 'bullet')
      return (
        !/^[-\u2013\u2014*+o]$/u.test(marker.text) ||
        this.#open.some((one) => follows(one, marker)) ||
        next?.marker?.text === marker.text ||
        para.indent.first < -1
      );
    if (this.#open.some((one) => follows(one, marker))) return true;
    const goesOn =
      next?.marker !== undefined &&
      next.marker.style !== 'bullet' &&
      (next.marker.number === marker.number + 1 || (next.marker.roman > 0 && next.marker.roman === marker.roman + 1));
    return marker.style === 'decimal'
      ? (marker.number <= 1 || goesOn) && marker.number < 1000
      : goesOn || ((marker.number === 1 || marker.roman === 1) && para.indent.first < -1);
  }

  /** Text under an item, as far in as its text, goes on with it. */
  #continues(para: Para, x: number): boolean {
    const tolerance = 0.5 * (para.size || 10);
    const depth = this.#open.findLastIndex((one) => Math.abs(x - one.textX) <= tolerance && x > one.x + tolerance);
    if (depth < 0 || para.above > 2.5 * para.size) return false;
    this.#open.length = depth + 1;
    this.#open[depth]!.items.at(-1)?.blocks.push(this.blockOf(para, 0));
    return true;
  }
}

/**
 * Distance of the beginning from the side where lines begin, so that it grows with depth in both directions of writing.
 */
function startOf({ direction, lines }: Para): number {
  const { box } = lines[0]!;
  return direction === 'ltr' ? box.left : -box.right;
}

function textStart({ direction, lines }: Para, marker: Marker): number {
  const word = lines[0]!.words[marker.words];
  if (word === undefined) return startOf({ direction, lines } as Para);
  return direction === 'ltr' ? word.box.left : -word.box.right;
}

/** True where a marker goes on with a list. */
function follows({ marker, last }: OpenList, next: Marker): boolean {
  if (marker.style === 'bullet' || next.style === 'bullet')
    return marker.style === next.style && marker.text === next.text;
  if (punctuation(marker.text) !== punctuation(next.text)) return false;
  return (
    (marker.style === next.style && next.number === last + 1) ||
    (marker.style.endsWith('Roman') && next.roman === last + 1)
  );
}

function punctuation(text: string): string {
  return text.replace(/[\p{L}\p{N}]+/u, '1');
}

function startOfList({ style, number, roman }: Marker): Pick<List, 'ordered' | 'style' | 'start'> {
  if (style === 'bullet') return { ordered: false, style, start: 1 };
  // "i." begins roman numbers; it would be the ninth letter.
  if (roman === 1 && style.endsWith('Letter'))
    return { ordered: true, style: style === 'lowerLetter' ? 'lowerRoman' : 'upperRoman', start: 1 };
  return { ordered: true, style, start: number };
}
