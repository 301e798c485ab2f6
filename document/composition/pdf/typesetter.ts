import {
  alphabetOfText,
  beginsAtRight,
  drawableText,
  shapeLine,
  type ShapedLine,
  type TextFont,
  type Weight,
} from '../../fonts/index.js';
import { plainText } from '../plain-text.js';

/** How a text is set: size in points. */
export interface Face {
  readonly size: number;
  readonly weight: Weight;
  /** 0 is black. */
  readonly grey: number;
}

/** A line of a text, in points. */
export interface SetLine {
  readonly shaped: ShapedLine;
  readonly width: number;
  /** It begins at its right-hand end. */
  readonly fromRight: boolean;
}

/** Characters between which a line can break without a blank. */
const IDEOGRAPHS = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
const pieces = new RegExp(`[${IDEOGRAPHS}]|[^${IDEOGRAPHS}]+`, 'gu');
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Most words whose width is cached; then the cache is emptied. */
const MAX_WORDS = 20_000;

/** Breaks texts into lines, with the built-in fonts. Characters that no font has become question marks. */
export class Typesetter {
  readonly font: TextFont;
  /** Characters that became question marks. */
  readonly replaced = new Set<string>();
  readonly #drawable = new Map<string, string>();
  readonly #widths = new Map<string, number>();
  readonly #lines = new Map<string, SetLine>();

  constructor(font: TextFont) {
    this.font = font;
  }

  /** The text in lines of at most `width` points; a word that is wider is broken. Line breaks in it are kept. */
  async wrap(text: string, face: Face, width: number): Promise<SetLine[]> {
    const lines: SetLine[] = [];
    for (const paragraph of (await this.#drawn(plainText(text))).split(/\r\n|[\r\n\u2028\u2029]/)) {
      for (const line of await this.#break(paragraph, face, width)) lines.push(await this.#set(line, face));
    }
    return lines;
  }

  async #break(paragraph: string, face: Face, width: number): Promise<string[]> {
    const lines: string[] = [];
    let line = '';
    let used = 0;
    const add = (piece: string, advance: number): void => {
      if (line !== '' && used + advance > width) {
        lines.push(line.trimEnd());
        line = '';
        used = 0;
      }
      line += piece;
      used += advance;
    };
    for (const word of paragraph.match(/[ \t]+|[^ \t]+/g) ?? []) {
      const isBlank = /^[ \t]/.test(word);
      const advance = await this.#width(isBlank ? ' ' : word, face);
      if (isBlank) {
        // A line never begins with a blank.
        if (line !== '') line += ' ';
        if (line !== '') used += advance;
      } else if (advance <= width && !hasIdeographs(word)) add(word, advance);
      else for (const piece of await this.#split(word, face, width)) add(piece, await this.#width(piece, face));
    }
    return [...lines, line.trimEnd()];
  }

  /** The parts between which a word may break. */
  async #split(word: string, face: Face, width: number): Promise<string[]> {
    const parts: string[] = [];
    for (const piece of word.match(pieces) ?? []) {
      if ((await this.#width(piece, face)) <= width) parts.push(piece);
      else parts.push(...Array.from(graphemes.segment(piece), ({ segment }) => segment));
    }
    return parts;
  }

  async #width(word: string, face: Face): Promise<number> {
    const key = `${face.weight} ${word}`;
    let known = this.#widths.get(key);
    if (known === undefined) {
      if (this.#widths.size >= MAX_WORDS) this.#widths.clear();
      known = (await shapeLine(word, alphabetOfText(word), 'text', undefined, face.weight)).width;
      this.#widths.set(key, known);
    }
    return (known * face.size) / 1000;
  }

  async #set(text: string, face: Face): Promise<SetLine> {
    const key = `${face.weight} ${face.size} ${text}`;
    const known = this.#lines.get(key);
    if (known !== undefined) return known;
    if (this.#lines.size >= MAX_WORDS) this.#lines.clear();
    const shaped = await shapeLine(text, alphabetOfText(text), 'text', undefined, face.weight);
    const line = { shaped, width: (shaped.width * face.size) / 1000, fromRight: await beginsAtRight(text) };
    this.#lines.set(key, line);
    return line;
  }

  async #drawn(text: string): Promise<string> {
    const characters = [...text.normalize('NFC')];
    for (const character of new Set(characters)) {
      if (this.#drawable.has(character)) continue;
      const drawn = await drawableText(character, 'roman');
      // Few fonts have spaces of unusual width.
      const isBlank = /^\p{Zs}$/u.test(character);
      if (drawn !== character && !isBlank) this.replaced.add(character);
      this.#drawable.set(character, drawn !== character && isBlank ? '\u00a0' : drawn);
    }
    return characters.map((character) => this.#drawable.get(character)).join('');
  }
}

function hasIdeographs(word: string): boolean {
  return new RegExp(`[${IDEOGRAPHS}]`, 'u').test(word);
}
