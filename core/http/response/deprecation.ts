import type { Deprecation } from '@quire/registry';

/**
 * Returns the header fields of answers of a deprecated operation: `deprecation` with the day as a structured date (RFC
 * 9745, 2.1), and `link` to its successor (RFC 5829, 3.4).
 */
export function deprecationFields({ date, use }: Deprecation, prefix: string): Readonly<Record<string, string>> {
  return {
    ...(date === undefined ? {} : { deprecation: `@${Date.parse(`${date}T00:00:00Z`) / 1000}` }),
    ...(use === undefined ? {} : { link: `<${prefix}/api/v1/${use}>; rel="successor-version"` }),
  };
}
