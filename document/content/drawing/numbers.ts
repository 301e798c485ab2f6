/** Beyond this JavaScript writes powers of ten, which PDF does not know (ISO 32000-1, 7.3.3). */
const LARGEST = 1e15;

/** Formats a length for content streams, to a thousandth. */
export function decimal(value: number): string {
  return rounded(value, 1000);
}

/** Formats a factor of a matrix, whose error grows with the distance, to a millionth. */
export function precise(value: number): string {
  return rounded(value, 1e6);
}

/** Formats a matrix as the operands of `cm` (ISO 32000-1, 8.3.4): factors with more digits than lengths. */
export function matrixOperands([a, b, c, d, e, f]: readonly [number, number, number, number, number, number]): string {
  return `${[a, b, c, d].map(precise).join(' ')} ${decimal(e)} ${decimal(f)}`;
}

function rounded(value: number, parts: number): string {
  return String(Math.round(Math.min(LARGEST, Math.max(-LARGEST, value)) * parts) / parts);
}
