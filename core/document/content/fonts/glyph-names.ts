import { createRequire } from 'node:module';

interface ListedGlyph {
  readonly unicodeValue: string;
  readonly glyphName: string;
}

/** Names that fonts use beside those of the Adobe Glyph List For New Fonts. */
const OTHERS: Readonly<Record<string, string>> = {
  nbspace: '\u00a0', nonbreakingspace: '\u00a0', sfthyphen: '\u00ad', softhyphen: '\u00ad', hyphenminus: '-', Delta: '\u0394', Omega: '\u03a9', mu: '\u00b5', mu1: '\u00b5', middot: '\u00b7',
  overscore: '\u00af', Tcommaaccent: '\u0162', tcommaaccent: '\u0163', fraction1: '\u2044', bulletoperator: '\u2219', increment: '\u2206', ff: 'ff', fi: 'fi', fl: 'fl', ffi: 'ffi', ffl: 'ffl',
  st: 'st', longst: 'st', dotlessj: '\u0237', quotesinglleft: '\u2018', quoteleftreversed: '\u201b', apostrophe: "'", Euro: '\u20ac', euro: '\u20ac', '.notdef': '', visiblespace: '\u2423', nleg: '\u219b',
};
let unicodes: ReadonlyMap<string, string> | undefined;
let names: ReadonlyMap<string, string> | undefined;

function list(): ReadonlyMap<string, string> {
  if (unicodes !== undefined) return unicodes;
  const glyphs = createRequire(import.meta.url)('aglfn') as readonly ListedGlyph[];
  const map = new Map(glyphs.map(({ glyphName, unicodeValue }) => [glyphName, String.fromCodePoint(parseInt(unicodeValue, 16))]));
  for (const [name, text] of Object.entries(OTHERS)) map.set(name, text);
  unicodes = map;
  return map;
}

/** Gives the text that a glyph name stands for (Adobe Glyph List Specification): listed, `uniXXXX`, `uXXXXX`, parts joined by `_`; undefined for others. */
export function textOfGlyphName(name: string): string | undefined {
  const [base = ''] = name.startsWith('.') ? [name] : name.split('.', 1);
  const parts = base.split('_').map((part) => textOfPart(part));
  return parts.every((part) => part !== undefined) ? parts.join('') : undefined;
}

function textOfPart(name: string): string | undefined {
  const listed = list().get(name);
  if (listed !== undefined) return listed;
  const [, units] = /^uni((?:[\dA-Fa-f]{4})+)$/.exec(name) ?? [];
  if (units !== undefined) return String.fromCharCode(...(units.match(/.{4}/g) ?? []).map((unit) => parseInt(unit, 16)));
  const [, point] = /^u([\dA-Fa-f]{4,6})$/.exec(name) ?? [];
  if (point === undefined || parseInt(point, 16) > 0x10ffff) return undefined;
  return String.fromCodePoint(parseInt(point, 16));
}

/** Gives the usual name of a character, or undefined. */
export function glyphNameOf(character: string): string | undefined {
  if (names === undefined) {
    const map = new Map<string, string>();
    for (const [name, text] of list()) if (!map.has(text)) map.set(text, name);
    // Two characters share these glyphs in old fonts; the names are those of the standard encodings.
    for (const [text, name] of [['\u00b5', 'mu'], ['\u00b7', 'periodcentered'], ['\u00a0', 'space'], ['\u00af', 'macron']] as const) map.set(text, name);
    names = map;
  }
  return names.get(character);
}
