const WHITE = 1;
const DELIMITER = 2;
const classes = new Uint8Array(256);
for (const byte of [0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20]) classes[byte] = WHITE;
for (const byte of Buffer.from('()<>[]{}/%')) classes[byte] = DELIMITER;

/** True for white space (ISO 32000-1, table 1). */
export function isWhite(byte: number | undefined): boolean {
  return byte !== undefined && classes[byte] === WHITE;
}

/** True where a token ends: at white space, a delimiter (ISO 32000-1, table 2), or the end of the data. */
export function endsToken(byte: number | undefined): boolean {
  return byte === undefined || classes[byte] !== 0;
}

/** Returns the end of the token of regular characters that begins at `start`, at most `end`. */
export function tokenEnd(data: Uint8Array, start: number, end = data.length): number {
  let at = start;
  while (at < end && classes[data[at]!] === 0) at++;
  return at;
}
