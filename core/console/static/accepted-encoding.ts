import type { IncomingMessage } from 'node:http';

/** Encodings of compressed files, best first. */
export type Encoding = 'br' | 'gzip';

/**
 * Returns the best encoding that the client accepts (RFC 9110, 12.5.3), or undefined. Reads the raw headers: the
 * listener removes this one from the others, so that Hapi does not parse it.
 */
export function acceptedEncoding({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): Encoding | undefined {
  const accepted = rawHeaders
    .filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'accept-encoding')
    .flatMap((value) => value.toLowerCase().split(','))
    .map((part) => part.trim().split(/\s*;\s*/))
    .filter(([, ...parameters]) => !parameters.some((each) => /^q=0(\.0*)?$/.test(each)))
    .map(([name]) => name);
  return (['br', 'gzip'] as const).find((name) => accepted.includes(name));
}
