import type { WordStyle } from '../page-content.js';
import { fontStyle, type FontStyle } from './font-name.js';
import type { Scratch } from './scratch.js';

/** Flags of a font descriptor (ISO 32000-1, table 123). */
const FIXED_PITCH = 1;
const ITALIC = 64;
const FORCE_BOLD = 1 << 18;
/** Text rendering modes (ISO 32000-1, table 106). */
const FILL_AND_STROKE = 2;
const INVISIBLE = 3;
/** Fonts without shapes, in which programs write text that they recognised, as they do in those of a fixed pitch. */
const WITHOUT_SHAPES = /glyph ?less|invisible|hidden/i;
/** A slant of the text matrix that people see. */
const LEANS = 0.1;

/** Looks of a document's text: equal ones are one object. */
export class StyleTable {
  readonly #styles = new Map<string, WordStyle>();
  readonly #names = new Map<string, FontStyle>();
  /** By handle, which is the font's for as long as its page is open. */
  readonly #fonts = new Map<number, FontStyle>();

  /** Forgets handles; to be called for every page. */
  newPage(): void {
    this.#fonts.clear();
  }

  /** Look of the text of a text object; `letter` is one of its letters. */
  of(scratch: Scratch, text: number, object: number, letter: number, unit: number): WordStyle {
    const { at } = scratch;
    const { wasmExports: engine } = scratch.pdfium.pdfium;
    const font = this.#font(scratch, engine.FPDFTextObj_GetFont(object));
    let size = engine.FPDFText_GetFontSize(text, letter);
    let leans = false;
    if (engine.FPDFText_GetMatrix(text, letter, at)) {
      const [a = 1, b = 0, c = 0, d = 1] = scratch.floats;
      size *= Math.hypot(c, d);
      // The angle between the letter's sides, away from a right one, with upright letters.
      const across = Math.hypot(a, b) * Math.hypot(c, d);
      leans = across > 0 && (a * c + b * d) / across > LEANS;
    }
    const colour = fillColour(scratch, object);
    const mode = engine.FPDFTextObj_GetTextRenderMode(object);
    const invisible = mode === INVISIBLE;
    return this.#shared({
      size: Math.round(Math.abs(size) * unit * 10) / 10,
      family: invisible && (font.monospace || WITHOUT_SHAPES.test(font.family)) ? '' : font.family,
      bold: font.bold || mode === FILL_AND_STROKE,
      italic: font.italic || leans,
      // The pitch of recognised text is not that of the scan.
      monospace: font.monospace && !invisible,
      invisible,
      colour: colour ?? '#000000',
    });
  }

  /** Makes equal looks of these words one object with those known. */
  adopt(words: readonly { style: WordStyle }[]): void {
    const known = new Map<WordStyle, WordStyle>();
    for (const word of words) {
      let style = known.get(word.style);
      if (style === undefined) known.set(word.style, (style = this.#shared(word.style)));
      word.style = style;
    }
  }

  #shared(style: WordStyle): WordStyle {
    const key =
      `${style.size} ${style.colour} ` +
      `${style.bold ? 'b' : ''}${style.italic ? 'i' : ''}${style.monospace ? 'm' : ''}${style.invisible ? 'v' : ''} ${style.family}`;
    const known = this.#styles.get(key);
    if (known !== undefined) return known;
    this.#styles.set(key, style);
    return style;
  }

  #font(scratch: Scratch, font: number): FontStyle {
    const known = this.#fonts.get(font);
    if (known !== undefined) return known;
    const { pdfium } = scratch;
    const name = scratch.text((at, size) => pdfium.FPDFFont_GetBaseFontName(font, at, size), 'utf-8');
    let byName = this.#names.get(name);
    if (byName === undefined) this.#names.set(name, (byName = fontStyle(name)));
    const flags = Math.max(0, pdfium.FPDFFont_GetFlags(font));
    const found = {
      family: byName.family,
      bold: byName.bold || (flags & FORCE_BOLD) !== 0,
      italic: byName.italic || (flags & ITALIC) !== 0,
      monospace: byName.monospace || (flags & FIXED_PITCH) !== 0,
    };
    this.#fonts.set(font, found);
    return found;
  }
}

/** Fill colour of a page object as #rrggbb; undefined for one that is transparent altogether. */
export function fillColour(scratch: Scratch, object: number): string | undefined {
  const { at } = scratch;
  const { wasmExports: engine } = scratch.pdfium.pdfium;
  return engine.FPDFPageObj_GetFillColor(object, at, at + 4, at + 8, at + 12) ? hex(scratch.words) : '#000000';
}

/** The same of its strokes. */
export function strokeColour(scratch: Scratch, object: number): string | undefined {
  const { pdfium, at } = scratch;
  return pdfium.FPDFPageObj_GetStrokeColor(object, at, at + 4, at + 8, at + 12) ? hex(scratch.words) : '#000000';
}

function hex([red = 0, green = 0, blue = 0, alpha = 255]: Int32Array): string | undefined {
  return alpha === 0 ? undefined : `#${((red << 16) | (green << 8) | blue).toString(16).padStart(6, '0')}`;
}
