/** The meaning of one code of a string in a font. */
export interface FontGlyph {
  readonly code: number;
  /** Bytes of the code. */
  readonly length: number;
  /** Its characters, ligatures expanded; empty when unknown. */
  readonly text: string;
  /**
   * What the glyph shows according to the font's encoding, glyph names or program, if that contradicts `text`; for a
   * Type 3 font, the text that its glyph procedure draws. Only from a font book that reads both.
   */
  readonly drawn?: string;
  /** Advance width in thousandths of text space. */
  readonly width: number;
  /** True for the one-byte code 32, to which word spacing applies (ISO 32000-1, 9.3.3). */
  readonly blank: boolean;
  /**
   * In vertical writing: the pen's displacement (negative: down) and its position within the glyph's width, in
   * thousandths.
   */
  readonly height?: number;
  readonly originX?: number;
}

/** A font as page content uses it. */
export interface ContentFont {
  /** The name of the font (/BaseFont) without its subset tag. */
  readonly name: string;
  readonly vertical: boolean;
  /** Height above and (negative) below the line, in thousandths of text space. */
  readonly ascent: number;
  readonly descent: number;
  /** The size of a font at size 1: 1, except for Type 3 fonts with another matrix. */
  readonly em: number;
  /** True once a glyph with `drawn` was decoded. */
  readonly isAmbiguous: boolean;
  /** Splits a string into glyphs. */
  decode(bytes: Uint8Array): readonly FontGlyph[];
  /**
   * Returns the string that shows these characters, or undefined when the font cannot: a character has no code, a
   * subset lacks the glyph, or the characters of the font are unknown.
   */
  encode(text: string): Uint8Array | undefined;
}

/** Expands Latin ligatures and drops null characters. */
export function plainText(text: string): string {
  if (text.length === 1 && text >= ' ' && text < '\u007f') return text;
  return text.replaceAll('\0', '').replace(/[\ufb00-\ufb06]/g, (ligature) => ligature.normalize('NFKC'));
}

/**
 * Returns what a glyph shows if that is another text than the one that the font's ToUnicode map gives, else undefined.
 * Variants of one character are no contradiction: case, compatibility forms, dashes, quotes, blanks.
 */
export function otherReading(mapped: string, shown: string | undefined): string | undefined {
  if (shown === undefined || shown === mapped || shown.trim() === '' || /[\ue000-\uf8ff\ufffd]/.test(shown))
    return undefined;
  return alike(mapped) === alike(shown) ? undefined : plainText(shown);
}

function alike(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\u200b-\u200f\u2060\ufeff]/g, '')
    .replaceAll(/[\u00ad\u2010-\u2015\u2212]/g, '-')
    .replaceAll(/[\u2018\u2019\u2032`]/g, "'")
    .replaceAll('\u2206', '\u03b4');
}

/** Finds codes for a text: one character at a time, a ligature where a character has no code. */
export function encodeWith(text: string, codes: ReadonlyMap<string, Uint8Array>): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  const characters = [...text.normalize('NFC')];
  for (let i = 0; i < characters.length;) {
    let found: Uint8Array | undefined;
    for (let length = 1; length <= 3 && found === undefined && i + length <= characters.length; length++) {
      found = codes.get(characters.slice(i, i + length).join(''));
      if (found !== undefined) i += length;
    }
    if (found === undefined) return undefined;
    parts.push(found);
  }
  return Buffer.concat(parts);
}
