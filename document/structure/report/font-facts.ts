import { type PDFContext, type PDFDict, PDFRawStream } from 'pdf-lib';
import { asDict, asName, asNumber, asText, elements, entry, resolve } from '../../file/objects/index.js';

/** The /Flags of a font descriptor (ISO 32000-1, table 123), and its other style properties. */
export interface FontFlags {
  /** In degrees, negative for letters that lean right. */
  readonly italicAngle: number;
  readonly italic: boolean;
  /** Bit 19 (ForceBold), or a weight of at least 700. */
  readonly bold: boolean;
  readonly fixedPitch: boolean;
  readonly serif: boolean;
  readonly symbolic: boolean;
  readonly script: boolean;
  readonly nonsymbolic: boolean;
  readonly family: string | undefined;
  /** 100 to 900; 0 if not stated. */
  readonly weight: number;
}

/** A font of a page's resources (ISO 32000-1, 9.5). */
export interface FontFacts {
  /** /BaseFont with its subset tag, else the name in the descriptor or in the font; may be empty for Type 3. */
  readonly name: string;
  /** Type0 for composite fonts. */
  readonly subtype: string;
  /** True if the file contains the glyphs. */
  readonly embedded: boolean;
  /** Undefined for a font without a descriptor, like the standard fonts and most Type 3 fonts. */
  readonly flags: FontFlags | undefined;
}

/** Bit positions of the flags, counted from 1. */
const BIT = { fixedPitch: 1, serif: 2, symbolic: 3, script: 4, nonsymbolic: 6, italic: 7, forceBold: 19 } as const;
const BOLD = 700;

/** Reads a font dictionary; for a composite font, the descriptor of its descendant is used. */
export function fontFacts(context: PDFContext, font: PDFDict): FontFacts {
  const subtype = asName(context, entry(font, 'Subtype')) ?? '';
  const described =
    subtype === 'Type0' ? (asDict(context, elements(context, entry(font, 'DescendantFonts'))[0]) ?? font) : font;
  const descriptor = asDict(context, entry(described, 'FontDescriptor'));
  const name =
    asName(context, entry(font, 'BaseFont')) ??
    asName(context, descriptor && entry(descriptor, 'FontName')) ??
    asName(context, entry(font, 'Name')) ??
    '';
  // The glyphs of Type 3 fonts are content of the document (ISO 32000-1, 9.6.5).
  const embedded =
    subtype === 'Type3' ||
    (descriptor !== undefined &&
      ['FontFile', 'FontFile2', 'FontFile3'].some(
        (key) => resolve(context, entry(descriptor, key)) instanceof PDFRawStream,
      ));
  return {
    name: name,
    subtype: subtype,
    embedded,
    flags: descriptor === undefined ? undefined : flagsOf(context, descriptor),
  };
}

function flagsOf(context: PDFContext, descriptor: PDFDict): FontFlags {
  const bits = asNumber(context, entry(descriptor, 'Flags')) ?? 0;
  const has = (bit: number): boolean => (bits & (1 << (bit - 1))) !== 0;
  const weight = asNumber(context, entry(descriptor, 'FontWeight')) ?? 0;
  return {
    italicAngle: asNumber(context, entry(descriptor, 'ItalicAngle')) ?? 0,
    italic: has(BIT.italic),
    bold: has(BIT.forceBold) || weight >= BOLD,
    fixedPitch: has(BIT.fixedPitch),
    serif: has(BIT.serif),
    symbolic: has(BIT.symbolic),
    script: has(BIT.script),
    nonsymbolic: has(BIT.nonsymbolic),
    family: asText(context, entry(descriptor, 'FontFamily')),
    weight,
  };
}
