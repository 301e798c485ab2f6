import type { Artefact, LayoutPage } from '@quire/document/layout';

/** Texts at the edges of pages that are remembered. */
const MOST_TEXTS = 1000;

/** A running title, which may hold the number of its page. */
export interface RunningText {
  readonly before: string;
  /** True if the number of the page is behind `before`. */
  readonly numbered: boolean;
  readonly after: string;
}

/** Properties that sections share, apart from the page size. */
export interface Furniture {
  readonly header: RunningText | undefined;
  readonly footer: RunningText | undefined;
  /** Where pages show their number. */
  readonly number: 'header' | 'footer' | undefined;
  /** The number of the first page. */
  readonly start: number;
}

/** A text at an edge: as the first page has it, and which of its numbers grows with the pages. */
interface Known {
  readonly text: string;
  readonly page: number;
  pages: number;
  counting: number | undefined;
}

/** Finds running headers and footers: the same words on most pages, but for a number that counts the pages. */
export class FurnitureCount {
  readonly #texts = { header: new Map<string, Known>(), footer: new Map<string, Known>() };
  readonly #numbers = { header: 0, footer: 0 };
  /** What page numbers are greater than the place of their page, by how many pages. */
  readonly #offsets = new Map<number, number>();
  #pages = 0;

  add({ artefacts, height, number: page }: LayoutPage): void {
    this.#pages++;
    for (const edge of ['header', 'footer'] as const) {
      const text = artefacts
        .filter(({ kind }) => kind === edge)
        .map(textOf)
        .join(' ')
        .trim();
      if (text !== '') this.#addText(this.#texts[edge], text, page);
    }
    const number = artefacts.find(({ kind }) => kind === 'pageNumber');
    if (number === undefined) return;
    this.#numbers[number.box.top < height / 2 ? 'header' : 'footer']++;
    const [first] = numbersOf(textOf(number));
    if (first !== undefined) this.#offset(first.value - page);
  }

  finish(): Furniture {
    const usual = (edge: 'header' | 'footer'): RunningText | undefined => {
      const found = [...this.#texts[edge].values()].find(({ pages }) => pages > this.#pages / 3);
      return found === undefined ? undefined : runningText(found);
    };
    const { header, footer } = this.#numbers;
    const [offset = 0] = [...this.#offsets].sort((a, b) => b[1] - a[1])[0] ?? [];
    return {
      header: usual('header'),
      footer: usual('footer'),
      number: header + footer <= this.#pages / 3 ? undefined : header > footer ? 'header' : 'footer',
      start: Math.max(0, offset + 1),
    };
  }

  #addText(texts: Map<string, Known>, text: string, page: number): void {
    const key = text.replace(/\d+/g, '#');
    const known = texts.get(key);
    if (known === undefined) {
      if (texts.size < MOST_TEXTS) texts.set(key, { text, page, pages: 1, counting: undefined });
      return;
    }
    known.pages++;
    const [before, own] = [numbersOf(known.text), numbersOf(text)];
    const counting = own.findIndex(({ value }, i) => value - before[i]!.value === page - known.page);
    if (counting < 0) return;
    known.counting ??= counting;
    this.#offset(own[counting]!.value - page);
  }

  #offset(by: number): void {
    this.#offsets.set(by, (this.#offsets.get(by) ?? 0) + 1);
  }
}

function runningText({ text, counting }: Known): RunningText {
  const number = counting === undefined ? undefined : numbersOf(text)[counting];
  if (number === undefined) return { before: text, numbered: false, after: '' };
  return { before: text.slice(0, number.from), numbered: true, after: text.slice(number.to) };
}

function numbersOf(text: string): { readonly value: number; readonly from: number; readonly to: number }[] {
  return [...text.matchAll(/\d+/g)].map(({ 0: digits, index }) => ({
    value: Number(digits),
    from: index,
    to: index + digits.length,
  }));
}

function textOf({ runs }: Artefact): string {
  return runs.map(({ text }) => text).join('');
}
