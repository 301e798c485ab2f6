/** What a code of a string means in a font. */
export interface FontGlyph {
  readonly code: number;
  /** Bytes of the code. */
  readonly length: number;
  /** Its characters, ligatures taken apart; empty when the font does not tell. */
  readonly text: string;
  /** Advance width in thousandths of text space. */
  readonly width: number;
  /** True for the one-byte code 32, to which word spacing applies (ISO 32000-1, 9.3.3). */
  readonly blank: boolean;
  /**
   * In vertical writing: how far the pen moves (negative: down), and where in the glyph's width the pen is, in
   * thousandths.
   */
  readonly height?: number;
  readonly originX?: number;
}

/** A font of a document, as the content uses it. */
export interface ContentFont {
  /** The name of the font (/BaseFont) without its subset tag. */
  readonly name: string;
  readonly vertical: boolean;
  /** Height above and (negative) below the line, in thousandths of text space. */
  readonly ascent: number;
  readonly descent: number;
  /** How large a font of size 1 is: 1, but for Type 3 fonts, whose matrix may say otherwise. */
  readonly em: number;
  /** Takes a string apart. */
  decode(bytes: Uint8Array): readonly FontGlyph[];
  /**
   * The string that shows these characters, or undefined when the font cannot: a character without a code, a subset
   * without its glyph, a font that does not tell its characters.
   */
  encode(text: string): Uint8Array | undefined;
}

/** Latin ligatures are what they are made of; a null is no character. */
export function plainText(text: string): string {
  if (text.length === 1 && text >= ' ' && text < '\u007f') return text;
  return text.replaceAll('\0', '').replace(/[\ufb00-\ufb06]/g, (ligature) => ligature.normalize('NFKC'));
}

/** Finds codes for a text: one character at a time, a ligature where a character is missing by itself. */
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
