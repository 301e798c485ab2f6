import type { Font, Glyph } from 'fontkit';
import type { ShapedGlyph } from './shape.js';
import { type Alphabet, type FontFile, filesFor, readFontFile } from './families.js';

/** A loaded font file at regular weight. */
export interface Face {
  readonly key: string;
  readonly font: Font;
  /** Factor from the font's units to thousandths of the em. */
  readonly scale: number;
  /** What was shaped with it lately. */
  readonly shaped: Map<string, readonly ShapedGlyph[]>;
}

/** Loaded faces; the least recently used are let go, since one Chinese text may touch dozens of files. */
const CACHE_LIMIT = 48;
const REGULAR = 400;
const cache = new Map<string, Promise<Face>>();

/**
 * The first face that really has a glyph for the character, asking the alphabet's own family first; undefined when none
 * has.
 */
export async function faceFor(codePoint: number, alphabet: Alphabet): Promise<Face | undefined> {
  for (const file of filesFor(codePoint, alphabet)) {
    const face = await loadFace(file);
    if (face.font.hasGlyphForCodePoint(codePoint)) return face;
  }
  return undefined;
}

function loadFace(file: FontFile): Promise<Face> {
  const known = cache.get(file.key);
  if (known !== undefined) {
    cache.delete(file.key);
    cache.set(file.key, known);
    return known;
  }
  const loading = parseFace(file);
  cache.set(file.key, loading);
  loading.catch(() => cache.delete(file.key));
  for (const oldest of cache.keys()) {
    if (cache.size <= CACHE_LIMIT) break;
    cache.delete(oldest);
  }
  return loading;
}

async function parseFace(file: FontFile): Promise<Face> {
  const [fontkit, { default: decompress }, packed] = await Promise.all([
    import('fontkit'),
    import('woff2-encoder/decompress'),
    readFontFile(file),
  ]);
  const parsed = fontkit.create(Buffer.from(await decompress(packed)));
  if (!('layout' in parsed)) throw new Error(`${file.key} is a font collection`);
  // The Chinese, Japanese and Korean files have the thinnest weight as their default.
  const font = 'wght' in parsed.variationAxes ? parsed.getVariation({ wght: REGULAR }) : parsed;
  keepCodePoints(font);
  passAnchorless(font);
  return { key: file.key, font, scale: 1000 / font.unitsPerEm, shaped: new Map() };
}

/** The part of the library's layout that places marks. */
interface MarkPlacing {
  readonly _layoutEngine?: {
    readonly engine?: {
      readonly GPOSProcessor?: { applyAnchor(mark: unknown, anchor: object | null, base: number): void } | null;
    };
  };
}

/**
 * A letter need not have a place for every class of marks (OpenType, MarkBasePos: the offset may be NULL); the library
 * takes it for granted.
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
 * Gives every call its own glyph object. The library keeps one object per glyph with the characters it was first made
 * for, so that a shape shared by several letters (Arabic letters that differ by their dots) would be extracted as the
 * first one seen. What is reckoned of a glyph's outline, at this weight of a variable font, is the same for all of them
 * and is kept.
 */
function keepCodePoints(font: Font): void {
  const getGlyph = font.getGlyph.bind(font);
  const made = new Map<number, Glyph>();
  font.getGlyph = (id, codePoints = []) => {
    let glyph = made.get(id);
    if (glyph === undefined) {
      (font as Font & { _glyphs: Record<number, Glyph> })._glyphs = {};
      glyph = getGlyph(id, codePoints);
      // Asked of the kept object, so that it is the one that remembers; the box takes the outline with it.
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
