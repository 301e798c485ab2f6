import { Font, type IFontNames } from '@pdf-lib/standard-fonts';

/** One of the 14 fonts that every viewer has (ISO 32000-1, 9.6.2.2). */
export interface StandardFont {
  readonly ascent: number;
  readonly descent: number;
  /** The built-in encoding of a font that is not Latin. */
  readonly symbolic: 'Symbol' | 'ZapfDingbats' | undefined;
  /** Width of a glyph in thousandths, or undefined. */
  width(name: string): number | undefined;
}

const STYLES = [
  ['', '', '-Italic', '-Oblique'],
  ['-Bold', '-Bold', '-BoldItalic', '-BoldOblique'],
] as const;
const cache = new Map<string, StandardFont>();

/**
 * The standard font of this name or a common alias (`Arial,Bold`, `TimesNewRomanPS-BoldMT`); undefined for other fonts.
 */
export function standardFont(name: string): StandardFont | undefined {
  const standard = standardName(name);
  if (standard === undefined) return undefined;
  const known = cache.get(standard);
  if (known !== undefined) return known;
  const font = Font.load(standard);
  const [, low, , high] = font.FontBBox;
  const symbolic = standard === 'Symbol' || standard === 'ZapfDingbats' ? standard : undefined;
  const made: StandardFont = {
    ascent: typeof font.Ascender === 'number' ? font.Ascender : high,
    descent: typeof font.Descender === 'number' ? font.Descender : low,
    symbolic,
    width: (glyph) => {
      const width = font.getWidthOfGlyph(glyph);
      return typeof width === 'number' ? width : undefined;
    },
  };
  cache.set(standard, made);
  return made;
}

const FAMILIES = new RegExp(
  '^(Helvetica|ArialMT|Arial|CourierNewPSMT|CourierNewPS|CourierNew|Courier|' +
    'TimesNewRomanPSMT|TimesNewRomanPS|TimesNewRoman|Times)(?:[-,]?(.*))?$',
);

/** The standard name for a name or a common alias; undefined for other fonts. */
export function standardName(name: string): IFontNames | undefined {
  const plain = name.replaceAll(' ', '');
  if (/^Symbol(MT)?([,-].*)?$/.test(plain)) return 'Symbol';
  if (plain === 'ZapfDingbats') return plain;
  const [, family = '', style = ''] = FAMILIES.exec(plain) ?? [];
  if (family === '' || !/^(Roman|Regular|Bold|Italic|Oblique|BoldItalic|BoldOblique|)(MT)?$/.test(style))
    return undefined;
  const bold = style.includes('Bold') ? 1 : 0;
  const slanted = /Italic|Oblique/.test(style);
  if (family.startsWith('Times'))
    return bold === 1 ? (slanted ? 'Times-BoldItalic' : 'Times-Bold') : slanted ? 'Times-Italic' : 'Times-Roman';
  const base = family.startsWith('Courier') ? 'Courier' : 'Helvetica';
  return `${base}${STYLES[bold][slanted ? 3 : 0]}` as IFontNames;
}
