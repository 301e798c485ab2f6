import { ident, string, tokenize, tokenTypes, url } from 'css-tree';

/** The kind of resource that an address in a page refers to. */
export type AddressUse = 'picture' | 'style' | 'font' | 'link';

/** Returns the replacement of an address; undefined removes it. */
export type MapAddress = (address: string, use: AddressUse) => string | undefined;

/** Longer style is left out: no page needs it. */
const MAX_LENGTH = 8 * 1024 * 1024;
const NOWHERE = 'about:invalid';
/** Functions whose strings are addresses (CSS Images 4, 2; CSS Values 5, 4). */
const fetching = new Set(['url', 'src', 'image', 'image-set', '-webkit-image-set', 'cross-fade', '-webkit-cross-fade']);

/**
 * Puts others in place of all addresses in a style sheet or a `style` attribute; everything else stays, letter by
 * letter. It is read as browsers read it (CSS Syntax 3,
 * 4.3), escapes too, so no address is overlooked. Nothing in the result can end the element that holds it.
 */
export function mapStyleAddresses(css: string, map: MapAddress): string {
  if (css.length > MAX_LENGTH) return '';
  const parts: string[] = [];
  /** Depth of brackets at which a fetching function began. */
  const within: number[] = [];
  let depth = 0;
  let rule = '';
  let inFontFace = 0;
  const quoted = (address: string, use: AddressUse): string => string.encode(map(address, use) ?? NOWHERE);
  const use = (): AddressUse => (rule === 'import' ? 'style' : inFontFace > 0 ? 'font' : 'picture');
  tokenize(css, (type, start, end) => {
    const text = css.slice(start, end);
    let written = text;
    if (type === tokenTypes.AtKeyword) rule = ident.decode(text.slice(1)).toLowerCase();
    else if (type === tokenTypes.LeftCurlyBracket) {
      if (inFontFace > 0 || rule === 'font-face') inFontFace++;
      rule = '';
    } else if (type === tokenTypes.RightCurlyBracket) inFontFace = Math.max(0, inFontFace - 1);
    else if (type === tokenTypes.Semicolon && depth === 0) rule = '';
    else if (type === tokenTypes.Function || type === tokenTypes.LeftParenthesis) {
      depth++;
      if (type === tokenTypes.Function && fetching.has(ident.decode(text.slice(0, -1)).toLowerCase())) {
        within.push(depth);
        // Nobody who has nothing to hide writes these names with escapes.
        if (text.includes('\\')) written = 'refused(';
      }
    } else if (type === tokenTypes.RightParenthesis) {
      if (within.at(-1) === depth) within.pop();
      depth = Math.max(0, depth - 1);
    } else if (type === tokenTypes.Url) written = `url(${quoted(url.decode(text), use())})`;
    else if (type === tokenTypes.String && (within.length > 0 || (rule === 'import' && depth === 0)))
      written = quoted(string.decode(text), use());
    else if (type === tokenTypes.BadUrl || type === tokenTypes.BadString) written = '';
    parts.push(written);
  });
  return parts.join('').replace(/<(?=[a-z/!?])/gi, '\\3c ');
}
