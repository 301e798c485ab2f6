import type { Font, Glyph } from 'fontkit';
import type { Face } from './shaped-glyph.js';
import { type Alphabet, type FontFile, filesFor, readFontFile } from './families.js';

/** Loaded faces; the least recently used are dropped, since one Chinese text may use dozens of files. */
const CACHE_LIMIT = 48;
/** Weights that text can be drawn in. A family of a single weight has no other. */
export type Weight = 400 | 700;
const cache = new Map<string, Promise<Face>>();

/** Files of the operator that turned out to be no fonts. */
const unusable = new Set<string>();

/**
 * Returns the first face that has a glyph for the character, starting with the operator's font, if there is one, and
 * the alphabet's family; undefined when none has.
 */
export async function faceFor(
  codePoint: number,
  alphabet: Alphabet,
  own?: FontFile,
  weight: Weight = 400,
): Promise<Face | undefined> {
  const first = own === undefined ? undefined : await ownFace(own, weight);
  if (first?.font.hasGlyphForCodePoint(codePoint) === true) return first;
  for (const file of filesFor(codePoint, alphabet)) {
    const face = await loadFace(file, weight);
    if (face.font.hasGlyphForCodePoint(codePoint)) return face;
  }
  return undefined;
}

async function ownFace(file: FontFile, weight: Weight): Promise<Face | undefined> {
  if (unusable.has(file.key)) return undefined;
  return loadFace(file, weight).catch(() => {
    unusable.add(file.key);
    return undefined;
  });
}

function loadFace(file: FontFile, weight: Weight): Promise<Face> {
  const key = weight === 400 ? file.key : `${file.key}@${weight}`;
  const known = cache.get(key);
  if (known !== undefined) {
    cache.delete(key);
    cache.set(key, known);
    return known;
  }
  const loading = parseFace(file, key, weight);
  cache.set(key, loading);
  loading.catch(() => cache.delete(key));
  for (const oldest of cache.keys()) {
    if (cache.size <= CACHE_LIMIT) break;
    cache.delete(oldest);
  }
  return loading;
}

async function parseFace(file: FontFile, key: string, weight: Weight): Promise<Face> {
  const [fontkit, { default: decompress }, packed] = await Promise.all([
    import('fontkit'),
    import('woff2-encoder/decompress'),
    readFontFile(file),
  ]);
  const isPacked = Buffer.from(packed.subarray(0, 4)).toString('latin1') === 'wOF2';
  const parsed = fontkit.create(Buffer.from(isPacked ? await decompress(packed) : packed));
  if (!('layout' in parsed)) throw new Error(`${file.key} is a font collection`);
  // The Chinese, Japanese and Korean files have the thinnest weight as their default.
  const font = 'wght' in parsed.variationAxes ? parsed.getVariation({ wght: weight }) : parsed;
  keepCodePoints(font);
  passAnchorless(font);
  return { key, font, scale: 1000 / font.unitsPerEm, shaped: new Map() };
}

/** The part of fontkit's layout engine that positions marks. */
interface MarkPlacing {
  readonly _layoutEngine?: {
    readonly engine?: {
      readonly GPOSProcessor?: { applyAnchor(mark: unknown, anchor: object | null, base: number): void } | null;
    };
  };
}

/**
 * A letter need not have an anchor for every class of marks (OpenType, MarkBasePos: the offset may be NULL); fontkit
 * assumes that it has.
 */
function passAnchorless(font: Font): void {
  const placing = (font as Font & MarkPlacing)._layoutEngine?.engine?.GPOSProcessor;
  if (placing === undefined || placing === null) return;
  const applyAnchor = placing.applyAnchor.bind(placing);
  placing.applyAnchor = (mark, anchor, base) => {
    if (anchor !== null) applyAnchor(mark, anchor, base);
  };
}

/**
 * Returns a separate glyph object for every call. fontkit keeps one object per glyph with the characters of its first
 * use, so that a shape shared by several letters (Arabic letters that differ by their dots) would be extracted as the
 * first one. Values computed from a glyph's outline, at this weight of a variable font, are the same for all and are
 * cached.
 */
function keepCodePoints(font: Font): void {
  const getGlyph = font.getGlyph.bind(font);
  const made = new Map<number, Glyph>();
  font.getGlyph = (id, codePoints = []) => {
    let glyph = made.get(id);
    if (glyph === undefined) {
      (font as Font & { _glyphs: Record<number, Glyph> })._glyphs = {};
      glyph = getGlyph(id, codePoints);
      // Computed on the cached object, so that the result is shared; the bounding box also loads the outline.
      void glyph.bbox;
      made.set(id, glyph);
    }
    return Object.create(glyph, {
      codePoints: { value: codePoints },
      isMark: {
        value: codePoints.length > 0 && codePoints.every((code) => /^\p{M}$/u.test(String.fromCodePoint(code))),
      },
      isLigature: { value: codePoints.length > 1 },
    }) as Glyph;
  };
}
