const LONGEST = 2000;

/**
 * An address that may be a link in a document that we write, as an absolute URL: web, mail and telephone; undefined for
 * scripts, files and whatever else.
 */
export function safeLink(address: string): string | undefined {
  const trimmed = address.trim();
  if (!URL.canParse(trimmed)) return undefined;
  const { protocol, href } = new URL(trimmed);
  return href.length <= LONGEST && ['http:', 'https:', 'mailto:', 'tel:', 'ftp:'].includes(protocol) ? href : undefined;
}
