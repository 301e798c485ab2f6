/** The parsed default appearance string of a field (ISO 32000-1, 12.7.3.3). */
export interface DefaultAppearance {
  /** Name of a font in the form's default resources, without the slash; empty when none is set. */
  readonly font: string;
  /** Text size in points; 0 chooses a size that fits the field. */
  readonly size: number;
  /** Operator that sets the text colour; black by default. */
  readonly colour: string;
}

const OPERANDS: Readonly<Record<string, number>> = { g: 1, rg: 3, k: 4 };
/** In points. Viewers show no larger text (ISO 32000-1, annex C, limits of page lengths). */
const MAX_SIZE = 14_400;

/** Parses a default appearance string; missing and invalid parts get their defaults. */
export function parseDefaultAppearance(text: string): DefaultAppearance {
  let [font, size, colour] = ['', 0, '0 g'];
  const waiting: string[] = [];
  for (const token of text.split(/[\s\0]+|(?=\/)/)) {
    if (token === 'Tf' && waiting.length >= 2) {
      const [name = '', points = ''] = waiting.slice(-2);
      if (name.startsWith('/')) font = decodeName(name.slice(1));
      const value = Math.abs(Number(points));
      if (points !== '' && value <= MAX_SIZE) size = value;
    } else if (OPERANDS[token] !== undefined) {
      const numbers = waiting.slice(-(OPERANDS[token] ?? 0)).map(Number);
      if (numbers.length === OPERANDS[token] && numbers.every(Number.isFinite))
        colour = `${numbers.map((value) => Math.min(1, Math.max(0, value))).join(' ')} ${token}`;
    } else if (/^[/\d.+-]/.test(token)) {
      waiting.push(token);
      continue;
    }
    waiting.length = 0;
  }
  return { font, size, colour };
}

function decodeName(name: string): string {
  return name.replaceAll(/#([\da-f]{2})/gi, (_whole, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}
