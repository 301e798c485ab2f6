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
 * Returns the fault of a header name (RFC 9110, 5.1; RFC 7230, 3.2.6), or undefined. `auth`: it may be an
 * authentication header.
 */
export function headerNameFault(name: string, auth = false): string | undefined {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(name)) return 'is not a header name';
  const lower = name.toLowerCase();
  return RESERVED.has(lower) && !(auth && lower === 'authorization') ? 'is a header that cannot be set' : undefined;
}

/** Returns the fault of a header value, or undefined: it may have visible ASCII characters with spaces between. */
export function headerValueFault(value: string): string | undefined {
  if (value.length > LONGEST_VALUE) return `has more than ${LONGEST_VALUE} characters`;
  return /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/.test(value)
    ? undefined
    : 'holds something else than visible ASCII characters';
}
