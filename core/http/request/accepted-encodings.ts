/** How a body can be compressed (RFC 9110, 8.4.1). */
export type Encoding = 'br' | 'gzip';

const encodings: readonly Encoding[] = ['br', 'gzip'];

/**
 * Returns the encodings that an Accept-Encoding header allows, the smallest result first; none without a header (RFC
 * 9110, 12.5.3, would allow any then, but such clients rarely decode) and for one that cannot be parsed.
 */
export function acceptedEncodings(header: string | undefined): Encoding[] {
  const weights = new Map(
    (header ?? '').split(',').map((item) => {
      const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return [name, weight === undefined ? 1 : Number(weight)] as const;
    }),
  );
  return encodings.filter((name) => (weights.get(name) ?? weights.get('*') ?? 0) > 0);
}
