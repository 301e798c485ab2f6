import type { PaintedText, ShownGlyph } from './events.js';
import { type Operand } from './operands.js';
import { operatorText } from './writer.js';

/**
 * Gives what is to stand in place of a text operator so that it shows only some of its glyphs, each where it was, and leaves the pen where it
 * was left (ISO 32000-1, 9.4.4); undefined when all stay. What ' and " do besides showing text stays.
 */
export function textWithout(painted: PaintedText, drops: (glyph: ShownGlyph) => boolean): string | undefined {
  const { operator, font, glyphs, state, moved } = painted;
  if (!glyphs.some(drops)) return undefined;
  const { size, scale } = state.text;
  const unit = (size / 1000) * (font.vertical ? 1 : scale);
  const parts: Operand[] = [];
  let pen = 0;
  let bytes: number[] = [];
  const flush = (): void => {
    if (bytes.length > 0) parts.push(Uint8Array.from(bytes));
    bytes = [];
  };
  /** A number moves the pen back; without size or width nothing could be seen that would have to be moved. */
  const moveTo = (at: number): void => {
    if (Math.abs(at - pen) < 1e-6 || unit === 0) return;
    flush();
    parts.push((pen - at) / unit);
    pen = at;
  };
  for (const glyph of glyphs) {
    if (drops(glyph)) continue;
    moveTo(glyph.at);
    bytes.push(...codeOf(painted, glyph));
    pen = glyph.at + glyph.advance;
  }
  moveTo(moved);
  flush();
  return `${beforeText(painted)}${parts.length === 0 ? '' : operatorText('TJ', parts)}`.trim() || (operator.name === 'TJ' ? '[] TJ' : '');
}

/** The bytes of a glyph's code as they stand in the operator. */
function codeOf({ operator: { name, operands } }: PaintedText, { element, from, length }: ShownGlyph): Uint8Array {
  const [first] = operands;
  const list = name === 'TJ' && Array.isArray(first) ? (first as readonly Operand[]) : name === '"' ? operands.slice(2) : operands;
  const text = list[element];
  return text instanceof Uint8Array ? text.subarray(from, from + length) : new Uint8Array(0);
}

/** What ' and " do before they show their text (ISO 32000-1, table 109). */
function beforeText({ operator: { name, operands } }: PaintedText): string {
  if (name === "'") return 'T* ';
  if (name !== '"') return '';
  return `${operatorText('Tw', operands[0] ?? 0)} ${operatorText('Tc', operands[1] ?? 0)} T* `;
}
