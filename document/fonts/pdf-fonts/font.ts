/** The meaning of one code of a string in a font. */
export interface FontGlyph {
  readonly code: number;
  /** Bytes of the code. */
  readonly length: number;
  /** Its characters, ligatures expanded; empty when unknown. */
  readonly text: string;
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
