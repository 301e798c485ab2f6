import {
  ContentLexer,
  type ContentVisitor,
  type Frame,
  type Insertion,
  operatorText,
  type PaintedImage,
  type PaintedInlineImage,
  type PaintedPath,
  type PaintedShading,
  type PaintedText,
  type Painting,
  type Quad,
  rewriteShow,
} from '../../content/index.js';
import type { PageEntry } from '../../structure/pages/index.js';
import type { ReplacementTexts } from './replacement-texts.js';

const NONE: ReadonlyMap<number, readonly Insertion[]> = new Map();
/** Operators that construct, clip and paint paths (ISO 32000-1, tables 59 to 61). */
const PATH_OPERATORS: ReadonlySet<string> = new Set([
  'm',
  'l',
  'c',
  'v',
  'y',
  'h',
  're',
  'W',
  'W*',
  'n',
  'f',
  'F',
  'f*',
  'S',
  's',
  'B',
  'B*',
  'b',
  'b*',
]);

/** Content that replaces what was painted, possibly empty; undefined if it is unchanged. */
export type Replacement = string | undefined;

/** Decides what to remove from each painting operation. */
export interface Erasure {
  /** Returns the indexes of the glyphs to remove. */
  glyphs(what: PaintedText): ReadonlySet<number> | 'all';
  /** Replaces a path. If a path that also clips is replaced by nothing, it still clips as before. */
  path(what: PaintedPath): Replacement;
  /** Replaces a path that only clips. */
  clip?(what: PaintedPath): Replacement;
  image(what: PaintedImage): Replacement;
  inlineImage(what: PaintedInlineImage): Replacement;
  shading(what: PaintedShading): Replacement;
  /** `keep` skips the form, `remove` removes the operator that draws it, `enter` processes its content. */
  form(what: Painting & { readonly quad: Quad }, inner: Frame): 'keep' | 'remove' | 'enter';
  /** Replaces a graphics state or a pattern that is set by name. */
  state?(what: Painting): Replacement;
}

/** Counts of what was removed or cut on a page. */
export interface Erased {
  glyphs: number;
  paths: number;
  images: number;
  shadings: number;
  forms: number;
}

export function nothingErased(): Erased {
  return { glyphs: 0, paths: 0, images: 0, shadings: 0, forms: 0 };
}

/** Walks over one page, or content that belongs to it, and removes what an `Erasure` names. */
export class Eraser {
  /** Start of the last operator in each frame that does not construct a path. */
  readonly #last = new Map<Frame, number>();
  #clipText: { readonly kept: boolean } | undefined;

  readonly visitor: ContentVisitor = {
    operator: (what) => this.#operator(what),
    text: (what) => this.#text(what),
    path: (what) => this.#path(what, this.erasure.path(what)),
    clip: (what) => this.#path(what, this.erasure.clip?.(what)),
    image: (what) => this.#replace(what, this.erasure.image(what), 'images'),
    inlineImage: (what) => this.#replace(what, this.erasure.inlineImage(what), 'images'),
    shading: (what) => this.#replace(what, this.erasure.shading(what), 'shadings'),
    form: (inner, what) => {
      const answer = this.erasure.form(what, inner);
      if (answer === 'remove') this.#replace(what, '', 'forms');
      return answer === 'enter';
    },
  };

  constructor(
    private readonly erasure: Erasure,
    private readonly replacementTexts: ReplacementTexts,
    private readonly page: PageEntry,
    readonly erased: Erased = nothingErased(),
  ) {}

  #operator(what: Painting): void {
    const { frame, operator } = what;
    const { name } = operator;
    if (!PATH_OPERATORS.has(name)) this.#last.set(frame, operator.start);
    if (name === 'BT') this.#clipText = undefined;
    // Text that was removed but set as the clip must clip everything (ISO 32000-1, 9.3.6).
    if (name === 'ET' && this.#clipText?.kept === false) frame.replace(operator, 'ET 0 0 0 0 re W n');
    if (name === 'ET') this.#clipText = undefined;
    if (name === 'gs' || name === 'scn' || name === 'SCN') {
      const put = this.erasure.state?.(what);
      if (put !== undefined) frame.replace(operator, put);
    }
  }

  #text(what: PaintedText): void {
    const {
      glyphs,
      state: {
        text: { mode },
      },
      operator,
    } = what;
    const gone = this.erasure.glyphs(what);
    const count = gone === 'all' ? glyphs.length : gone.size;
    if (mode >= 4) this.#clipText = { kept: this.#clipText?.kept === true || count < glyphs.length };
    if (count === 0) return;
    this.erased.glyphs += count;
    const isWhole = count === glyphs.length && (operator.name === 'Tj' || operator.name === 'TJ');
    const removed = isWhole
      ? undefined
      : new Map((gone === 'all' ? glyphs.map((_glyph, i) => i) : [...gone]).map((index) => [index, 'hold'] as const));
    this.#put(
      what,
      operator,
      removed === undefined ? movedPen(what) : rewriteShow(what, { removed, before: NONE, after: NONE }).content,
    );
  }

  #path(what: PaintedPath, put: Replacement): void {
    if (put === undefined) return;
    const { frame, operator, start } = what;
    if (what.fills || what.strokes) this.erased.paths++;
    if (put === '' && what.clips) return this.#put(what, operator, 'n');
    if ((this.#last.get(frame) ?? -1) < start) return this.#put(what, { start, end: operator.end }, put);
    // Operators within the path that do not belong to it are kept.
    for (const { name, start: from, end } of new ContentLexer(frame.bytes.subarray(start, operator.start))) {
      if (PATH_OPERATORS.has(name)) frame.replace({ start: start + from, end: start + end }, '');
    }
    this.#put(what, operator, put);
  }

  #replace(what: Painting, put: Replacement, kind: keyof Erased): void {
    if (put === undefined) return;
    this.erased[kind]++;
    this.#put(what, what.operator, put);
  }

  #put({ frame, marked }: Painting, stretch: { readonly start: number; readonly end: number }, put: string): void {
    frame.replace(stretch, put);
    this.replacementTexts.touch(marked, this.page);
  }
}

/** Returns the operators that replace an empty Tj or TJ: they move the text position as before. */
function movedPen({
  moved,
  font,
  state: {
    text: { size, scale },
  },
}: PaintedText): string {
  const unit = (size / 1000) * (font.vertical ? 1 : scale);
  return unit === 0 || moved === 0 ? '' : operatorText('TJ', [Math.round((-moved / unit) * 1000) / 1000]);
}
