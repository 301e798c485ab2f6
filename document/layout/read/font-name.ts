/** Suffixes of a font name that describe its style or format and not its family. */
const STYLE =
  /(?:[-, ]|(?<=[a-z]))(?:regular|regu|medi|roman|normal|book|medium|light|thin|extra|ultra|semi|demi|bold|black|heavy|italic|ital|oblique|obl|slanted|condensed|cond|narrow|mt|psmt|ps|std|pro|it|bd|reg|bi|i|b)(?=$|[-, ]|[A-Z])/i;
const BOLD = /bold|black|heavy|demi(?!light)|(?:^|[-,])(?:bd|bi|b)$/i;
const ITALIC = /ital|obli|slant|kursiv|[-,](?:it|bi|i)$/i;
const MONOSPACE =
  /courier|mono|consol|menlo|monaco|typewriter|fixed|terminal|inconsolata|source ?code|fira ?code|(?:^|\+)cmtt|(?:^|\+)(?:ec|sf)tt/i;
/** Names that are written as one. */
const KNOWN: Readonly<Record<string, string>> = {
  TimesNewRoman: 'Times New Roman',
  TimesNew: 'Times New Roman',
  'Times New': 'Times New Roman',
  Times: 'Times New Roman',
  CourierNew: 'Courier New',
  Courier: 'Courier New',
  ArialUnicodeMS: 'Arial Unicode MS',
  MyriadPro: 'Myriad Pro',
  DejaVuSans: 'DejaVu Sans',
  DejaVuSerif: 'DejaVu Serif',
  DejaVuSansMono: 'DejaVu Sans Mono',
  NotoSansCJK: 'Noto Sans CJK',
};

/** Facts from the name of a font. */
export interface FontStyle {
  readonly family: string;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly monospace: boolean;
}

/**
 * Parses a PostScript font name ("ABCDEF+TimesNewRomanPS-BoldItalicMT"): the family without subset tag and style, and
 * the style.
 */
export function fontStyle(baseFont: string): FontStyle {
  // Names of broken files hold anything.
  const name = baseFont
    .replace(/[^\p{L}\p{N}\p{P}\p{S} ]|\ufffd/gu, '')
    .replace(/^[A-Z]{6}\+/, '')
    .trim()
    .slice(0, 100);
  let family = name;
  for (let i = 0; i < 6; i++) {
    const cut = family.replace(new RegExp(`${STYLE.source}$`, 'i'), '').replace(/[-, ]+$/, '');
    if (cut === family || cut.length < 2) break;
    family = cut;
  }
  return {
    family: spaced(family),
    bold: BOLD.test(name),
    italic: ITALIC.test(name),
    monospace: MONOSPACE.test(baseFont),
  };
}

function spaced(family: string): string {
  const known = KNOWN[family];
  if (known !== undefined) return known;
  // Names of TeX fonts (CMR10) and names that have blanks stay.
  return /[\s\d]/.test(family)
    ? family
    : family
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .replaceAll('-', ' ')
        .replace(/^De ja ?Vu/i, 'DejaVu');
}
