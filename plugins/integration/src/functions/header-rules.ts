/** Headers that belong to the exchange itself (RFC 9110), or say who calls. */
const RESERVED: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'expect',
]);
const LONGEST_VALUE = 8192;

/**
 * What is wrong with the name of a header (RFC 9110, 5.1; RFC 7230, 3.2.6), or undefined. `auth`: it may be the one
 * that says who calls.
 */
export function headerNameFault(name: string, auth = false): string | undefined {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(name)) return 'is no name of a header';
  const lower = name.toLowerCase();
  return RESERVED.has(lower) && !(auth && lower === 'authorization') ? 'is a header that cannot be set' : undefined;
}

/** What is wrong with the value of a header, or undefined: it may hold visible ASCII, with blanks between. */
export function headerValueFault(value: string): string | undefined {
  if (value.length > LONGEST_VALUE) return `has more than ${LONGEST_VALUE} characters`;
  return /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/.test(value)
    ? undefined
    : 'holds something else than visible ASCII characters';
}
