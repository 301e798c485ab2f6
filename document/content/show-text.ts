import type { PaintedText, ShownGlyph } from './events.js';
import { COLUMN_GAP } from './page-text.js';
import { ContentName, numberAt, type Operand } from './operands.js';
import { operandText, operatorText } from './writer.js';

/** Text to be put into a run. `width` is how far it moves the pen, in text space. */
export type Insertion =
  /** Codes of the run's own font, and gaps in text space for blanks that it does not have. */
  | { readonly codes: readonly (Uint8Array | number)[]; readonly width: number }
  /** Operators that show it in another font and leave the text state as they found it. */
  | { readonly operators: string; readonly width: number };

/** How one run changes. Glyphs are indexes into its `glyphs`. */
export interface RunChange {
  /** Glyphs that go: `close` lets what follows move up, `hold` leaves it in its place. */
  readonly removed: ReadonlyMap<number, 'close' | 'hold'>;
  /** Insertions instead of or before a glyph. */
  readonly before: ReadonlyMap<number, readonly Insertion[]>;
  /** Insertions directly after a glyph, before any gap. */
  readonly after: ReadonlyMap<number, readonly Insertion[]>;
}

/** So much of a gap between columns stays at least; the rest takes up what text before it grew or shrank. */
const LEAST_GAP = 0.25;

/**
 * Rewrites a text-showing operator with glyphs removed and text inserted. `moved` is the shift of the text before it in
 * the same flow, in text space: following text moves along. Returns the content and the shift of the run's own end.
 */
export function rewriteShow(
  run: PaintedText & { readonly placed?: boolean },
  { removed, before, after }: RunChange,
  moved = 0,
): { readonly content: string; readonly moved: number } {
  const { size, scale } = run.state.text;
  const {
    operator: { name, operands },
  } = run;
  const unit = (size / 1000) * (run.font.vertical ? 1 : scale);
  const lines: string[] = [];
  if (name === '"') lines.push(operatorText('Tw', numberAt(operands, 0)), operatorText('Tc', numberAt(operands, 1)));
  if (name === "'" || name === '"') lines.push('T*');
  let away = moved;
  let shown: (number | number[])[] = [];
  const push = (bytes: Iterable<number>): void => {
    const last = shown.at(-1);
    if (Array.isArray(last)) for (const byte of bytes) last.push(byte);
    else shown.push([...bytes]);
  };
  /** Moves the pen by so much text space. */
  const move = (distance: number): void => {
    if (unit === 0 || Math.abs(distance) < 1e-9) return;
    const number = -distance / unit;
    const last = shown.at(-1);
    if (typeof last === 'number') shown[shown.length - 1] = last + number;
    else shown.push(number);
  };
  const flush = (): void => {
    if (shown.length > 0)
      lines.push(
        `${operandText(
          shown.map((part): Operand =>
            typeof part === 'number' ? Math.round(part * 1000) / 1000 : Uint8Array.from(part),
          ),
        )} TJ`,
      );
    shown = [];
  };
  const insert = (insertions: readonly Insertion[] = []): void => {
    for (const one of insertions) {
      if ('codes' in one) {
        for (const part of one.codes) {
          if (typeof part === 'number') move(part);
          else push(part);
        }
      } else {
        flush();
        lines.push(one.operators);
      }
      away += one.width;
    }
  };
  if (run.placed === true) move(moved);
  let previous: number | undefined;
  for (const item of itemsOf(run)) {
    if (typeof item === 'number') {
      const distance = item * unit * -1;
      const between =
        previous !== undefined && removed.get(previous) === 'close' && removed.get(previous + 1) === 'close';
      if (between) {
        away -= distance;
        continue;
      }
      const em = Math.abs(size * scale * run.font.em);
      const kept = distance >= COLUMN_GAP * em ? Math.max(distance - away, LEAST_GAP * em) : distance;
      away += kept - distance;
      move(kept);
      continue;
    }
    insert(before.get(item.index));
    previous = item.index;
    const { glyph } = item;
    switch (removed.get(item.index)) {
      case 'close':
        away -= glyph.advance;
        break;
      case 'hold':
        move(glyph.advance);
        break;
      default:
        push(item.bytes);
    }
    insert(after.get(item.index));
  }
  flush();
  return { content: lines.join('\n'), moved: away };
}

/** The operator's glyphs with their codes, and its numbers, in order. */
function* itemsOf({
  operator: { name, operands },
  glyphs,
}: PaintedText): Generator<
  number | { readonly index: number; readonly glyph: ShownGlyph; readonly bytes: Uint8Array }
> {
  const array = operands[0];
  const parts: readonly Operand[] =
    name === 'TJ'
      ? Array.isArray(array)
        ? (array as readonly Operand[])
        : []
      : name === '"'
        ? operands.slice(2)
        : operands.slice(0, 1);
  let index = 0;
  for (const [element, part] of parts.entries()) {
    if (typeof part === 'number') yield part;
    if (!(part instanceof Uint8Array)) continue;
    for (let glyph = glyphs[index]; glyph !== undefined && glyph.element === element; glyph = glyphs[++index]) {
      yield { index, glyph, bytes: part.subarray(glyph.from, glyph.from + glyph.length) };
    }
  }
}

/**
 * The operator that sets the run's own font again, after another one was used. The font may have no name of its own in
 * the resources.
 */
export function fontOperator({ frame, state: { text } }: PaintedText): string {
  const name = text.fontName ?? (text.font === undefined ? undefined : frame.resourceName('Font', text.font, 'Own'));
  return name === undefined ? '' : operatorText('Tf', new ContentName(name), text.size);
}
