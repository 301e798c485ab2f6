import { createRequire } from 'node:module';

interface ListedGlyph {
  readonly unicodeValue: string;
  readonly glyphName: string;
}

/**
 * Names from the Adobe Glyph List and common fonts that are missing from the list for new fonts: pairs of a name and
 * its text.
 */
const OTHERS = (
  'nbspace \u00a0 nonbreakingspace \u00a0 sfthyphen \u00ad softhyphen \u00ad hyphenminus - mu1 \u00b5 middot ' +
  '\u00b7 overscore \u00af macronaccent \u00af bulletoperator \u2219 increment \u2206 ff ff fi fi fl fl ffi ' +
  "ffi ffl ffl st st longst st f_f ff dotlessj \u0237 apostrophe ' quoteleftreversed \u201b euro \u20ac " +
  'visiblespace \u2423 registersans \u00ae registerserif \u00ae copyrightsans \u00a9 copyrightserif \u00a9 ' +
  'trademarksans \u2122 trademarkserif \u2122 arrowhorizex \u23af arrowvertex \u23d0 zerosuperior \u2070 ' +
  'onesuperior \u00b9 twosuperior \u00b2 threesuperior \u00b3 foursuperior \u2074 fivesuperior \u2075 ' +
  'sixsuperior \u2076 sevensuperior \u2077 eightsuperior \u2078 ninesuperior \u2079 nsuperior \u207f ' +
  'zeroinferior \u2080 oneinferior \u2081 twoinferior \u2082 threeinferior \u2083 fourinferior \u2084 ' +
  'fiveinferior \u2085 sixinferior \u2086 seveninferior \u2087 eightinferior \u2088 nineinferior \u2089 ' +
  'Gcommaaccent \u0122 gcommaaccent \u0123 Kcommaaccent \u0136 kcommaaccent \u0137 Lcommaaccent \u013b ' +
  'lcommaaccent \u013c Ncommaaccent \u0145 ncommaaccent \u0146 Rcommaaccent \u0156 rcommaaccent \u0157 ' +
  'Scommaaccent \u0218 scommaaccent \u0219 Tcommaaccent \u0162 tcommaaccent \u0163 Tcedilla \u0162 tcedilla ' +
  '\u0163 Ldotaccent \u013f ldotaccent \u0140 Dslash \u0110 dmacron \u0111 Idot \u0130 commaaccent \u0326 ' +
  'caronslovak \u02bc afii10023 \u0401 afii10071 \u0451 afii10050 \u0490 afii10098 \u0491 afii61352 \u2116 ' +
  'afii00208 \u2015'
).split(' ');
let unicodes: ReadonlyMap<string, string> | undefined;
let names: ReadonlyMap<string, string> | undefined;

function list(): ReadonlyMap<string, string> {
  if (unicodes !== undefined) return unicodes;
  const glyphs = createRequire(import.meta.url)('aglfn') as readonly ListedGlyph[];
  const map = new Map(
    glyphs.map(({ glyphName, unicodeValue }) => [glyphName, String.fromCodePoint(parseInt(unicodeValue, 16))]),
  );
  for (let i = 0; i + 1 < OTHERS.length; i += 2) map.set(OTHERS[i]!, OTHERS[i + 1]!);
  map.set('.notdef', '');
  // Cyrillic letters by number: capitals and small letters, except IO (which is between them).
  for (let letter = 0; letter < 32; letter++) {
    map.set(`afii${10_017 + letter + (letter > 5 ? 1 : 0)}`, String.fromCharCode(0x410 + letter));
    map.set(`afii${10_065 + letter + (letter > 5 ? 1 : 0)}`, String.fromCharCode(0x430 + letter));
  }
  unicodes = map;
  return map;
}

/**
 * Returns the text of a glyph name (Adobe Glyph List Specification): listed, `uniXXXX`, `uXXXXX`, parts joined by `_`;
 * undefined for others.
 */
export function textOfGlyphName(name: string): string | undefined {
  const [base = ''] = name.startsWith('.') ? [name] : name.split('.', 1);
  const parts = base.split('_').map((part) => textOfPart(part));
  return parts.every((part) => part !== undefined) ? parts.join('') : undefined;
}

function textOfPart(name: string): string | undefined {
  const listed = list().get(name);
  if (listed !== undefined) return listed;
  const [, units] = /^uni((?:[\dA-Fa-f]{4})+)$/.exec(name) ?? [];
  if (units !== undefined)
    return String.fromCharCode(...(units.match(/.{4}/g) ?? []).map((unit) => parseInt(unit, 16)));
  const [, point] = /^u([\dA-Fa-f]{4,6})$/.exec(name) ?? [];
  if (point === undefined || parseInt(point, 16) > 0x10ffff) return undefined;
  return String.fromCodePoint(parseInt(point, 16));
}

/** Returns the usual name of a character, or undefined. */
export function glyphNameOf(character: string): string | undefined {
  if (names === undefined) {
    const map = new Map<string, string>();
    for (const [name, text] of list()) if (!map.has(text)) map.set(text, name);
    // In old fonts these glyphs serve two characters; the names are those of the standard encodings.
    for (const [text, name] of [
      ['\u00b5', 'mu'],
      ['\u00b7', 'periodcentered'],
      ['\u00a0', 'space'],
      ['\u00af', 'macron'],
    ] as const)
      map.set(text, name);
    names = map;
  }
  return names.get(character);
}
