/** Beyond this JavaScript writes powers of ten, which PDF does not know (ISO 32000-1, 7.3.3). */
const LARGEST = 1e15;

/** Gives a length as content streams write it, to a thousandth. */
export function decimal(value: number): string {
  return rounded(value, 1000);
}

/** Gives a factor or a part of a rotation, whose error grows with the distance, to a millionth. */
export function precise(value: number): string {
  return rounded(value, 1e6);
}

/** Gives a matrix as the operands of `cm` (ISO 32000-1, 8.3.4): its factors finer than its lengths. */
export function matrixOperands([a, b, c, d, e, f]: readonly [number, number, number, number, number, number]): string {
  return `${[a, b, c, d].map(precise).join(' ')} ${decimal(e)} ${decimal(f)}`;
}

function rounded(value: number, parts: number): string {
  return String(Math.round(Math.min(LARGEST, Math.max(-LARGEST, value)) * parts) / parts);
}
