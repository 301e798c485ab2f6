import { Encodings } from '@pdf-lib/standard-fonts';
import { UPPER_WINDOWS } from '../../file/charsets/index.js';
import { glyphNameOf, textOfGlyphName } from './glyph-names.js';

/** Glyph names by code, 256 entries; undefined where a code has none. */
export type Encoding = readonly (string | undefined)[];

const UPPER_STANDARD: Readonly<Record<number, string>> = {
  0xa1: "¡¢£⁄¥ƒ§¤'“«‹›",
  0xb1: '–†‡·',
  0xb6: '¶•‚„”»…‰',
  0xbf: '¿',
  0xc1: '`´ˆ˜¯˘˙¨',
  0xca: '˚¸',
  0xcd: '˝˛ˇ—',
  0xe1: 'Æ',
  0xe3: 'ª',
  0xe8: 'ŁØŒº',
  0xf1: 'æ',
  0xf5: 'ı',
  0xf8: 'łøœß',
};
const known = new Map<string, Encoding>();

/**
 * The named encodings (ISO 32000-1, Annex D): StandardEncoding, WinAnsiEncoding, MacRomanEncoding, and those built into
 * Symbol and ZapfDingbats; undefined for others.
 */
export function namedEncoding(name: string | undefined): Encoding | undefined {
  if (name === undefined) return undefined;
  const cached = known.get(name);
  if (cached !== undefined) return cached;
  const made = make(name);
  if (made !== undefined) known.set(name, made);
  return made;
}

function make(name: string): Encoding | undefined {
  switch (name) {
    case 'StandardEncoding':
      return standard();
    case 'WinAnsiEncoding': {
      const encoding = ofCharset('latin1');
      [...UPPER_WINDOWS].forEach((character, i) => {
        encoding[0x80 + i] = glyphNameOf(character);
      });
      // ISO 32000-1, D.2, footnotes 3, 5 and 6.
      for (const code of [0x7f, 0x81, 0x8d, 0x8f, 0x90, 0x9d]) encoding[code] = 'bullet';
      encoding[0xa0] = 'space';
      encoding[0xad] = 'hyphen';
      return encoding;
    }
    case 'MacRomanEncoding':
    case 'MacExpertEncoding': {
      if (name !== 'MacRomanEncoding') return undefined;
      const encoding = ofCharset('macintosh');
      encoding[0xdb] = 'currency';
      encoding[0xca] = 'space';
      encoding[0xde] = 'fi';
      encoding[0xdf] = 'fl';
      return encoding;
    }
    case 'Symbol':
    case 'ZapfDingbats': {
      const encoding: (string | undefined)[] = new Array<undefined>(256).fill(undefined);
      for (const point of Encodings[name].supportedCodePoints) {
        const { code, name: glyph } = Encodings[name].encodeUnicodeCodePoint(point);
        encoding[code] = glyph;
      }
      return encoding;
    }
    default:
      return undefined;
  }
}

function ofCharset(charset: string): (string | undefined)[] {
  const text = new TextDecoder(charset).decode(Uint8Array.from({ length: 256 }, (_unused, i) => i));
  return Array.from({ length: 256 }, (_unused, code) => (code < 0x20 ? undefined : glyphNameOf(text[code] ?? '')));
}

function standard(): Encoding {
  const encoding = ofCharset('us-ascii').map((name, code) => (code < 0x7f ? name : undefined));
  encoding[0x27] = 'quoteright';
  encoding[0x60] = 'quoteleft';
  for (const [from, characters] of Object.entries(UPPER_STANDARD))
    [...characters].forEach((character, i) => {
      encoding[Number(from) + i] = glyphNameOf(character);
    });
  encoding[0xae] = 'fi';
  encoding[0xaf] = 'fl';
  return encoding;
}

const dingbats = new Map<string, string>();

/** The text of a ZapfDingbats glyph name (`a1` to `a206`), else that of an ordinary glyph name. */
export function textOfName(name: string, dingbat: boolean): string | undefined {
  if (!dingbat) return textOfGlyphName(name);
  if (dingbats.size === 0)
    for (const point of Encodings.ZapfDingbats.supportedCodePoints)
      dingbats.set(Encodings.ZapfDingbats.encodeUnicodeCodePoint(point).name, String.fromCodePoint(point));
  return dingbats.get(name) ?? textOfGlyphName(name);
}
