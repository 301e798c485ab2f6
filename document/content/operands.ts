/** A name as an operand, without its slash and its escapes (ISO 32000-1, 7.3.5). */
export class ContentName {
  constructor(readonly text: string) {}
}

/** An operand. Strings are bytes, whether they were written in parentheses or as hex. */
export type Operand = number | boolean | null | Uint8Array | ContentName | readonly Operand[] | ContentDict;

/** A dictionary as an operand (property lists, inline images). */
export type ContentDict = ReadonlyMap<string, Operand>;

/** The image of `BI … ID … EI`. */
export interface InlineImage {
  /** Its entries as they are written: short or long keys (ISO 32000-1, table 93). */
  readonly dict: ContentDict;
  /** Where its data begins and ends in the content. */
  readonly dataStart: number;
  readonly dataEnd: number;
}

/** An operator with its operands, and where it stands: content bytes from `start` (its first operand) up to `end`. */
export interface Operator {
  /** As written; `BI` for a whole inline image. */
  readonly name: string;
  readonly operands: readonly Operand[];
  readonly start: number;
  readonly end: number;
  readonly image?: InlineImage;
}

/** Returns the number at this index of the operands, or the default. */
export function numberAt(operands: readonly Operand[], index: number, otherwise = 0): number {
  const value = operands[index];
  return typeof value === 'number' ? value : otherwise;
}

/** The name at this place of the operands, or undefined. */
export function nameAt(operands: readonly Operand[], index: number): string | undefined {
  const value = operands[index];
  return value instanceof ContentName ? value.text : undefined;
}

/** The six numbers of a matrix that end the operands; undefined when there are fewer. */
export function matrixOf(operands: readonly Operand[]): Matrix | undefined {
  const numbers = operands.slice(-6).filter((value): value is number => typeof value === 'number');
  const [a, b, c, d, e, f] = numbers;
  return a === undefined || b === undefined || c === undefined || d === undefined || e === undefined || f === undefined
    ? undefined
    : [a, b, c, d, e, f];
}

/** A transformation `[a b c d e f]`: x' = ax + cy + e, y' = bx + dy + f (ISO 32000-1, 8.3.3). */
export type Matrix = readonly [number, number, number, number, number, number];
